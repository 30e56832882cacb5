// The discrete Fourier transform of any number of real values: in powers of two, by Bluestein's way else.

// In place, of a power of two: values re + i im.
function transformPower(re, im) {
  const n = re.length;
  for (let k = 1, j = 0; k < n; k++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (k < j) [re[k], re[j], im[k], im[j]] = [re[j], re[k], im[j], im[k]];
  }
  for (let size = 2; size <= n; size *= 2) {
    const half = size / 2;
    for (let j = 0; j < half; j++) {
      const [c, s] = [Math.cos((2 * Math.PI * j) / size), -Math.sin((2 * Math.PI * j) / size)];
      for (let a = j; a < n; a += size) {
        const b = a + half;
        const [x, y] = [c * re[b] - s * im[b], c * im[b] + s * re[b]];
        [re[b], im[b]] = [re[a] - x, im[a] - y];
        [re[a], im[a]] = [re[a] + x, im[a] + y];
      }
    }
  }
}

// The waves 0 … n/2 of n real values, as numpy.fft.rfft: {re, im}.
export function realWaves(values) {
  const n = values.length;
  let size = 1;
  while (size < 2 * n) size *= 2;
  const [ar, ai, br, bi] = [0, 1, 2, 3].map(() => new Float64Array(size));
  const [cosine, sine] = [new Float64Array(n), new Float64Array(n)];
  for (let k = 0; k < n; k++) {
    const angle = (Math.PI * ((k * k) % (2 * n))) / n;
    [cosine[k], sine[k]] = [Math.cos(angle), Math.sin(angle)];
    [ar[k], ai[k]] = [values[k] * cosine[k], -values[k] * sine[k]];
    [br[k], bi[k]] = [cosine[k], sine[k]];
    if (k > 0) [br[size - k], bi[size - k]] = [cosine[k], sine[k]];
  }
  transformPower(ar, ai);
  transformPower(br, bi);
  // the product, transformed back: the other way round, and by conjugates
  for (let k = 0; k < size; k++) {
    [ar[k], ai[k]] = [ar[k] * br[k] - ai[k] * bi[k], -(ar[k] * bi[k] + ai[k] * br[k])];
  }
  transformPower(ar, ai);
  const count = Math.floor(n / 2) + 1;
  const [re, im] = [new Float64Array(count), new Float64Array(count)];
  for (let k = 0; k < count; k++) {
    const [x, y] = [ar[k] / size, -ai[k] / size];
    [re[k], im[k]] = [x * cosine[k] + y * sine[k], y * cosine[k] - x * sine[k]];
  }
  return { re, im };
}
