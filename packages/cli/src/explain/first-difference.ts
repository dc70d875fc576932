/** Two simulations step by step: the first step after which they are apart, and what their contacts and solvers had in it. */
import { type ContactForce, type Simulation, wasTaken } from '@nexdyn/engine';

export interface FirstDifference {
  /** Steps taken; the difference came with the last. */
  step: number;
  /** s. */
  time: number;
  /** The body or soft body that is apart most, and by how much, m. */
  body: string;
  distance: number;
  pairs: PairDifference[];
  solvers: [SolverEnd, SolverEnd];
}

export interface PairDifference {
  /** As in `world and crate`. */
  pair: string;
  /** Of the deepest contact of the pair, m, and the sum of normal forces, N; none where there is no contact. */
  gap: [number | undefined, number | undefined];
  force: [number | undefined, number | undefined];
}

export interface SolverEnd {
  status: string;
  iterations: number;
  residual: number;
}

/** Steps both until they are apart by more than a distance, m, or so many steps are over. */
export function findFirstDifference(
  one: Simulation,
  two: Simulation,
  steps: number,
  tolerance: number,
): FirstDifference | undefined {
  for (let step = 1; step <= steps; step++) {
    const taken = [one, two].map((simulation) => wasTaken(simulation.step().status));
    const worst = findWorst(one, two);
    if (!(worst.distance > tolerance) && taken.every(Boolean)) continue;
    return { step, time: one.time, ...worst, pairs: comparePairs(one, two), solvers: [readEnd(one), readEnd(two)] };
  }
  return undefined;
}

/** How far apart the farthest body or soft vertex is, m: its frame, or its rotation at the radius of gyration that it has in the first model. */
function findWorst(one: Simulation, two: Simulation): { body: string; distance: number } {
  const { body, soft, size } = one.model;
  let worst = { body: '', distance: 0 };
  const note = (name: string, distance: number): void => {
    if (!(distance <= worst.distance)) worst = { body: name, distance };
  };
  for (let b = 1; b < size.body; b++) {
    const [p, q] = [one.pose(b), two.pose(b)];
    const shift = Math.hypot(...p.position.map((x, k) => x - q.position[k]!));
    const dot = Math.abs(p.orientation.reduce((sum, part, k) => sum + part * q.orientation[k]!, 0));
    const moments = body.inertiaMoments.subarray(3 * b, 3 * b + 3).reduce((sum, moment) => sum + moment, 0);
    const radius = body.mass[b]! > 0 ? Math.sqrt(moments / (2 * body.mass[b]!)) : 0;
    const turn = 2 * Math.sqrt(Math.max(0, 1 - dot * dot));
    note(body.name[b] || `body ${b}`, Math.max(shift, radius * turn));
  }
  for (let n = 0; n < size.softBody; n++) {
    const [x, y] = [one.softPosition(n), two.softPosition(n)];
    for (let i = 0; i < x.length; i += 3)
      note(soft.name[n] || `soft body ${n}`, Math.hypot(x[i]! - y[i]!, x[i + 1]! - y[i + 1]!, x[i + 2]! - y[i + 2]!));
  }
  return worst;
}

function readEnd({ report: { status, iterations, residual } }: Simulation): SolverEnd {
  return { status, iterations, residual };
}

function comparePairs(one: Simulation, two: Simulation): PairDifference[] {
  const [a, b] = [gatherPairs(one), gatherPairs(two)];
  const pairs = [...new Set([...a.keys(), ...b.keys()])].map((pair): PairDifference => {
    const [x, y] = [a.get(pair), b.get(pair)];
    return { pair, gap: [x?.gap, y?.gap], force: [x?.force, y?.force] };
  });
  const weigh = ({ force: [x = 0, y = 0] }: PairDifference): number => Math.abs(x - y);
  return pairs.sort((p, q) => weigh(q) - weigh(p));
}

function gatherPairs(simulation: Simulation): Map<string, { gap: number; force: number }> {
  const pairs = new Map<string, { gap: number; force: number }>();
  if (!simulation.formulation.usesContacts) return pairs;
  for (const contact of simulation.contactForces()) {
    const name = `${contact.bodyName1 || 'world'} and ${contact.bodyName2 || 'world'}`;
    const known = pairs.get(name) ?? { gap: Number.POSITIVE_INFINITY, force: 0 };
    pairs.set(name, { gap: Math.min(known.gap, contact.gap), force: known.force + readNormal(contact) });
  }
  return pairs;
}

function readNormal({ force, normal }: ContactForce): number {
  return force[0] * normal[0] + force[1] * normal[1] + force[2] * normal[2];
}
