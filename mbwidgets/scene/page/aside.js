// A pale ghost of bodies that a view has moved aside: it stands where they were.

import { ghostMaterials, ghostShare, LAST } from "./ghost.js";
import { casts } from "./solids.js";
import { classOf } from "./three.js";

export class Aside {
  constructor() {
    Object.assign(this, { made: new Map(), materials: null });
  }

  // Show the ghosts of these groups of bodies, moved by a vector in the world's axes, or none where that is not known.
  draw(scene, groups, way) {
    const shown = new Set();
    if (way?.every(Number.isFinite)) {
      for (const group of groups)
        for (const solid of group.children.filter(casts)) this.#place(scene, group, solid, way, shown);
    }
    for (const [solid, meshes] of this.made) {
      for (const mesh of meshes) mesh.visible = shown.has(solid);
    }
  }

  #place(scene, group, solid, way, shown) {
    if (!this.materials) this.materials = ghostMaterials(scene, solid);
    const Mesh = classOf(solid, "isMesh");
    if (!this.made.has(solid)) {
      const meshes = this.materials.map((material, k) => {
        const mesh = Object.assign(new Mesh(solid.geometry, material), { renderOrder: LAST + k, frustumCulled: false });
        mesh.raycast = () => {}; // a hand takes the body itself
        return mesh;
      });
      scene.add(...meshes);
      this.made.set(solid, meshes);
    }
    shown.add(solid);
    for (const mesh of this.made.get(solid)) {
      mesh.geometry = solid.geometry; // the kernel may have given it another one
      mesh.position.copy(group.position).add({ x: way[0], y: way[1], z: way[2] });
      mesh.quaternion.copy(group.quaternion);
      mesh.material.uniforms.share.value = ghostShare(scene);
    }
  }

  clear() {
    for (const mesh of [...this.made.values()].flat()) mesh.parent?.remove(mesh);
    for (const material of this.materials ?? []) material.dispose();
    Object.assign(this, { made: new Map(), materials: null });
  }
}
