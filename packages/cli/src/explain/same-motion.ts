/** What is compared of two simulations while they run: of models with the same bodies, and of two mechanisms that were matched. */
import { type BodyPose, JOINT, type Model, measureGyration, type Simulation } from '@nexdyn/engine';
import type { ComparedMotion } from './first-difference.ts';
import type { Link, Mechanism } from './mechanism.ts';
import type { MechanismMatch } from './mechanism-match.ts';
import { add, conjugate, measureTurn, multiply, type Quaternion, rotate, type Vector } from './rotation.ts';

/** Body by body as they are numbered. */
export function compareBodies(one: Simulation, two: Simulation): ComparedMotion {
  const { body } = one.model;
  const name = (b: number): string => body.name[b] || (b === 0 ? 'world' : `body ${b}`);
  const { joint, dof, size } = one.model;
  const isTree = one.model.coordinates === 'joint' && two.model.coordinates === 'joint';
  const dofs = Array.from({ length: isTree ? size.velocity : 0 }, (_, d) => {
    const first = joint.dofStart[dof.joint[d]!]!;
    const joined = joint.name[dof.joint[d]!] || `the joint of ${name(dof.body[d]!)}`;
    const isSingle = dof.joint[d - 1] !== dof.joint[d] && dof.joint[d + 1] !== dof.joint[d];
    return { name: isSingle ? joined : `${joined}, dof ${d - first}`, first: d, second: d };
  });
  return { one, two, measure: () => findFarthest(one, two), names: [name, name], dofs };
}

/** How far apart the farthest body or soft vertex is, m: its frame, or its rotation at the radius of gyration that it has in the first model. */
function findFarthest(one: Simulation, two: Simulation): { body: string; distance: number } {
  const { body, soft, size } = one.model;
  let worst = { body: '', distance: 0 };
  const note = (name: string, distance: number): void => {
    if (!(distance <= worst.distance)) worst = { body: name, distance };
  };
  for (let b = 1; b < size.body; b++) {
    const [p, q] = [one.pose(b), two.pose(b)];
    const shift = Math.hypot(...add(p.position, q.position, -1));
    note(
      body.name[b] || `body ${b}`,
      Math.max(shift, measureGyration(one.model, b) * measureTurn(p.orientation, q.orientation)),
    );
  }
  for (let n = 0; n < size.softBody; n++) {
    const [x, y] = [one.softPosition(n), two.softPosition(n)];
    for (let i = 0; i < x.length; i += 3)
      note(soft.name[n] || `soft body ${n}`, Math.hypot(x[i]! - y[i]!, x[i + 1]! - y[i + 1]!, x[i + 2]! - y[i + 2]!));
  }
  return worst;
}

/** Link by link: how far the centre of mass of each has come since the start, and how far it has turned. */
export function compareLinks(
  [one, two]: readonly [Simulation, Simulation],
  [first, second]: readonly [Mechanism, Mechanism],
  match: MechanismMatch,
): ComparedMotion {
  const followed = match.links.map(([n, m]) => [follow(one, first.links[n]!), follow(two, second.links[m]!)] as const);
  const { rotation } = match.place;
  const measure = (): { body: string; distance: number } => {
    let worst = { body: '', distance: 0 };
    for (const [i, [n]] of match.links.entries()) {
      const { name, mass, inertia } = first.links[n]!;
      const [p, q] = followed[i]!.map((read) => read()) as [Moved, Moved];
      const shift = Math.hypot(...add(rotate(rotation, p.shift), q.shift, -1));
      const turned = multiply(multiply(rotation, p.turn), conjugate(rotation));
      const radius = mass > 0 ? Math.sqrt((inertia[0]! + inertia[4]! + inertia[8]!) / (2 * mass)) : 0;
      const distance = Math.max(shift, radius * measureTurn(turned, q.turn));
      if (!(distance <= worst.distance)) worst = { body: name, distance };
    }
    return worst;
  };
  const pairOf = new Map(match.links.map(([n, m]) => [m, n]));
  const nameSecond = (link: number): string => {
    const pair = pairOf.get(link);
    return pair === undefined ? second.links[link]!.name : first.links[pair]!.name;
  };
  return {
    one,
    two,
    measure,
    names: [(b) => first.links[first.linkOf[b]!]!.name, (b) => nameSecond(second.linkOf[b]!)],
    dofs: listDofs(one.model, two.model, match),
  };
}

/** Where a link has come since its start, world axes. */
interface Moved {
  shift: Vector;
  turn: Quaternion;
}

function follow(simulation: Simulation, { body, center, position, orientation }: Link): () => Moved {
  const local = rotate(conjugate(orientation), add(center, position, -1));
  const place = ({ position: p, orientation: q }: BodyPose): Vector => add(p, rotate(q, local));
  const start = simulation.pose(body);
  return () => {
    const now = simulation.pose(body);
    return { shift: add(place(now), place(start), -1), turn: multiply(now.orientation, conjugate(start.orientation)) };
  };
}

/** Hinges and slides that were matched, where they are coordinates of both. */
function listDofs(one: Model, two: Model, { joints }: MechanismMatch): ComparedMotion['dofs'] {
  if (one.coordinates !== 'joint' || two.coordinates !== 'joint') return [];
  return joints
    .filter(([j, k]) => isSingle(one, j) && isSingle(two, k))
    .map(([j, k]) => ({ name: one.joint.name[j]!, first: one.joint.dofStart[j]!, second: two.joint.dofStart[k]! }));
}

function isSingle({ joint }: Model, j: number): boolean {
  return joint.kind[j] === JOINT.hinge || joint.kind[j] === JOINT.slide;
}
