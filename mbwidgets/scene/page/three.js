// What three.js makes, from objects at hand: pythreejs does not give its classes away.

// The class that says of its objects that they are such, `isMesh`, and not one derived from it.
export function classOf(object, mark) {
  for (let kind = object; kind; kind = Object.getPrototypeOf(kind)) {
    if (Object.hasOwn(kind, mark) && kind.constructor) return kind.constructor;
  }
  throw new Error(`three.js has no class with ${mark}`);
}

// A material with shaders of its own; `like` is any material.
export function shaderMaterial(like, options) {
  const made = new (classOf(like, "isMaterial"))();
  return Object.assign(made, {
    isShaderMaterial: true,
    defines: {},
    uniforms: {},
    extensions: { derivatives: true },
    lights: false,
    fog: false,
    clipping: false,
    skinning: false,
    morphTargets: false,
    morphNormals: false,
    wireframe: false,
    defaultAttributeValues: {},
    ...options,
  });
}

// A square of side two across z, with its middle at zero; `like` is any mesh.
export function squareMesh(like, material) {
  const Geometry = classOf(like.geometry, "isBufferGeometry");
  const Attribute = classOf(like.geometry.attributes.position, "isBufferAttribute");
  const made = new Geometry();
  const corners = new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]);
  made.addAttribute("position", new Attribute(corners, 3));
  made.setIndex(new Attribute(new Uint16Array([0, 1, 2, 0, 2, 3]), 1));
  const mesh = new (classOf(like, "isMesh"))(made, material);
  mesh.frustumCulled = false;
  return mesh;
}

// A camera that sees all there is; shaders of their own place what it sees.
export function blindCamera(like) {
  const made = new (classOf(like, "isCamera"))();
  made.updateProjectionMatrix = () => {};
  made.projectionMatrix.makeScale(1e-9, 1e-9, 1e-9);
  return made;
}

const [CLAMP, LINEAR, RGBA, BYTE, PLAIN] = [1001, 1006, 1023, 1009, 3000]; // three.js's own numbers

// A picture of so many pixels each way to be drawn into; `like` is any object of three.js, which can be disposed of.
export function renderTarget(like, pixels) {
  const events = Object.getPrototypeOf(classOf(like, "isObject3D").prototype);
  const texture = Object.assign(Object.create(events), {
    isTexture: true,
    wrapS: CLAMP,
    wrapT: CLAMP,
    magFilter: LINEAR,
    minFilter: LINEAR,
    format: RGBA,
    type: BYTE,
    encoding: PLAIN,
    anisotropy: 1,
    generateMipmaps: false,
    version: 0,
  });
  const area = { x: 0, y: 0, z: pixels, w: pixels };
  return Object.assign(Object.create(events), {
    isWebGLRenderTarget: true,
    width: pixels,
    height: pixels,
    viewport: area,
    scissor: area,
    scissorTest: false,
    depthBuffer: true,
    stencilBuffer: false,
    texture,
  });
}

export const dispose = (item) => item?.dispatchEvent({ type: "dispose" });
