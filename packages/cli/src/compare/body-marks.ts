/**
 * Marks on bodies, by which runs are compared: four on each, so that turning counts as well as moving.
 *   m₀ = c      m_k = c + ρ e_k, k = 1, 2, 3      ρ = √(I/m)
 * c centre of mass (m), e_k axes of the body, I the largest moment of inertia about c (kg m²), m mass (kg), ρ radius of gyration (m).
 * A turn by a small angle α moves the mark that moves most by α ρ √(2/3) to α ρ. Soft bodies are marked at every vertex.
 */
import type { Simulation } from '@nexdyn/engine';

/** Where the marks are, three numbers each, m. */
export function readMarks({ model, bodyPosition, bodyOrientation, state }: Simulation): Float64Array {
  const { mass, inertiaCenter, inertiaMoments } = model.body;
  const marks = new Float64Array(4 * bodyPosition.length + state.softPosition.length);
  for (let b = 0; b < mass.length; b++) {
    const [w, x, y, z] = bodyOrientation.subarray(4 * b, 4 * b + 4) as unknown as [number, number, number, number];
    // columns are the axes of the body
    const axes = [
      [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
      [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
      [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
    ] as const;
    const moment = Math.max(...inertiaMoments.subarray(3 * b, 3 * b + 3));
    const radius = mass[b]! > 0 ? Math.sqrt(moment / mass[b]!) : 0;
    for (let i = 0; i < 3; i++) {
      let center = bodyPosition[3 * b + i]!;
      for (let k = 0; k < 3; k++) center += axes[k]![i]! * inertiaCenter[3 * b + k]!;
      marks[12 * b + i] = center;
      for (let k = 0; k < 3; k++) marks[12 * b + 3 * (k + 1) + i] = center + radius * axes[k]![i]!;
    }
  }
  marks.set(state.softPosition, 4 * bodyPosition.length);
  return marks;
}
