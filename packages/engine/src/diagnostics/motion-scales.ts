/**
 * Masses and energies by which the motion of a model is judged, and a cheap measure of the motion itself.
 *
 *   floor  Σ m ρ (|g| + ½ ω² ρ)   energy that is always available: a fall by the radius of gyration ρ, and motion too slow to count, J
 *   motion Σ M_ii v_i²             about twice the kinetic energy, from the diagonal of the mass matrix alone, J
 *
 * ω = 0.1 rad/s: bodies that rotate, or travel their own size, no faster than this count as at rest. Soft bodies count as one body,
 * with half the diagonal of the box around their vertices for ρ.
 */
import type { Workspace } from '../dynamics/workspace.ts';
import { multiplyTree } from '../linear-algebra/tree-ldl.ts';
import type { Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import { nameOfDof, nameOfVertex } from './non-finite.ts';

/** rad/s. */
const STILL_RATE = 0.1;

export class MotionScales {
  readonly #model: Model;
  /** Of all that moves, kg. */
  mass = 0;
  /** Sum of the armatures of joints, kg m² (hinges) or kg (slides). */
  armature = 0;
  /** J. */
  floor = 0;
  /** |g|, m/s². */
  gravity = 0;

  constructor(model: Model) {
    this.#model = model;
    this.readParameters();
  }

  /** Takes masses and gravity from the model. */
  readParameters(): void {
    const model = this.#model;
    const { size, options, soft } = model;
    const [x, y, z] = options.disabled.has('gravity') ? [0, 0, 0] : options.gravity;
    this.gravity = Math.hypot(x, y, z);
    const { mass, inertiaMoments: inertia } = model.body;
    let whole = 0;
    let floor = 0;
    for (let b = 1; b < size.body; b++) {
      if (model.body.lastDof[b] < 0) continue;
      const spin = inertia[3 * b] + inertia[3 * b + 1] + inertia[3 * b + 2];
      const radius = mass[b] > 0 ? Math.sqrt(spin / (2 * mass[b])) : 0;
      whole += mass[b];
      floor += mass[b] * radius * (this.gravity + 0.5 * STILL_RATE * STILL_RATE * radius);
    }
    this.armature = model.dof.armature.reduce((sum, armature) => sum + armature, 0);
    const softMass = measureSoftMass(model);
    const reach = measureReach(soft.rest);
    this.mass = whole + softMass;
    this.floor = floor + softMass * reach * (this.gravity + 0.5 * STILL_RATE * STILL_RATE * reach);
  }

  /** Σ M_ii v_i², with the mass matrix at hand, J. */
  measureMotion({ velocity, softVelocity }: State, { massMatrix }: Workspace): number {
    const { rowStart } = this.#model.massMatrix;
    let sum = 0;
    for (let i = 0; i < velocity.length; i++) sum += massMatrix[rowStart[i + 1] - 1] * velocity[i] * velocity[i];
    if (softVelocity.length === 0) return sum;
    let soft = 0;
    for (let i = 0; i < softVelocity.length; i++) soft += softVelocity[i] * softVelocity[i];
    return sum + (this.mass * 3 * soft) / softVelocity.length;
  }

  /** Name of the joint, body or vertex with most kinetic energy. */
  findFastest({ velocity, softVelocity }: State, work: Workspace): string {
    const model = this.#model;
    const momentum = new Float64Array(velocity.length);
    multiplyTree(momentum, work.massMatrix, velocity, model.massMatrix.rowStart, model.massMatrix.column);
    let most = Number.NEGATIVE_INFINITY;
    let name = '';
    for (let i = 0; i < velocity.length; i++) {
      const energy = 0.5 * velocity[i] * momentum[i];
      if (!(energy > most)) continue;
      most = energy;
      name = nameOfDof(model, i);
    }
    const share = (1.5 * measureSoftMass(model)) / Math.max(1, softVelocity.length);
    for (let v = 0; v < softVelocity.length / 3; v++) {
      const energy = share * (softVelocity[3 * v] ** 2 + softVelocity[3 * v + 1] ** 2 + softVelocity[3 * v + 2] ** 2);
      if (!(energy > most)) continue;
      most = energy;
      name = nameOfVertex(model, v);
    }
    return name;
  }
}

function measureSoftMass({ soft }: Model): number {
  return soft.name.length === 0 ? 0 : soft.mass.reduce((sum, mass) => sum + mass, 0);
}

// half the diagonal of the box around points
function measureReach(points: Float64Array): number {
  if (points.length === 0) return 0;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = k; i < points.length; i += 3) {
      low = Math.min(low, points[i]);
      high = Math.max(high, points[i]);
    }
    square += (high - low) ** 2;
  }
  return 0.5 * Math.sqrt(square);
}
