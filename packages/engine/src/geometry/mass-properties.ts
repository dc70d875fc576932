/**
 * Mass, centre of mass and rotational inertia of a rigid body, and their transformation and sum.
 *
 *   moved:  I' = R I Rᵀ, c' = R c + p
 *   sum:    m = Σ mᵢ, c = Σ mᵢ cᵢ / m, I = Σ Iᵢ + mᵢ (|d|² 1 − d dᵀ), d = cᵢ − c   (parallel axes)
 *
 * m in kg, c in m, I in kg m² about the centre of mass.
 */
import { type Doubles, matrixFromQuaternion, rotateByQuaternion } from '../linear-algebra/quaternion.ts';

/** Mass, centre of mass and inertia. */
export interface MassProperties {
  /** kg. */
  mass: number;
  /** Centre of mass, m. */
  center: Float64Array;
  /** About the centre of mass: xx, yy, zz, xy, xz, yz, kg m². */
  tensor: Float64Array;
}

/** A thing without mass. */
export function createMassProperties(): MassProperties {
  return { mass: 0, center: new Float64Array(3), tensor: new Float64Array(6) };
}

/** A thing whose principal axes are those of the frame and whose centre is the origin. */
export function principalMassProperties(mass: number, ixx: number, iyy: number, izz: number): MassProperties {
  return { mass, center: new Float64Array(3), tensor: Float64Array.of(ixx, iyy, izz, 0, 0, 0) };
}

/** The same thing with another mass. */
export function scaleMass(properties: MassProperties, mass: number): MassProperties {
  const factor = properties.mass > 0 ? mass / properties.mass : 0;
  return { mass, center: properties.center, tensor: properties.tensor.map((entry) => entry * factor) };
}

/** The thing as seen from a frame in which it has the pose (p, q). */
export function moveMassProperties(properties: MassProperties, position: Doubles, q: Doubles): MassProperties {
  const center = new Float64Array(3);
  rotateByQuaternion(center, 0, q, 0, properties.center, 0);
  for (let i = 0; i < 3; i++) center[i] += position[i];
  return { mass: properties.mass, center, tensor: rotateTensor(properties.tensor, q) };
}

/** R I Rᵀ. */
export function rotateTensor(tensor: Doubles, q: Doubles): Float64Array {
  matrixFromQuaternion(rotation, 0, q, 0);
  const R = rotation;
  const I = tensor;
  const result = new Float64Array(6);
  for (let k = 0; k < 6; k++) {
    // entry (r, c) of the result: Σ R[r, a] I[a, b] R[c, b]
    const r = 3 * ROWS[k];
    const c = 3 * COLUMNS[k];
    result[k] =
      R[r] * (I[0] * R[c] + I[3] * R[c + 1] + I[4] * R[c + 2]) +
      R[r + 1] * (I[3] * R[c] + I[1] * R[c + 1] + I[5] * R[c + 2]) +
      R[r + 2] * (I[4] * R[c] + I[5] * R[c + 1] + I[2] * R[c + 2]);
  }
  return result;
}

/** All things together. */
export function sumMassProperties(parts: readonly MassProperties[]): MassProperties {
  const sum = createMassProperties();
  for (const part of parts) {
    sum.mass += part.mass;
    for (let i = 0; i < 3; i++) sum.center[i] += part.mass * part.center[i];
  }
  if (sum.mass === 0) {
    sum.center.fill(0);
    return sum;
  }
  for (let i = 0; i < 3; i++) sum.center[i] /= sum.mass;
  for (const part of parts) {
    const m = part.mass;
    const x = part.center[0] - sum.center[0];
    const y = part.center[1] - sum.center[1];
    const z = part.center[2] - sum.center[2];
    sum.tensor[0] += part.tensor[0] + m * (y * y + z * z);
    sum.tensor[1] += part.tensor[1] + m * (x * x + z * z);
    sum.tensor[2] += part.tensor[2] + m * (x * x + y * y);
    sum.tensor[3] += part.tensor[3] - m * x * y;
    sum.tensor[4] += part.tensor[4] - m * x * z;
    sum.tensor[5] += part.tensor[5] - m * y * z;
  }
  return sum;
}

const ROWS = [0, 1, 2, 0, 0, 1];
const COLUMNS = [0, 1, 2, 1, 2, 2];
const rotation = /* @__PURE__ */ new Float64Array(9);
