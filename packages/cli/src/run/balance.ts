/**
 * A check of the forces of a run by Newton\'s law for everything that moves together: in one more step from where the run has ended,
 *   d(Σ m v)/dt = weight + contacts with what is fixed + rest
 * The rest is what joints, equalities and held vertices carry into the ground, what the user applies, drag, and errors of the solve: where
 * nothing but contacts holds things up it vanishes. The state is afterwards as it was.
 */
import { CARRIER, type Simulation, type Vec3, wasTaken } from '@nexdyn/engine';

/** Forces in world axes, N. */
export interface Balance {
  /** Of contacts of what is fixed on what moves. */
  contacts: Vec3;
  weight: Vec3;
  /** Rate of momentum. */
  momentum: Vec3;
  rest: Vec3;
}

/** Undefined where a further step cannot be taken, or the formulation gives no contact forces. */
export function measureBalance(simulation: Simulation): Balance | undefined {
  if (!simulation.formulation.usesContacts) return undefined;
  const state = simulation.snapshot();
  const before = simulation.momentum().linear;
  try {
    if (!wasTaken(simulation.step().status)) return undefined;
    const after = simulation.momentum().linear;
    const momentum = axes((k) => (after[k]! - before[k]!) / simulation.stepLength);
    const contacts = sumFixedContacts(simulation);
    const weight = sumWeights(simulation);
    const rest = axes((k) => momentum[k]! - weight[k]! - contacts[k]!);
    return { contacts, weight, momentum, rest };
  } finally {
    simulation.restore(state);
  }
}

function axes(read: (axis: number) => number): Vec3 {
  return [read(0), read(1), read(2)];
}

function sumFixedContacts({ solvedContacts: contacts, model }: Simulation): Vec3 {
  const sum: Vec3 = [0, 0, 0];
  const isFixed = (kind: number, carrier: number): boolean =>
    kind === CARRIER.world || (kind === CARRIER.body && model.body.lastDof[carrier]! < 0);
  for (let i = 0; i < contacts.count; i++) {
    const first = isFixed(contacts.carrierKind1[i]!, contacts.carrier1[i]!);
    const second = isFixed(contacts.carrierKind2[i]!, contacts.carrier2[i]!);
    if (first === second) continue;
    for (let k = 0; k < 3; k++) {
      let force = 0;
      for (let r = 0; r < 3; r++) force += contacts.frame[9 * i + 3 * r + k]! * contacts.force[6 * i + r]!;
      sum[k]! += first ? force : -force;
    }
  }
  return sum;
}

function sumWeights({ model, derived }: Simulation): Vec3 {
  const { mass, gravityCompensation, lastDof } = model.body;
  let total = model.soft.mass.reduce((sum, value) => sum + value, 0);
  for (let b = 1; b < model.size.body; b++) if (lastDof[b]! >= 0) total += mass[b]! * (1 - gravityCompensation[b]!);
  const { gravity } = derived.plan;
  return axes((k) => total * gravity[k]!);
}
