/** Complete elliptic integral of the first kind, K(k) = π / (2 agm(1, √(1 − k²))); the mean converges quadratically. */
export function completeEllipticK(k: number): number {
  let a = 1;
  let b = Math.sqrt(1 - k * k);
  for (let n = 0; n < 40 && Math.abs(a - b) > 1e-15 * a; n++) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return Math.PI / (2 * a);
}
