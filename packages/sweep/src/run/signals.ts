/**
 * Signals of a simulation by name, as formulas use them:
 *
 *   time, iterations, residual, energy.kinetic | potential | total, contacts.count | penetration | normalForce
 *   bodies.NAME.position | velocity | angularVelocity .x .y .z, bodies.NAME.orientation.w …, bodies.NAME.speed | spin | tilt
 *   joints.NAME.position | velocity (hinges and slides), softBodies.NAME.center.x …, softBodies.NAME.stress
 *   metrics.NAME: the ruler's numbers of a step
 */
import { METRIC_NAMES, type MetricName, NexdynError, Ruler, type Simulation } from '@nexdyn/engine';

/** Reads a number of the present state. */
export type Signal = () => number;

const AXES: Readonly<Record<string, number>> = { x: 0, y: 1, z: 2 };
const QUATERNION: Readonly<Record<string, number>> = { w: 0, x: 1, y: 2, z: 3 };
const GROUPS = ['time', 'iterations', 'residual', 'energy', 'contacts', 'bodies', 'joints', 'softBodies', 'metrics'];

/** Finds the signals of a simulation; the ruler runs only where a formula needs it. */
export class SignalSource {
  readonly #simulation: Simulation;
  #ruler: Ruler | undefined;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  /** Takes what the ruler says of the last step. */
  afterStep(): void {
    this.#ruler?.measure();
  }

  /** A signal by its name; `place` is where the name stands in the plan. */
  find(words: readonly string[], place: string): Signal {
    const simulation = this.#simulation;
    const [group, ...rest] = words;
    const only = rest.length === 1 ? rest[0]! : '';
    switch (group) {
      case 'time':
        if (rest.length === 0) return () => simulation.time;
        break;
      case 'iterations':
      case 'residual':
        if (rest.length === 0) return () => simulation.report[group];
        break;
      case 'energy':
        if (only === 'kinetic' || only === 'potential' || only === 'total') return () => simulation.energy()[only];
        throw refuse(words, place, 'energy.kinetic, energy.potential or energy.total');
      case 'contacts':
        return findContactSignal(simulation, only, words, place);
      case 'metrics':
        return this.#findMetric(only, words, place);
      case 'bodies':
        return findBodySignal(simulation, rest, words, place);
      case 'joints':
        return findJointSignal(simulation, rest, words, place);
      case 'softBodies':
        return findSoftSignal(simulation, rest, words, place);
    }
    throw refuse(words, place, `signals begin with ${GROUPS.join(', ')}; other names are those of axes`);
  }

  #findMetric(name: string, words: readonly string[], place: string): Signal {
    if (!METRIC_NAMES.includes(name as MetricName)) {
      throw refuse(words, place, `metrics are ${METRIC_NAMES.join(', ')}`);
    }
    this.#ruler ??= new Ruler(this.#simulation);
    const ruler = this.#ruler;
    return () => ruler.last[name as MetricName];
  }
}

function findContactSignal(simulation: Simulation, name: string, words: readonly string[], place: string): Signal {
  switch (name) {
    case 'count':
      return () => simulation.solvedContacts.count;
    case 'penetration':
      return () => {
        const { count, gap } = simulation.solvedContacts;
        let deepest = 0;
        for (let i = 0; i < count; i++) deepest = Math.max(deepest, -gap[i]!);
        return deepest;
      };
    case 'normalForce':
      return () => {
        const { count, force } = simulation.solvedContacts;
        let sum = 0;
        for (let i = 0; i < count; i++) sum += force[6 * i]!;
        return sum;
      };
  }
  throw refuse(words, place, 'contacts.count, contacts.penetration or contacts.normalForce');
}

function findBodySignal(
  simulation: Simulation,
  rest: readonly string[],
  words: readonly string[],
  place: string,
): Signal {
  const { name, tail } = splitName(simulation.model.body.name, rest, words, place, 'bodies');
  const [field = '', part = ''] = tail;
  const axis = AXES[part];
  switch (tail.length === 2 ? field : '') {
    case 'position':
      if (axis !== undefined) return () => simulation.pose(name).position[axis]!;
      break;
    case 'velocity':
      if (axis !== undefined) return () => simulation.velocity(name).linear[axis]!;
      break;
    case 'angularVelocity':
      if (axis !== undefined) return () => simulation.velocity(name).angular[axis]!;
      break;
    case 'orientation':
      if (Object.hasOwn(QUATERNION, part)) return () => simulation.pose(name).orientation[QUATERNION[part]!]!;
  }
  if (tail.length === 1) {
    if (field === 'speed') return () => Math.hypot(...simulation.velocity(name).linear);
    if (field === 'spin') return () => Math.hypot(...simulation.velocity(name).angular);
    // angle between its z axis and that of the world, rad
    if (field === 'tilt') return () => measureTilt(simulation.pose(name).orientation);
  }
  throw refuse(words, place, 'position.x, velocity.x, angularVelocity.x, orientation.w, speed, spin or tilt');
}

function measureTilt([w, x, y, z]: readonly number[]): number {
  return 2 * Math.atan2(Math.hypot(x!, y!), Math.hypot(w!, z!));
}

function findJointSignal(
  simulation: Simulation,
  rest: readonly string[],
  words: readonly string[],
  place: string,
): Signal {
  const { name, tail } = splitName(simulation.model.joint.name, rest, words, place, 'joints');
  if (tail.length === 1 && tail[0] === 'position') return () => simulation.jointPosition(name);
  if (tail.length === 1 && tail[0] === 'velocity') return () => simulation.jointVelocity(name);
  throw refuse(words, place, 'position or velocity');
}

function findSoftSignal(
  simulation: Simulation,
  rest: readonly string[],
  words: readonly string[],
  place: string,
): Signal {
  const { name, tail } = splitName(simulation.model.soft.name, rest, words, place, 'softBodies');
  const [field, part = ''] = tail;
  const axis = AXES[part];
  if (field === 'center' && tail.length === 2 && axis !== undefined) {
    return () => {
      const x = simulation.softPosition(name);
      let sum = 0;
      for (let i = axis; i < x.length; i += 3) sum += x[i]!;
      return sum / (x.length / 3);
    };
  }
  if (field === 'stress' && tail.length === 1) {
    return () => simulation.softStress(name).vonMises.reduce((most, value) => Math.max(most, value), 0);
  }
  if (field === 'regions') return findRegionSignal(simulation, name, tail.slice(1), words, place);
  throw refuse(
    words,
    place,
    'center.x (mean of the vertices), stress (largest von Mises stress) or regions.NAME.contactForce.z',
  );
}

function findRegionSignal(
  simulation: Simulation,
  body: string,
  rest: readonly string[],
  words: readonly string[],
  place: string,
): Signal {
  const { soft } = simulation.model;
  const names = soft.regions[soft.name.indexOf(body)]!.map(({ name }) => name);
  const { name, tail } = splitName(names, rest, words, place, 'regions');
  const [field = '', part = ''] = tail;
  const axis = AXES[part];
  if ((field === 'pressure' || field === 'normalForce') && tail.length === 1)
    return () => simulation.softRegion(body, name)[field];
  if ((field === 'contactForce' || field === 'supportForce' || field === 'displacement') && axis !== undefined)
    return () => simulation.softRegion(body, name)[field][axis]!;
  throw refuse(words, place, 'contactForce.x, supportForce.x, displacement.x, normalForce or pressure');
}

/** The name among words, which may have dots, and what follows it. */
function splitName(
  names: readonly string[],
  rest: readonly string[],
  words: readonly string[],
  place: string,
  kind: string,
): { name: string; tail: readonly string[] } {
  for (let used = 1; used < rest.length; used++) {
    const name = rest.slice(0, used).join('.');
    if (names.includes(name)) return { name, tail: rest.slice(used) };
  }
  throw refuse(words, place, `${kind} are ${names.filter((name) => name !== '').join(', ') || 'without names'}`);
}

function refuse(words: readonly string[], place: string, hint: string): NexdynError {
  return new NexdynError('unknown-reference', `there is no signal '${words.join('.')}'`, { path: place, hint });
}
