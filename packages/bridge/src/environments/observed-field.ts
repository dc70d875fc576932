/**
 * What environments can observe, in the order and with the meaning that learning tasks written for MuJoCo expect. Poses and the inertias and
 * velocities below are those at the start of the last step, where the step has computed its forces; `position` and `velocity` are at its end.
 *
 *   massCenter   centre of mass of all bodies, m
 *   cinert   per body: spatial inertia about the centre of mass of its tree: xx yy zz xy xz yz (kg m²), mass times offset (kg m), mass (kg)
 *   cvel     per body: spatial velocity there, angular part first
 *   cfrc     per body: force of contacts there, torque first: Σ (x − c) × f, Σ f
 */
import { CARRIER, type Model, NexdynError, type Simulation } from '@nexdyn/engine';
import type { JointSpace } from './joint-space.ts';

/** One field. */
interface ObservedField {
  readonly length: (size: Model['size']) => number;
  /** Writes what is known before the last step. */
  readonly before?: (simulation: Simulation, out: Float64Array) => void;
  /** Writes what the last step has found. `centers` are those of the trees before it. */
  readonly after?: (simulation: Simulation, out: Float64Array, joints: JointSpace, centers: Float64Array) => void;
}

/** All but the joints' own numbers, which every environment gives. Sizes are those of the model in joint coordinates. */
export const OBSERVED_FIELDS: Readonly<Record<string, ObservedField>> = {
  bodyPosition: { length: (n) => 3 * n.body, before: ({ derived }, out) => out.set(derived.bodyPosition) },
  sitePosition: { length: (n) => 3 * n.site, before: ({ derived }, out) => out.set(derived.sitePosition) },
  massCenter: { length: () => 3, before: writeMassCenter },
  cinert: { length: (n) => 10 * n.body, before: ({ derived }, out) => out.set(derived.bodyInertia) },
  cvel: { length: (n) => 6 * n.body, before: ({ derived }, out) => out.set(derived.bodyTwist) },
  tendonLength: { length: (n) => n.tendon, before: ({ derived }, out) => out.set(derived.tendonLength) },
  tendonVelocity: { length: (n) => n.tendon, after: ({ derived }, out) => out.set(derived.tendonVelocity) },
  cfrc: { length: (n) => 6 * n.body, after: writeContactWrenches },
  actuatorJointForce: { length: (n) => n.velocity, after: (s, out, joints) => joints.readActuatorForce(s, out) },
  constraintForce: { length: (n) => n.velocity, after: (s, out, joints) => joints.readConstraintForce(s, out) },
};

/** A field by name. */
export function requireObserved(name: string): ObservedField {
  const field = OBSERVED_FIELDS[name];
  if (field) return field;
  throw new NexdynError('invalid-argument', `'${name}' cannot be observed`, {
    hint: `one of position, velocity, ${Object.keys(OBSERVED_FIELDS).join(', ')}`,
  });
}

function writeMassCenter({ model, derived }: Simulation, out: Float64Array): void {
  const { mass } = model.body;
  let sum = 0;
  out.fill(0);
  for (let b = 0; b < mass.length; b++) {
    sum += mass[b]!;
    for (let k = 0; k < 3; k++) out[k]! += mass[b]! * derived.bodyCenter[3 * b + k]!;
  }
  for (let k = 0; k < 3; k++) out[k]! /= sum;
}

function writeContactWrenches(
  { solvedContacts: set }: Simulation,
  out: Float64Array,
  { root }: JointSpace,
  centers: Float64Array,
): void {
  out.fill(0);
  for (let i = 0; i < set.count; i++) {
    const along = (k: number): number =>
      set.frame[9 * i + k]! * set.force[6 * i]! +
      set.frame[9 * i + 3 + k]! * set.force[6 * i + 1]! +
      set.frame[9 * i + 6 + k]! * set.force[6 * i + 2]!;
    const spin = (k: number): number =>
      set.frame[9 * i + k]! * set.force[6 * i + 3]! +
      set.frame[9 * i + 3 + k]! * set.force[6 * i + 4]! +
      set.frame[9 * i + 6 + k]! * set.force[6 * i + 5]!;
    const force = [along(0), along(1), along(2)] as const;
    const torque = [spin(0), spin(1), spin(2)] as const;
    const lever = (b: number): Vec3 => {
      const c = 3 * root[b]!;
      return [
        set.position[3 * i]! - centers[c]!,
        set.position[3 * i + 1]! - centers[c + 1]!,
        set.position[3 * i + 2]! - centers[c + 2]!,
      ];
    };
    if (set.carrierKind1[i] === CARRIER.body)
      addWrench(out, set.carrier1[i]!, lever(set.carrier1[i]!), force, torque, -1);
    if (set.carrierKind2[i] === CARRIER.body)
      addWrench(out, set.carrier2[i]!, lever(set.carrier2[i]!), force, torque, 1);
  }
}

type Vec3 = readonly [number, number, number];

function addWrench(out: Float64Array, b: number, lever: Vec3, force: Vec3, torque: Vec3, sign: number): void {
  for (let k = 0; k < 3; k++) {
    const l = (k + 1) % 3;
    const m = (k + 2) % 3;
    out[6 * b + k]! += sign * (torque[k]! + lever[l]! * force[m]! - lever[m]! * force[l]!);
    out[6 * b + 3 + k]! += sign * force[k]!;
  }
}
