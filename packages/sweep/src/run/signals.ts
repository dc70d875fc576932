/**
 * Signals of a simulation by name, as formulas use them:
 *
 *   time, iterations, residual, energy.kinetic | potential | total, contacts.count | penetration | normalForce
 *   bodies.NAME.position | velocity | angularVelocity .x .y .z, bodies.NAME.orientation.w …, bodies.NAME.speed | spin | tilt
 *   joints.NAME.position | velocity (hinges and slides), softBodies.NAME.center.x …, softBodies.NAME.stress
 *   metrics.NAME: the ruler's numbers of a step
 *   sensors, actuators, state: see model-signals.ts
 */
import { METRIC_NAMES, type MetricName, Ruler, type Simulation } from '@nexdyn/engine/core';
import { findActuatorSignal, findSensorSignal, findStateSignal } from './model-signals.ts';
import { AXES, refuse, type SignalName, splitName } from './signal-name.ts';

/** Reads a number of the present state. */
export type Signal = () => number;

const QUATERNION: Readonly<Record<string, number>> = { w: 0, x: 1, y: 2, z: 3 };
const GROUPS = [
  'time',
  'iterations',
  'residual',
  'energy',
  'contacts',
  'bodies',
  'joints',
  'softBodies',
  'sensors',
  'actuators',
  'state',
  'metrics',
];

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
    const signal: SignalName = { words, place };
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
        throw refuse(signal, 'energy.kinetic, energy.potential or energy.total');
      case 'contacts':
        return findContactSignal(simulation, only, signal);
      case 'metrics':
        return this.#findMetric(only, signal);
      case 'bodies':
        return findBodySignal(simulation, signal);
      case 'joints':
        return findJointSignal(simulation, signal);
      case 'softBodies':
        return findSoftSignal(simulation, signal);
      case 'sensors':
        return findSensorSignal(simulation, signal);
      case 'actuators':
        return findActuatorSignal(simulation, signal);
      case 'state':
        return findStateSignal(simulation, signal);
    }
    throw refuse(signal, `signals begin with ${GROUPS.join(', ')}; other names are those of axes`);
  }

  #findMetric(name: string, signal: SignalName): Signal {
    if (!METRIC_NAMES.includes(name as MetricName)) {
      throw refuse(signal, `metrics are ${METRIC_NAMES.join(', ')}`);
    }
    this.#ruler ??= new Ruler(this.#simulation);
    const ruler = this.#ruler;
    return () => ruler.last[name as MetricName];
  }
}

function findContactSignal(simulation: Simulation, name: string, signal: SignalName): Signal {
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
  throw refuse(signal, 'contacts.count, contacts.penetration or contacts.normalForce');
}

function findBodySignal(simulation: Simulation, signal: SignalName): Signal {
  const { name, tail } = splitName(simulation.model.body.name, signal);
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
  throw refuse(signal, 'position.x, velocity.x, angularVelocity.x, orientation.w, speed, spin or tilt');
}

function measureTilt([w, x, y, z]: readonly number[]): number {
  return 2 * Math.atan2(Math.hypot(x!, y!), Math.hypot(w!, z!));
}

function findJointSignal(simulation: Simulation, signal: SignalName): Signal {
  const { joint, constraintJoint } = simulation.model;
  const { name, tail } = splitName([...joint.name, ...constraintJoint.name], signal);
  if (tail.length === 1 && tail[0] === 'position') return () => simulation.jointPosition(name);
  if (tail.length === 1 && tail[0] === 'velocity') return () => simulation.jointVelocity(name);
  throw refuse(signal, 'position or velocity');
}

function findSoftSignal(simulation: Simulation, signal: SignalName): Signal {
  const { name, tail } = splitName(simulation.model.soft.name, signal);
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
  if (field === 'regions') return findRegionSignal(simulation, name, tail.slice(1), signal);
  throw refuse(
    signal,
    'center.x (mean of the vertices), stress (largest von Mises stress) or regions.NAME.contactForce.z',
  );
}

function findRegionSignal(simulation: Simulation, body: string, rest: readonly string[], signal: SignalName): Signal {
  const { soft } = simulation.model;
  const names = soft.regions[soft.name.indexOf(body)]!.map(({ name }) => name);
  const { name, tail } = splitName(names, signal, rest, 'regions');
  const [field = '', part = ''] = tail;
  const axis = AXES[part];
  if ((field === 'pressure' || field === 'normalForce') && tail.length === 1)
    return () => simulation.softRegion(body, name)[field];
  if ((field === 'contactForce' || field === 'supportForce' || field === 'displacement') && axis !== undefined)
    return () => simulation.softRegion(body, name)[field][axis]!;
  throw refuse(signal, 'contactForce.x, supportForce.x, displacement.x, normalForce or pressure');
}
