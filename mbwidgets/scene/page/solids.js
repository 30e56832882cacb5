// What is solid on the stage: it casts shadows, and a hand can take it.

export const ARROW = "arrow"; // the name of groups that are arrows, which cast no shadow

const GLASS = "glass"; // the name of surfaces of bodies that are seen through

// Whether a thing casts a shadow: what is solid and lit, of glass too.
export const casts = ({ isMesh, material }) =>
  Boolean(isMesh && material?.isMeshPhongMaterial && (!material.transparent || material.name === GLASS));

// All meshes that are seen on the stage, but for arrows.
export function solids(item, found = []) {
  if (!item.visible || item.name === ARROW) return found;
  if (casts(item)) found.push(item);
  for (const child of item.children) solids(child, found);
  return found;
}
