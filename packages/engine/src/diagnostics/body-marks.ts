/**
 * Marks on bodies that runs are compared by: four on each, so that rotation counts as well as translation.
 *   m₀ = c      m_k = c + ρ e_k, k = 1, 2, 3      ρ = √(I/m)
 * c centre of mass (m), e_k axes of the body, I the largest moment of inertia about c (kg m²), m mass (kg), ρ radius of gyration (m).
 * A rotation by a small angle α moves the farthest-moving mark by α ρ √(2/3) to α ρ. Soft bodies are marked at every vertex.
 */
import { transformPoint } from '../linear-algebra/pose.ts';
import type { Model } from '../model/model.ts';
import type { State } from '../state/state.ts';

/** What has bodies with marks: a `Simulation`. */
export interface MarkedSimulation {
  /** What is simulated. */
  readonly model: Model;
  /** Where it is. */
  readonly state: State;
  /** Per body, three numbers, m. */
  readonly bodyPosition: Float64Array;
  /** Per body, quaternion w x y z. */
  readonly bodyOrientation: Float64Array;
}

/** Where the marks of all bodies are, the world first, and then the vertices of soft bodies: three numbers each, m. */
export function readMarks(simulation: MarkedSimulation): Float64Array {
  const { model, state } = simulation;
  const poses = { position: simulation.bodyPosition, orientation: simulation.bodyOrientation };
  const marks = new Float64Array(12 * model.size.body + state.softPosition.length);
  for (let b = 0; b < model.size.body; b++) {
    const radius = measureGyration(model, b);
    for (let mark = 0; mark < 4; mark++) {
      const local = model.body.inertiaCenter.slice(3 * b, 3 * b + 3);
      if (mark > 0) local[mark - 1] += radius;
      transformPoint(marks, 12 * b + 3 * mark, poses, b, local, 0);
    }
  }
  marks.set(state.softPosition, 12 * model.size.body);
  return marks;
}

/** Radius of gyration ρ of a body, m; 0 of one without mass. */
export function measureGyration({ body }: Model, b: number): number {
  const moment = Math.max(...body.inertiaMoments.subarray(3 * b, 3 * b + 3));
  return body.mass[b] > 0 ? Math.sqrt(moment / body.mass[b]) : 0;
}
