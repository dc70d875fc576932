/** The field of a shape F seen from the frame of another shape S: x_F = R x_S + t, R = R_Fᵀ R_S, t = R_Fᵀ (p_S − p_F). */
import type { PlacedShape } from '../placed-shape.ts';
import type { SignedDistanceField } from './field.ts';

// R row by row, then t
const m = /* @__PURE__ */ new Float64Array(12);
const g = /* @__PURE__ */ new Float64Array(3);

/** Sets the frames for the functions below. */
export function relateFrames(s: PlacedShape, f: PlacedShape): void {
  const { rotation: a } = s;
  const { rotation: b } = f;
  const x = s.position[0] - f.position[0];
  const y = s.position[1] - f.position[1];
  const z = s.position[2] - f.position[2];
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) m[3 * i + j] = b[i] * a[j] + b[3 + i] * a[3 + j] + b[6 + i] * a[6 + j];
    m[9 + i] = b[i] * x + b[3 + i] * y + b[6 + i] * z;
  }
}

/** φ at a point of the frame of S, m. */
export function readField(field: SignedDistanceField, x: number, y: number, z: number): number {
  return field.distance(
    m[0] * x + m[1] * y + m[2] * z + m[9],
    m[3] * x + m[4] * y + m[5] * z + m[10],
    m[6] * x + m[7] * y + m[8] * z + m[11],
  );
}

/** φ at a point p of the frame of S, m; its gradient there, made a unit vector in the frame of S, to `out`. */
export function readGradient(out: Float64Array, field: SignedDistanceField, p: Float64Array): number {
  const x = m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[9];
  const y = m[3] * p[0] + m[4] * p[1] + m[5] * p[2] + m[10];
  const z = m[6] * p[0] + m[7] * p[1] + m[8] * p[2] + m[11];
  const value = field.gradient(g, x, y, z);
  let gx = g[0];
  let gy = g[1];
  let gz = g[2];
  let length = Math.sqrt(gx * gx + gy * gy + gz * gz);
  // no direction: away from the middle of the field
  if (!(length > 1e-9)) {
    const { bounds } = field;
    gx = x - 0.5 * (bounds[0] + bounds[3]);
    gy = y - 0.5 * (bounds[1] + bounds[4]);
    gz = z - 0.5 * (bounds[2] + bounds[5]);
    length = Math.sqrt(gx * gx + gy * gy + gz * gz);
    if (!(length > 0)) {
      gz = 1;
      length = 1;
    }
  }
  gx /= length;
  gy /= length;
  gz /= length;
  out[0] = m[0] * gx + m[3] * gy + m[6] * gz;
  out[1] = m[1] * gx + m[4] * gy + m[7] * gz;
  out[2] = m[2] * gx + m[5] * gy + m[8] * gz;
  return value;
}
