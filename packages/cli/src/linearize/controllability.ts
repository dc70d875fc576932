/**
 * Dimension of the states that controls can reach: that of the span of B, A B, A² B, …, each new vector made orthogonal to those before,
 * so that large powers do not drown the small ones.
 */

/** Share of a vector that must be new. */
const NEW_SHARE = 1e-8;

/** Rank of (B, A B, …), A row-major n × n, B row-major n × m. */
export function findControllableRank(A: Float64Array, B: Float64Array, n: number): number {
  const m = n === 0 ? 0 : B.length / n;
  const basis: Float64Array[] = [];
  let pending = Array.from({ length: m }, (_, j) => Float64Array.from({ length: n }, (__, i) => B[i * m + j]!));
  while (pending.length > 0 && basis.length < n) {
    const added: Float64Array[] = [];
    for (const vector of pending) {
      const before = norm(vector);
      if (before === 0) continue;
      // twice is enough
      for (let pass = 0; pass < 2; pass++) for (const unit of basis) subtract(vector, unit);
      const after = norm(vector);
      if (after <= NEW_SHARE * before) continue;
      const unit = vector.map((entry) => entry / after);
      basis.push(unit);
      added.push(unit);
    }
    pending = added.map((unit) =>
      Float64Array.from({ length: n }, (_, i) => {
        let sum = 0;
        for (let j = 0; j < n; j++) sum += A[i * n + j]! * unit[j]!;
        return sum;
      }),
    );
  }
  return basis.length;
}

const norm = (vector: Float64Array): number => Math.sqrt(vector.reduce((sum, entry) => sum + entry * entry, 0));

function subtract(vector: Float64Array, unit: Float64Array): void {
  let along = 0;
  for (let i = 0; i < vector.length; i++) along += vector[i]! * unit[i]!;
  for (let i = 0; i < vector.length; i++) vector[i]! -= along * unit[i]!;
}
