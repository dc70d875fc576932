import { NexdynError } from '../error.ts';
import type {
  ActivationDynamics,
  Actuator,
  DcMotorActuator,
  InputActuator,
  MuscleActuator,
  PidActuator,
  Transmission,
} from '../scene/actuator.ts';
import { ADDED } from './control-kinds.ts';
import { writeDcMotor } from './dc-motors.ts';
import { ACTIVATION, DC_MOTOR, type ModelActuators, MUSCLE, PID, TRANSMISSION } from './model.ts';
import { countDelayed, measureRing } from './sample-ring.ts';
import type { SceneIndex } from './scene-index.ts';

/**
 * The actuators of a scene. Servos become affine laws: position kp (u − l) − kv l̇ is gain kp, bias 0 −kp −kv; velocity
 * kv (u − l̇) is gain kv, bias 0 0 −kv. A damping ratio is left for `resolveDampingRatios`.
 */
export function compileActuators(index: SceneIndex, timestep: number): ModelActuators {
  const sources = index.scene.actuators ?? [];
  const actuator = createActuators(sources);
  let activationCount = 0;
  for (let a = 0; a < sources.length; a++) {
    const source = sources[a];
    writeTransmission(actuator, a, source.transmission, index);
    const activation = writeForce(actuator, a, source, index);
    if (source.kind === 'dcMotor') {
      const states = writeDcMotor(actuator, a, source);
      actuator.activation[a] = ACTIVATION.dcMotor;
      actuator.activationStart[a] = states > 0 ? activationCount : -1;
      actuator.activationCount[a] = states;
      actuator.activationEarly[a] = 1;
      activationCount += states;
    }
    if (source.kind === 'pid') {
      const states = (source.slewRate ? 1 : 0) + (source.integral ? 1 : 0);
      actuator.activation[a] = ACTIVATION.pid;
      actuator.activationStart[a] = states > 0 ? activationCount : -1;
      actuator.activationCount[a] = states;
      activationCount += states;
    }
    if (activation) {
      actuator.activation[a] = ACTIVATION[activation.kind];
      actuator.activationStart[a] = activationCount++;
      actuator.activationCount[a] = 1;
      const isMuscle = activation.kind === 'muscle';
      actuator.timeConstant[a] = activation.timeConstant ?? (isMuscle ? 0.01 : 1);
      actuator.muscle[MUSCLE.width * a + MUSCLE.deactivation] = activation.fallTimeConstant ?? 0.04;
      actuator.muscle[MUSCLE.width * a + MUSCLE.smoothing] = activation.smoothing ?? 0;
      actuator.activationEarly[a] = activation.early ? 1 : 0;
      writeRange(activation.range, actuator.activationLimited, actuator.activationRange, a);
    }
    writeRange(source.controlRange, actuator.controlLimited, actuator.controlRange, a);
    writeRange(source.forceRange, actuator.forceLimited, actuator.forceRange, a);
    const { delay = 0, samples, interpolation } = source;
    actuator.delay[a] = delay;
    actuator.samples[a] = samples ?? (delay > 0 ? countDelayed(delay, timestep, interpolation) : 0);
    if (source.active === false) stopActuator(actuator, a);
    if (a > 0) actuator.historyStart[a] = actuator.historyStart[a - 1] + measureRing(actuator.samples[a - 1], 1);
  }
  return actuator;
}

/** No force; activations stay as they are: those of a filter that takes for ever. */
function stopActuator(actuator: ModelActuators, a: number): void {
  actuator.gain.fill(0, 3 * a, 3 * a + 3);
  actuator.bias.fill(0, 3 * a, 3 * a + 3);
  actuator.isMuscle[a] = 0;
  actuator.isDcMotor[a] = 0;
  actuator.activation[a] = ACTIVATION.filter;
  actuator.timeConstant[a] = Number.POSITIVE_INFINITY;
  actuator.activationEarly[a] = 0;
  actuator.activationLimited[a] = 0;
}

function writeForce(
  actuator: ModelActuators,
  a: number,
  source: Actuator,
  index: SceneIndex,
): ActivationDynamics | undefined {
  if (source.kind === 'dcMotor') return undefined;
  if (source.kind === 'input') {
    writeInput(actuator, a, source, index);
    return undefined;
  }
  return source.kind === 'muscle' ? writeMuscle(actuator, a, source, index) : writeLaw(actuator, a, source);
}

/** What a further control adds to the force of the actuator before it, per unit. */
function writeInput(
  actuator: ModelActuators,
  a: number,
  { adds = 'force' }: InputActuator,
  { scene }: SceneIndex,
): void {
  const sources = scene.actuators!;
  let first = a - 1;
  while (first >= 0 && sources[first].kind === 'input') first--;
  const leader = sources[first];
  const isMotor = leader?.kind === 'dcMotor' && leader.controller !== undefined;
  const isServo = leader?.kind === 'pid' || (leader?.kind === 'general' && adds === 'force' && leader.gain?.[0] !== 0);
  if (!isMotor && (!isServo || adds === 'voltage')) {
    throw new NexdynError('invalid-value', `a control that adds a ${adds} has no actuator before it that takes one`, {
      path: `actuators[${a}]`,
      hint: "put it after a 'pid' actuator, a 'general' one with a constant gain, or a 'dcMotor' with a controller",
    });
  }
  const damping = leader.kind === 'pid' ? leader.damping : leader.kind === 'dcMotor' ? leader.controller!.damping : 0;
  actuator.adds[a] = ADDED[adds];
  actuator.pid[PID.width * a + PID.inputGain] = adds === 'velocity' ? (damping ?? 0) : 1;
}

/** Length of all controls that are kept. */
export function countControlHistory({ samples }: ModelActuators): number {
  return samples.reduce((sum, count) => sum + measureRing(count, 1), 0);
}

/** Length of the activation vector. */
export function countActivations(actuator: ModelActuators): number {
  return actuator.activationCount.reduce((sum, count) => sum + count, 0);
}

function createActuators(sources: readonly Actuator[]): ModelActuators {
  const count = sources.length;
  return {
    name: sources.map((source) => source.name ?? ''),
    transmission: new Uint8Array(count),
    target: new Int32Array(count),
    reference: new Int32Array(count).fill(-1),
    rodLength: new Float64Array(count),
    isMuscle: new Uint8Array(count),
    muscle: new Float64Array(MUSCLE.width * count),
    isDcMotor: new Uint8Array(count),
    adds: new Uint8Array(count),
    dcMotor: new Float64Array(DC_MOTOR.width * count),
    pid: new Float64Array(PID.width * count),
    gear: new Float64Array(6 * count),
    gain: new Float64Array(3 * count),
    bias: new Float64Array(3 * count),
    activation: new Uint8Array(count),
    activationStart: new Int32Array(count).fill(-1),
    activationCount: new Int32Array(count),
    timeConstant: new Float64Array(count),
    activationEarly: new Uint8Array(count),
    activationLimited: new Uint8Array(count),
    activationRange: new Float64Array(2 * count),
    controlLimited: new Uint8Array(count),
    controlRange: new Float64Array(2 * count),
    forceLimited: new Uint8Array(count),
    forceRange: new Float64Array(2 * count),
    delay: new Float64Array(count),
    samples: new Int32Array(count),
    historyStart: new Int32Array(count),
    interpolation: sources.map(({ interpolation }) => interpolation ?? 'hold'),
  };
}

function writeTransmission(actuator: ModelActuators, a: number, transmission: Transmission, index: SceneIndex): void {
  actuator.gear.set(transmission.gear ?? [1], 6 * a);
  switch (transmission.kind) {
    case 'joint': {
      actuator.target[a] = index.number.joint(transmission.joint);
      // one dof has one axis: the frame of the gear does not matter
      const { kind } = index.joints[actuator.target[a]];
      const inParent = transmission.inParent && (kind === 'free' || kind === 'ball');
      actuator.transmission[a] = inParent ? TRANSMISSION.jointInParent : TRANSMISSION.joint;
      break;
    }
    case 'tendon':
      actuator.transmission[a] = TRANSMISSION.tendon;
      actuator.target[a] = index.number.tendon(transmission.tendon);
      break;
    case 'body':
      actuator.transmission[a] = TRANSMISSION.body;
      actuator.target[a] = index.number.body(transmission.body);
      break;
    case 'crank':
      actuator.transmission[a] = TRANSMISSION.crank;
      actuator.target[a] = index.number.site(transmission.crankSite);
      actuator.reference[a] = index.number.site(transmission.sliderSite);
      actuator.rodLength[a] = transmission.rodLength;
      break;
    case 'site':
      actuator.transmission[a] = TRANSMISSION.site;
      actuator.target[a] = index.number.site(transmission.site);
      if (transmission.referenceSite !== undefined) {
        actuator.reference[a] = index.number.site(transmission.referenceSite);
      }
  }
}

/** A muscle whose force is not given is left with −scale for `resolveMuscleForces`. */
function writeMuscle(
  actuator: ModelActuators,
  a: number,
  source: MuscleActuator,
  index: SceneIndex,
): ActivationDynamics {
  const [range0, range1] = source.operatingRange ?? [0.75, 1.05];
  const [lmin, lmax] = source.activeRange ?? [0.5, 1.6];
  const [length0, length1] = source.lengthRange ?? findLengths(source, index);
  const numbers = [
    range0,
    range1,
    source.force ?? -(source.scale ?? 200),
    lmin,
    lmax,
    source.maxVelocity ?? 1.5,
    source.passiveForce ?? 1.3,
    source.stretchForce ?? 1.2,
    length0,
    length1,
  ];
  actuator.isMuscle[a] = 1;
  actuator.muscle.set(numbers, MUSCLE.width * a);
  return source.activation ?? { kind: 'muscle' };
}

/** Between the limits of what it drives, times the gear. */
function findLengths({ transmission }: MuscleActuator, index: SceneIndex): [number, number] {
  const driven =
    transmission.kind === 'joint'
      ? index.joints[index.number.joint(transmission.joint)]
      : transmission.kind === 'tendon'
        ? index.scene.tendons?.[index.number.tendon(transmission.tendon)]
        : undefined;
  const [low, high] = (driven && 'limit' in driven ? driven.limit?.range : undefined) ?? [0, 1];
  const gear = transmission.gear?.[0] ?? 1;
  return gear < 0 ? [gear * high, gear * low] : [gear * low, gear * high];
}

/** Writes gain and bias of an actuator, where both are zero. */
export function writeLaw(
  actuator: ModelActuators,
  a: number,
  source: Exclude<Actuator, MuscleActuator | DcMotorActuator | InputActuator>,
): ActivationDynamics | undefined {
  const { gain, bias } = actuator;
  switch (source.kind) {
    case 'motor':
      gain[3 * a] = 1;
      return undefined;
    case 'adhesion':
      gain[3 * a] = source.gain ?? 1;
      return undefined;
    case 'position': {
      const stiffness = source.stiffness ?? 1;
      gain[3 * a] = stiffness;
      bias[3 * a + 1] = -stiffness;
      bias[3 * a + 2] = -(source.damping ?? 0);
      return source.timeConstant ? { kind: 'filterExact', timeConstant: source.timeConstant } : undefined;
    }
    case 'pid':
      writePid(actuator, a, source);
      return undefined;
    case 'velocity': {
      const k = source.gain ?? 1;
      gain[3 * a] = k;
      bias[3 * a + 2] = -k;
      return undefined;
    }
    case 'general':
      gain.set(source.gain ?? [1, 0, 0], 3 * a);
      bias.set(source.bias ?? [0, 0, 0], 3 * a);
      return source.activation;
  }
}

/** The integral is in the input, over the gain: see dynamics/pid.ts. */
function writePid(actuator: ModelActuators, a: number, source: PidActuator): void {
  const { stiffness = 1, damping = 0, integral = 0, integralLimit = 0, integralRule, slewRate = 0 } = source;
  actuator.gain[3 * a] = stiffness === 0 ? 1 : stiffness;
  actuator.bias[3 * a + 1] = -stiffness;
  actuator.bias[3 * a + 2] = -damping;
  const isClamped = integralRule === 'clamp' && integralLimit > 0;
  actuator.pid.set([integral, isClamped ? 0 : integralLimit, slewRate], PID.width * a);
  if (isClamped) writeRange([-integralLimit, integralLimit], actuator.activationLimited, actuator.activationRange, a);
}

function writeRange(range: [number, number] | undefined, limited: Uint8Array, ranges: Float64Array, a: number): void {
  if (!range) return;
  limited[a] = 1;
  ranges.set(range, 2 * a);
}
