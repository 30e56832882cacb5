// Vectors as lists of numbers.

export const sum = (a, b, share = 1) => a.map((item, k) => item + share * b[k]);

export const inner = (a, b) => a.reduce((total, item, k) => total + item * b[k], 0);

export const unit = (a) => a.map((item) => item / (Math.hypot(...a) || 1));

// A point that a camera sees, each of its coordinates from −1 to 1, in pixels from the upper left corner.
export const toPixels = ({ x, y }, width, height) => [((1 + x) / 2) * width, ((1 - y) / 2) * height];

// The tangent of half the angle of a camera.
export const slopeOf = (camera) => Math.tan((camera.fov * Math.PI) / 360);
