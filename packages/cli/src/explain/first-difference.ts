/** Two simulations step by step: the first step after which they are apart, and what their contacts and solvers had in it. */
import { type Simulation, wasTaken } from '@nexdyn/engine';

export interface FirstDifference {
  /** Steps taken; the difference came with the last. */
  step: number;
  /** s. */
  time: number;
  /** The body or soft body that is apart most, and by how much, m. */
  body: string;
  distance: number;
  pairs: PairDifference[];
  forces: ForceDifference[];
  solvers: [SolverEnd, SolverEnd];
}

export interface PairDifference {
  /** As in `world and crate`. */
  pair: string;
  /** Of the deepest contact of the pair, m, and the sum of normal forces, N; none where there is no contact. */
  gap: [number | undefined, number | undefined];
  force: [number | undefined, number | undefined];
}

/** What one source of forces does to a joint, N or N m. */
export interface ForceDifference {
  joint: string;
  source: string;
  first: number;
  second: number;
}

export interface SolverEnd {
  status: string;
  iterations: number;
  residual: number;
}

/** Two simulations, and what of them is the same thing. */
export interface ComparedMotion {
  one: Simulation;
  two: Simulation;
  /** How far apart the farthest body or soft vertex is, m, and its name. */
  measure: () => { body: string; distance: number };
  /** What contacts call bodies, by number, in each of the two. */
  names: readonly [(body: number) => string, (body: number) => string];
  /** Names of joints with the numbers of their dofs in both; none where joints are constraints. */
  dofs: readonly { name: string; first: number; second: number }[];
}

/** Steps both until they are apart by more than a distance, m, or so many steps are over. */
export function findFirstDifference(
  motion: ComparedMotion,
  steps: number,
  tolerance: number,
): FirstDifference | undefined {
  const { one, two } = motion;
  for (let step = 1; step <= steps; step++) {
    const taken = [one, two].map((simulation) => wasTaken(simulation.step().status));
    const worst = motion.measure();
    if (!(worst.distance > tolerance) && taken.every(Boolean)) continue;
    const solvers: [SolverEnd, SolverEnd] = [readEnd(one), readEnd(two)];
    return { step, time: one.time, ...worst, pairs: comparePairs(motion), forces: compareForces(motion), solvers };
  }
  return undefined;
}

function readEnd({ report: { status, iterations, residual } }: Simulation): SolverEnd {
  return { status, iterations, residual };
}

function comparePairs({ one, two, names }: ComparedMotion): PairDifference[] {
  const [a, b] = [gatherPairs(one, names[0]), gatherPairs(two, names[1])];
  const pairs = [...new Set([...a.keys(), ...b.keys()])].map((pair): PairDifference => {
    const [x, y] = [a.get(pair), b.get(pair)];
    return { pair, gap: [x?.gap, y?.gap], force: [x?.force, y?.force] };
  });
  const weigh = ({ force: [x = 0, y = 0] }: PairDifference): number => Math.abs(x - y);
  return pairs.sort((p, q) => weigh(q) - weigh(p));
}

function gatherPairs(
  simulation: Simulation,
  nameBody: (body: number) => string,
): Map<string, { gap: number; force: number }> {
  const pairs = new Map<string, { gap: number; force: number }>();
  if (!simulation.formulation.usesContacts) return pairs;
  const { shape, size } = simulation.model;
  const nameSide = (s: number, name: string): string => (s < size.shape ? nameBody(shape.body[s]!) : name);
  for (const contact of simulation.contactForces()) {
    const sides = [nameSide(contact.shape1, contact.bodyName1), nameSide(contact.shape2, contact.bodyName2)];
    // the two files may list the bodies of a pair in another order
    const name = sides.sort().join(' and ');
    const known = pairs.get(name) ?? { gap: Number.POSITIVE_INFINITY, force: 0 };
    pairs.set(name, { gap: Math.min(known.gap, contact.gap), force: known.force + contact.normalForce });
  }
  return pairs;
}

/** Forces on dofs by where they come from, those that differ most first; round-off beside the largest is left out. */
function compareForces({ one, two, dofs }: ComparedMotion): ForceDifference[] {
  const [a, b] = [one.derived, two.derived];
  const sources: [string, Float64Array, Float64Array, sign: 1 | -1][] = [
    ['gravity and inertia', a.biasForce, b.biasForce, -1],
    ['springs and dampers', a.passiveForce, b.passiveForce, 1],
    ['actuators', a.actuatorJointForce, b.actuatorJointForce, 1],
    ['contacts and limits', a.constraintForce, b.constraintForce, 1],
  ];
  const found = dofs.flatMap(({ name, first, second }) =>
    sources.map(([source, x, y, sign]): ForceDifference => {
      const [p, q] = [sign * x[first]!, sign * y[second]!];
      return { joint: name, source, first: p, second: q };
    }),
  );
  const scale = found.reduce((most, { first, second }) => Math.max(most, Math.abs(first), Math.abs(second)), 0);
  const weigh = ({ first, second }: ForceDifference): number => Math.abs(first - second);
  return found.filter((entry) => !(weigh(entry) <= 1e-9 * scale)).sort((p, q) => weigh(q) - weigh(p));
}
