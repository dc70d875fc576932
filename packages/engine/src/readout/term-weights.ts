/**
 * Weights of terms by name: factors on energy, force and Hessian, from the next step on.
 *   gravity          w g: any finite number
 *   springs          w k of joints, tendons and soft vertices: w ≥ 0
 *   elastic          w μ, w λ of soft bodies (and Rayleigh's damping by stiffness, which follows them): w > 0
 *   an added term    w ψ: any finite number
 * Other energies take none, and an error says why.
 */
import { NexdynError } from '../error.ts';
import type { TermWeights } from '../term/term-weights.ts';
import type { SimulationData } from './simulation-data.ts';

/** Why an energy has no weight, and what to change instead. */
const WITHOUT: Readonly<Record<string, { reason: string; hint: string }>> = {
  kinetic: { reason: 'inertia is not a potential', hint: 'change masses and inertias in the scene' },
  barrier: {
    reason: 'the barrier keeps bodies apart at any stiffness, and a weight would move nothing but the gap',
    hint: 'set `barrierStiffness` or `barrierDistance` among the options of the formulation',
  },
  contacts: { reason: 'contact is a constraint here, not a potential', hint: 'change the material of the shapes' },
  friction: { reason: 'friction follows from normal forces', hint: 'change `friction` of the materials' },
  joints: { reason: 'joints are constraints', hint: 'remove a joint, or give it springs; those have a weight' },
};

/** Sets the weight of gravity, springs, elasticity or an added term. */
export function setTermWeight(data: SimulationData, name: string, weight: number): void {
  const term = data.work.terms.items.find((item) => item.name === name);
  if (!term) requireWeighted(data, name);
  const least = name === 'elastic' && !term ? Number.MIN_VALUE : name === 'springs' && !term ? 0 : -Infinity;
  if (!Number.isFinite(weight) || weight < least) {
    const range = least === -Infinity ? 'finite' : least === 0 ? 'zero or positive' : 'positive';
    throw new NexdynError('invalid-argument', `the weight of '${name}' is ${weight}`, {
      hint: `it must be ${range}; 1 keeps the energy of the scene`,
    });
  }
  if (term) {
    term.weight = weight;
    return;
  }
  data.work.weights[name as keyof TermWeights] = weight;
  applyWeights(data);
}

/** The weight of gravity, springs, elasticity or an added term. */
export function readTermWeight(data: SimulationData, name: string): number {
  const term = data.work.terms.items.find((item) => item.name === name);
  if (term) return term.weight ?? 1;
  requireWeighted(data, name);
  return data.work.weights[name as keyof TermWeights];
}

function requireWeighted({ work }: SimulationData, name: string): void {
  if (Object.hasOwn(work.weights, name)) return;
  if (Object.hasOwn(WITHOUT, name)) {
    const { reason, hint } = WITHOUT[name];
    throw new NexdynError('invalid-argument', `'${name}' takes no weight: ${reason}`, { hint });
  }
  const known = [...Object.keys(work.weights), ...work.terms.items.map((term) => term.name)];
  throw new NexdynError('invalid-argument', `there is no term '${name}'`, { hint: `there are ${known.join(', ')}` });
}

function applyWeights({ model, work, soft }: SimulationData): void {
  const { gravity, disabled } = model.options;
  const scale = disabled.has('gravity') ? 0 : work.weights.gravity;
  for (let k = 0; k < 3; k++) work.plan.gravity[k] = scale * gravity[k];
  soft.setWeights(work.weights);
}
