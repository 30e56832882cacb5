// Lights with a direction. pythreejs cannot make them without an error in the page; here they are made of what its
// hemisphere light is derived from.

import { blindCamera, classOf, dispose } from "./three.js";

const PIXELS = 1024; // of the picture that tells what the light reaches
const ALOFT = 2; // half widths from the middle of what is lit to the light
// Of the depth that the light sees: as far as a surface must be behind another to be in its shadow. A pixel of the light's
// picture spans 1/2048 of the depth on a surface across the light, and three times that on one that is nearly along it.
const BIAS = -0.002;

// A light on a group; `sky` is a hemisphere light, `camera` any camera.
export class Sun {
  constructor(group, sky, camera, { colour, strength, towards }) {
    const Thing = classOf(sky, "isObject3D");
    const light = new (classOf(sky, "isLight"))(colour, strength);
    this.light = Object.assign(light, { isDirectionalLight: true, type: "DirectionalLight", target: new Thing() });
    this.comeFrom(towards);
    const eye = blindCamera(camera);
    const mapSize = { x: PIXELS, y: PIXELS };
    light.shadow = { camera: eye, mapSize, bias: BIAS, radius: 1, map: null, matrix: eye.matrix.clone() };
    group.add(light, light.target);
  }

  // Stand in a direction.
  comeFrom(towards) {
    this.towards = towards.map((part) => part / Math.hypot(...towards));
  }

  // Shine on what is within a distance of a point of the group, and cast shadows there or not.
  shine(middle, radius, casts) {
    const { light } = this;
    const far = ALOFT * radius;
    light.target.position.set(...middle);
    light.position.set(...middle.map((value, k) => value + far * this.towards[k]));
    light.castShadow = casts;
    if (!casts) return;
    const eye = light.shadow.camera;
    // three.js turns it to the target; what it sees is a box about that
    eye.projectionMatrix.makeOrthographic(-radius, radius, radius, -radius, 0, 2 * far);
  }

  get slant() {
    const [x, y, z] = this.towards;
    return [x / z, y / z];
  }

  close() {
    const { light } = this;
    light.parent?.remove(light, light.target);
    dispose(light.shadow.map);
  }
}
