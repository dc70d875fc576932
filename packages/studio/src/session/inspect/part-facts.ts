/** What can be said of a part of a running scene: where it is, how it moves, what it is made of, which forces act on it now. */
import { describePicture, type Simulation } from '@nexdyn/engine';
import { listDrivenParts, listScalarJoints } from '../drive/driven-parts.ts';
import { labelShapes } from '../shape-label.ts';
import { FORMULA, readFormula } from './formula-quantity.ts';
import type { PartFact, Quantity } from './quantity-key.ts';

export function describePart(simulation: Simulation, id: string): PartFact[] {
  const [kind, number] = id.split(':') as [string, string];
  const index = Number(number);
  const describe = DESCRIBERS[kind];
  return describe ? describe(simulation, index) : [];
}

const DESCRIBERS: Readonly<Record<string, (simulation: Simulation, index: number) => PartFact[]>> = {
  body: describeBody,
  joint: describeJoint,
  shape: describeShape,
  soft: describeSoftBody,
  actuator: describeActuator,
  sensor: describeSensor,
  term: describeTerm,
};

const AXES = ['x', 'y', 'z'] as const;

const fact = (label: string, value: PartFact['value'], unit = '', plots: Quantity[] = []): PartFact => ({
  label,
  value,
  unit,
  plots,
});

function plotAxes(id: string, name: string, what: string, unit: string): Quantity[] {
  return AXES.map((axis) => ({ key: `${id}:${what}:${axis}`, label: `${name} ${what} ${axis}`, unit }));
}

function describeBody(simulation: Simulation, b: number): PartFact[] {
  const { model } = simulation;
  const { body } = model;
  const name = b === 0 ? 'world' : body.name[b] || `body ${b}`;
  const id = `body:${b}`;
  if (b === 0) return [fact('Shapes', body.shapeCount[0]!)];
  const { position, orientation } = simulation.pose(b);
  const { linear, angular } = simulation.velocity(b);
  const { force, count } = sumContactForce(simulation, (shape) => model.shape.body[shape] === b);
  return [
    fact('Position', [...position], 'm', plotAxes(id, name, 'position', 'm')),
    fact('Orientation', [...orientation], 'w x y z'),
    fact('Velocity', [...linear], 'm/s', [
      ...plotAxes(id, name, 'velocity', 'm/s'),
      { key: `${id}:speed`, label: `${name} speed`, unit: 'm/s' },
    ]),
    fact('Angular velocity', [...angular], 'rad/s', plotAxes(id, name, 'spin', 'rad/s')),
    fact('Mass', body.mass[b]!, 'kg'),
    fact('Principal inertia', Array.from(body.inertiaMoments.subarray(3 * b, 3 * b + 3)), 'kg m²'),
    fact('Contacts', count),
    fact('Contact force', force, 'N', plotAxes(id, name, 'contact force', 'N')),
  ];
}

function describeJoint(simulation: Simulation, place: number): PartFact[] {
  const part = listDrivenParts(simulation.model).joints[place];
  const j = listScalarJoints(simulation.model)[place];
  if (!part || j === undefined) return [];
  const { name, kind, unit, low, high, isLimited } = part;
  const plot = (what: string, of: string): Quantity[] => [
    { key: `joint:${place}:${what}`, label: `${name} ${what}`, unit: of },
  ];
  return [
    fact('Kind', kind),
    fact('Position', simulation.jointPosition(j), unit, plot('position', unit)),
    fact('Velocity', simulation.jointVelocity(j), `${unit}/s`, plot('velocity', `${unit}/s`)),
    fact('Limits', isLimited ? [low, high] : 'none', isLimited ? unit : ''),
    fact('Moves', part.group),
  ];
}

function describeShape(simulation: Simulation, s: number): PartFact[] {
  const { model } = simulation;
  const { shape, material } = model;
  const { force, normal, count } = sumContactForce(simulation, (other) => other === s);
  const label = labelShapes(model)[s] ?? `shape ${s}`;
  const named = shape.material[s]! >= 0 ? material.name[shape.material[s]!] : undefined;
  return [
    fact('Kind', describePicture(model, s)?.kind ?? 'field'),
    fact('Body', shape.body[s] === 0 ? 'world' : model.body.name[shape.body[s]!] || `body ${shape.body[s]}`),
    fact('Friction', shape.friction[3 * s]!),
    fact('Material', named || 'default'),
    fact('Contacts', count),
    fact('Normal force', normal, 'N', [{ key: `shape:${s}:normal force`, label: `${label} normal force`, unit: 'N' }]),
    fact('Contact force', force, 'N'),
    ...describePairs(simulation, s),
  ];
}

/** The normal force of every pair that the shape is part of now. */
function describePairs(simulation: Simulation, s: number): PartFact[] {
  if (!simulation.formulation.usesContacts) return [];
  const labels = labelShapes(simulation.model);
  const touched = simulation
    .contactForces()
    .filter(({ shape1, shape2 }) => shape1 === s || shape2 === s)
    .map(({ shape1, shape2 }) => (shape1 === s ? shape2 : shape1));
  return [...new Set(touched)]
    .sort((a, b) => a - b)
    .map((other) => {
      const key = `pair:${s}:${other}`;
      const label = `${labels[s] ?? `shape ${s}`} on ${labels[other] ?? `shape ${other}`}`;
      const plot = { key, label: `${label}, normal force`, unit: 'N' };
      return fact(`On ${labels[other] ?? `shape ${other}`}`, readQuantity(simulation, key), 'N', [plot]);
    });
}

/** An energy that the scene adds. */
function describeTerm(simulation: Simulation, n: number): PartFact[] {
  const term = readTerm(simulation, n);
  if (!term) return [];
  const plot = (what: string, unit: string) => [{ key: `term:${n}:${what}`, label: `${term.name} ${what}`, unit }];
  return [
    fact('Energy', term.energy, 'J', plot('energy', 'J')),
    ...(term.force === undefined ? [] : [fact('Force', term.force, 'N', plot('force', 'N'))]),
    ...(term.torque === undefined ? [] : [fact('Torque', term.torque, 'N m', plot('torque', 'N m'))]),
  ];
}

/** Added terms come after those that every simulation has. */
function readTerm(simulation: Simulation, n: number): ReturnType<Simulation['termEnergies']>[number] | undefined {
  const all = simulation.termEnergies();
  return all[all.length - simulation.terms.length + n];
}

function describeSoftBody(simulation: Simulation, n: number): PartFact[] {
  const { soft, size } = simulation.model;
  const name = soft.name[n] || `soft body ${n + 1}`;
  const stress = simulation.softField(n, 'vonMises');
  const { force, count } = sumContactForce(simulation, (shape) => shape === size.shape + n);
  const id = `soft:${n}`;
  return [
    fact('Vertices', soft.vertexStart[n + 1]! - soft.vertexStart[n]!),
    fact('Tetrahedra', soft.tetrahedronStart[n + 1]! - soft.tetrahedronStart[n]!),
    fact('Mass', soft.mass[n]!, 'kg'),
    fact('Centre', findMiddle(simulation, n), 'm', plotAxes(id, name, 'centre', 'm')),
    fact('Largest stress', maximum(stress), 'Pa', [
      { key: `${id}:stress`, label: `${name} largest stress`, unit: 'Pa' },
    ]),
    fact('Contacts', count),
    fact('Contact force', force, 'N'),
  ];
}

function describeActuator(simulation: Simulation, a: number): PartFact[] {
  const part = listDrivenParts(simulation.model).actuators[a];
  if (!part) return [];
  const { name, kind, unit, low, high, isLimited, group } = part;
  const plots = [{ key: `actuator:${a}:control`, label: `${name} control`, unit }];
  return [
    fact('Kind', kind),
    fact('Drives', group),
    fact('Control', simulation.state.control[a]!, unit, plots),
    fact('Limits', isLimited ? [low, high] : 'none', isLimited ? unit : ''),
  ];
}

function describeSensor(simulation: Simulation, n: number): PartFact[] {
  const { sensor } = simulation.model;
  const value = Array.from(simulation.sensor(n));
  const name = sensor.name[n] || `${sensor.kind[n]} ${n + 1}`;
  const unit = sensor.unit[n] ?? '';
  const plots = value.map((_, k) => {
    const part = value.length === 3 ? AXES[k]! : String(k + 1);
    return { key: `sensor:${n}:reading:${k}`, label: value.length === 1 ? name : `${name} ${part}`, unit };
  });
  return [fact('Kind', sensor.kind[n]!), fact('Reading', value.length === 1 ? value[0]! : value, unit, plots)];
}

/** The number behind a key; NaN where the scene has no such thing. */
export function readQuantity(simulation: Simulation, key: string): number {
  if (key.startsWith(FORMULA)) return readFormula(simulation, key);
  const [kind, number, what, part] = key.split(':') as [string, string, string?, string?];
  const index = Number(number);
  const axis = AXES.indexOf(part as 'x');
  try {
    return READERS[kind]?.(simulation, index, what ?? '', axis, part) ?? Number.NaN;
  } catch {
    // a key of another scene
    return Number.NaN;
  }
}

type Reader = (
  simulation: Simulation,
  index: number,
  what: string,
  axis: number,
  part: string | undefined,
) => number | undefined;

const READERS: Readonly<Record<string, Reader>> = {
  body(simulation, b, what, axis) {
    if (what === 'position') return simulation.pose(b).position[axis];
    if (what === 'velocity') return simulation.velocity(b).linear[axis];
    if (what === 'spin') return simulation.velocity(b).angular[axis];
    if (what === 'speed') return Math.hypot(...simulation.velocity(b).linear);
    const { shape } = simulation.model;
    return what === 'contact force' ? sumContactForce(simulation, (s) => shape.body[s] === b).force[axis] : undefined;
  },
  joint(simulation, place, what) {
    const j = listScalarJoints(simulation.model)[place]!;
    return what === 'velocity' ? simulation.jointVelocity(j) : simulation.jointPosition(j);
  },
  shape: (simulation, s) => sumContactForce(simulation, (other) => other === s).normal,
  soft: (simulation, n, what, axis) =>
    what === 'stress' ? maximum(simulation.softField(n, 'vonMises')) : findMiddle(simulation, n)[axis],
  actuator: (simulation, a) => simulation.state.control[a],
  sensor: (simulation, n, _what, _axis, part) => simulation.sensor(n)[Number(part)],
  term(simulation, n, what) {
    const { energy, force, torque } = readTerm(simulation, n) ?? {};
    return what === 'energy' ? energy : what === 'force' ? force : torque;
  },
  // a pair of shapes: their normal force, N
  pair(simulation, first, what) {
    const second = Number(what);
    return sumContactForce(simulation, (a, b) => (a === first && b === second) || (a === second && b === first)).normal;
  },
};

/** Force of contacts on shapes that are chosen, N, and the sum of normal forces; soft bodies are numbered after the shapes. */
function sumContactForce(
  simulation: Simulation,
  isChosen: (shape: number, other: number) => boolean,
): { force: number[]; normal: number; count: number } {
  const force = [0, 0, 0];
  let [normal, count] = [0, 0];
  if (!simulation.formulation.usesContacts) return { force, normal, count };
  for (const contact of simulation.contactForces()) {
    const sign = isChosen(contact.shape2, contact.shape1) ? 1 : isChosen(contact.shape1, contact.shape2) ? -1 : 0;
    if (sign === 0) continue;
    count += 1;
    let along = 0;
    for (let k = 0; k < 3; k++) {
      force[k]! += sign * contact.force[k]!;
      along += contact.force[k]! * contact.normal[k]!;
    }
    normal += along;
  }
  return { force, normal, count };
}

function findMiddle(simulation: Simulation, n: number): number[] {
  const positions = simulation.softPosition(n);
  const middle = [0, 0, 0];
  for (let i = 0; i < positions.length; i++) middle[i % 3]! += (3 * positions[i]!) / positions.length;
  return middle;
}

function maximum(values: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, values[i]!);
  return most;
}
