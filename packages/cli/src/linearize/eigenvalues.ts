/**
 * Eigenvalues of a real matrix: reduced to Hessenberg form by Householder reflections, then by shifted QR steps in complex numbers, each
 * made of Givens rotations, with Wilkinson's shift. Source: Golub and Van Loan, Matrix Computations, 7.4 and 7.5.
 */

/** A complex number. */
export interface Complex {
  re: number;
  im: number;
}

const MOST_STEPS = 60;

/** Eigenvalues of a row-major n × n matrix, the largest first. */
export function findEigenvalues(matrix: Float64Array, n: number): Complex[] {
  const re = matrix.slice();
  const im = new Float64Array(n * n);
  reduceToHessenberg(re, n);
  const scale = re.reduce((most, entry) => Math.max(most, Math.abs(entry)), 1e-300);
  const found: Complex[] = [];
  let size = n;
  for (let steps = 0; size > 0; steps++) {
    const low = findSplit(re, im, n, size, scale);
    const last = (size - 1) * n + size - 1;
    if (low === size - 1 || steps >= MOST_STEPS) {
      // what is round-off of a real number
      const isReal = Math.abs(im[last]!) <= 1e-13 * Math.abs(re[last]!);
      found.push({ re: re[last]!, im: isReal ? 0 : im[last]! });
      size--;
      steps = -1;
      continue;
    }
    // an exceptional shift now and then, where the others go in circles
    const shift =
      steps % 11 === 10 ? { re: Math.abs(re[last - 1]!) + re[last]!, im: im[last]! } : wilkinson(re, im, n, size);
    takeQrStep(re, im, n, low, size, shift);
  }
  return found.sort((a, b) => Math.hypot(b.re, b.im) - Math.hypot(a.re, a.im) || b.im - a.im);
}

function reduceToHessenberg(a: Float64Array, n: number): void {
  const v = new Float64Array(n);
  for (let k = 0; k + 2 < n; k++) {
    let norm = 0;
    for (let i = k + 1; i < n; i++) norm += a[i * n + k]! ** 2;
    norm = Math.sqrt(norm);
    if (norm === 0) continue;
    for (let i = k + 1; i < n; i++) v[i] = a[i * n + k]!;
    v[k + 1]! += v[k + 1]! >= 0 ? norm : -norm;
    let square = 0;
    for (let i = k + 1; i < n; i++) square += v[i]! ** 2;
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let i = k + 1; i < n; i++) sum += v[i]! * a[i * n + j]!;
      for (let i = k + 1; i < n; i++) a[i * n + j]! -= (2 * sum * v[i]!) / square;
    }
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = k + 1; j < n; j++) sum += a[i * n + j]! * v[j]!;
      for (let j = k + 1; j < n; j++) a[i * n + j]! -= (2 * sum * v[j]!) / square;
    }
    for (let i = k + 2; i < n; i++) a[i * n + k] = 0;
  }
}

/** First row of the last block that does not split off. */
function findSplit(re: Float64Array, im: Float64Array, n: number, size: number, scale: number): number {
  for (let i = size - 1; i > 0; i--) {
    const below = Math.hypot(re[i * n + i - 1]!, im[i * n + i - 1]!);
    const beside =
      Math.hypot(re[i * n + i]!, im[i * n + i]!) + Math.hypot(re[(i - 1) * n + i - 1]!, im[(i - 1) * n + i - 1]!);
    if (below <= 1e-15 * (beside || scale)) {
      re[i * n + i - 1] = im[i * n + i - 1] = 0;
      return i;
    }
  }
  return 0;
}

/** The eigenvalue of the last 2 × 2 block that is nearer to its last entry. */
function wilkinson(re: Float64Array, im: Float64Array, n: number, size: number): Complex {
  const i = (size - 2) * n + size - 2;
  const d: Complex = { re: re[i + n + 1]!, im: im[i + n + 1]! };
  const half: Complex = { re: 0.5 * (re[i]! - d.re), im: 0.5 * (im[i]! - d.im) };
  const product = multiply({ re: re[i + 1]!, im: im[i + 1]! }, { re: re[i + n]!, im: im[i + n]! });
  const square = multiply(half, half);
  const root = squareRoot({ re: square.re + product.re, im: square.im + product.im });
  // d + half ± root: the nearer one
  const plus = { re: half.re + root.re, im: half.im + root.im };
  const minus = { re: half.re - root.re, im: half.im - root.im };
  const near = Math.hypot(plus.re, plus.im) < Math.hypot(minus.re, minus.im) ? plus : minus;
  return { re: d.re + near.re, im: d.im + near.im };
}

function takeQrStep(re: Float64Array, im: Float64Array, n: number, low: number, size: number, shift: Complex): void {
  for (let i = low; i < size; i++) {
    re[i * n + i]! -= shift.re;
    im[i * n + i]! -= shift.im;
  }
  const turns: { c: number; sr: number; si: number }[] = [];
  for (let k = low; k + 1 < size; k++) {
    const turn = createTurn(re, im, k * n + k, (k + 1) * n + k);
    turns.push(turn);
    for (let j = k; j < size; j++) turnPair(re, im, k * n + j, (k + 1) * n + j, turn.c, turn.sr, turn.si);
  }
  turns.forEach(({ c, sr, si }, t) => {
    const k = low + t;
    for (let i = low; i < Math.min(k + 3, size); i++) turnPair(re, im, i * n + k, i * n + k + 1, c, sr, -si);
  });
  for (let i = low; i < size; i++) {
    re[i * n + i]! += shift.re;
    im[i * n + i]! += shift.im;
  }
}

// c real, s complex with c x + s y = r, −s* x + c y = 0
function createTurn(re: Float64Array, im: Float64Array, x: number, y: number): { c: number; sr: number; si: number } {
  const sizeX = Math.hypot(re[x]!, im[x]!);
  const sizeY = Math.hypot(re[y]!, im[y]!);
  if (sizeY === 0) return { c: 1, sr: 0, si: 0 };
  if (sizeX === 0) return { c: 0, sr: re[y]! / sizeY, si: -im[y]! / sizeY };
  const size = Math.hypot(sizeX, sizeY);
  // s = (x/|x|) y*/size
  const sr = (re[x]! * re[y]! + im[x]! * im[y]!) / (sizeX * size);
  const si = (im[x]! * re[y]! - re[x]! * im[y]!) / (sizeX * size);
  return { c: sizeX / size, sr, si };
}

// (x, y) ← (c x + s y, −s* x + c y)
function turnPair(re: Float64Array, im: Float64Array, x: number, y: number, c: number, sr: number, si: number): void {
  const [xr, xi, yr, yi] = [re[x]!, im[x]!, re[y]!, im[y]!];
  re[x] = c * xr + sr * yr - si * yi;
  im[x] = c * xi + sr * yi + si * yr;
  re[y] = c * yr - (sr * xr + si * xi);
  im[y] = c * yi - (sr * xi - si * xr);
}

const multiply = (a: Complex, b: Complex): Complex => ({
  re: a.re * b.re - a.im * b.im,
  im: a.re * b.im + a.im * b.re,
});

function squareRoot({ re, im }: Complex): Complex {
  const size = Math.hypot(re, im);
  const real = Math.sqrt(0.5 * (size + Math.abs(re)));
  if (real === 0) return { re: 0, im: 0 };
  return re >= 0 ? { re: real, im: im / (2 * real) } : { re: Math.abs(im) / (2 * real), im: im < 0 ? -real : real };
}
