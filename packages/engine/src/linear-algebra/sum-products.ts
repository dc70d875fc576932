/** aᵀ b: four sums by position, two lanes of two in the compiled twin, then the remainder. */
export function sumProducts(a: Float64Array, b: Float64Array, n: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  const full = n - (n % 4);
  for (let i = 0; i < full; i += 4) {
    s0 += a[i] * b[i];
    s1 += a[i + 1] * b[i + 1];
    s2 += a[i + 2] * b[i + 2];
    s3 += a[i + 3] * b[i + 3];
  }
  let sum = s0 + s2 + (s1 + s3);
  for (let i = full; i < n; i++) sum += a[i] * b[i];
  return sum;
}
