/** Vectors of linear conjugate gradients: the twins of the engine's minimize/preconditioned-cg.ts. */
import { addScaled, dot } from './lanes';

/** aᵀ b. */
export function dotVectors(a: usize, b: usize, n: i32): f64 {
  return dot(a, b, n);
}

/** x ← x + α p, r ← r − α q, z ← r. */
export function stepGradients(n: i32, alpha: f64, x: usize, p: usize, r: usize, q: usize, z: usize): void {
  addScaled(x, alpha, p, n);
  addScaled(r, -alpha, q, n);
  memory.copy(z, r, (<usize>n) << 3);
}

/** p ← z + β p. */
export function turnGradients(n: i32, beta: f64, p: usize, z: usize): void {
  const scale: v128 = f64x2.splat(beta);
  let left: i32 = n;
  for (; left >= 2; left -= 2, p += 16, z += 16) {
    v128.store(p, f64x2.add(v128.load(z), f64x2.mul(scale, v128.load(p))));
  }
  if (left > 0) store<f64>(p, load<f64>(z) + beta * load<f64>(p));
}
