/** <contact>, <equality>, <tendon>, <actuator> and <keyframe>. */
import type {
  ActivationDynamics,
  Actuator,
  ContactPair,
  DcMotorActuator,
  Equality,
  GeneralActuator,
  InputActuator,
  Keyframe,
  MuscleActuator,
  Scene,
  Shape,
  Tendon,
} from '@nexdyn/engine';
import { rotate } from '../orientation.ts';
import type { Unwritten } from './unwritten.ts';
import { type AttributeValue, element, type WrittenElement, writePolynomial } from './xml-element.ts';

/** Excludes and pairs. */
export function writeContacts(scene: Scene, unwritten: Unwritten): WrittenElement {
  const shapes = collectShapes(scene);
  const pairs = (scene.contactPairs ?? []).map((pair, i) => writePair(pair, shapes, `contactPairs[${i}]`, unwritten));
  const excludes = (scene.contactExcludes ?? []).map(({ name, body1, body2 }) =>
    element('exclude', { name, body1, body2 }),
  );
  return element('contact', {}, [...pairs, ...excludes]);
}

function collectShapes(scene: Scene): ReadonlyMap<string, Shape> {
  const found = new Map<string, Shape>();
  const pending: Pick<Scene, 'shapes' | 'bodies'>[] = [scene];
  for (let next = pending.pop(); next; next = pending.pop()) {
    for (const shape of next.shapes ?? []) if (shape.name) found.set(shape.name, shape);
    pending.push(...(next.bodies ?? []));
  }
  return found;
}

/** What a pair does not say is mixed from its shapes here, and is a default in MJCF. */
function writePair(
  pair: ContactPair,
  shapes: ReadonlyMap<string, Shape>,
  path: string,
  unwritten: Unwritten,
): WrittenElement {
  unwritten.check(pair, ['name', 'shape1', 'shape2', 'friction', 'margin', 'gap', 'mujoco'], path);
  const both = [pair.shape1, pair.shape2].map((name) => shapes.get(name) ?? ({} as Partial<Shape>));
  const sum = (field: 'margin' | 'gap'): number => both.reduce((total, shape) => total + (shape[field] ?? 0), 0);
  const most = (field: 'friction' | 'spinFriction' | 'rollFriction', plain: number): number =>
    Math.max(...both.map((shape) => shape[field] ?? plain));
  const slide = most('friction', 1);
  const roll = most('rollFriction', 0.0001);
  const { mujoco = {} } = pair;
  return element('pair', {
    name: pair.name,
    geom1: pair.shape1,
    geom2: pair.shape2,
    friction: pair.friction ?? [slide, slide, most('spinFriction', 0.005), roll, roll],
    margin: pair.margin ?? sum('margin'),
    gap: pair.gap ?? sum('gap'),
    condim: mujoco.condim ?? Math.max(...both.map((shape) => shape.mujoco?.condim ?? 3)),
    solref: mujoco.solref,
    solimp: mujoco.solimp,
    solreffriction: mujoco.solrefFriction,
    adhesion: mujoco.adhesion,
  });
}

/** A distance has no element of its own. */
export function writeEquality(equality: Equality, path: string, unwritten: Unwritten): WrittenElement | undefined {
  const common = {
    name: equality.name,
    active: equality.active,
    solref: equality.mujoco?.solref,
    solimp: equality.mujoco?.solimp,
  };
  switch (equality.kind) {
    case 'connect': {
      const { body1, body2, site1, site2, anchor } = equality;
      return element('connect', { ...common, body1, body2, site1, site2, anchor: body1 && (anchor ?? [0, 0, 0]) });
    }
    case 'weld': {
      const { body1, body2, site1, site2, anchor, relativePose, torqueScale } = equality;
      // MJCF places the anchor, a scene the second body
      const relpose = relativePose && [
        ...rotate(relativePose.orientation, anchor ?? [0, 0, 0]).map((value, k) => value + relativePose.position[k]!),
        ...relativePose.orientation,
      ];
      return element('weld', { ...common, body1, body2, site1, site2, anchor, relpose, torquescale: torqueScale });
    }
    case 'joint':
    case 'tendon': {
      const ends =
        equality.kind === 'joint'
          ? { joint1: equality.joint1, joint2: equality.joint2 }
          : { tendon1: equality.tendon1, tendon2: equality.tendon2 };
      return element(equality.kind, { ...common, ...ends, polycoef: equality.coefficients });
    }
    default:
      unwritten.add(path, `MJCF has no equality of the kind '${equality.kind}'`);
      return undefined;
  }
}

export function writeTendon(tendon: Tendon): WrittenElement {
  const { mujoco = {} } = tendon;
  const attributes = {
    name: tendon.name,
    stiffness: writePolynomial(tendon.stiffness, tendon.stiffnessPowers),
    damping: writePolynomial(tendon.damping, tendon.dampingPowers),
    armature: tendon.armature,
    frictionloss: tendon.frictionLoss,
    springlength: tendon.springLength,
    range: tendon.limit?.range,
    limited: tendon.limit ? true : undefined,
    margin: tendon.limit?.margin,
    actuatorfrcrange: tendon.actuatorForceRange,
    solreflimit: mujoco.solrefLimit,
    solimplimit: mujoco.solimpLimit,
    solreffriction: mujoco.solrefFriction,
    solimpfriction: mujoco.solimpFriction,
  };
  if (tendon.kind === 'fixed') {
    const terms = tendon.terms.map(({ joint, coefficient }) => element('joint', { joint, coef: coefficient }));
    return element('fixed', attributes, terms);
  }
  const stations = tendon.path.map((station) => {
    if (station.kind === 'site') return element('site', { site: station.site });
    if (station.kind === 'pulley') return element('pulley', { divisor: station.divisor });
    return element('geom', { geom: station.shape, sidesite: station.sideSite });
  });
  return element('spatial', { ...attributes, width: tendon.width, rgba: tendon.color }, stations);
}

/** The group of actuators that are switched off. */
export const STOPPED_GROUP = 30;

/** One element for an actuator and the further controls after it. */
export function writeActuator(
  actuator: Actuator,
  path: string,
  unwritten: Unwritten,
  inputs: readonly InputActuator[] = [],
): WrittenElement | undefined {
  const transmission = writeTransmission(actuator.transmission);
  if (!transmission) {
    unwritten.add(path, `MJCF has no transmission of the kind '${actuator.transmission.kind}'`);
    return undefined;
  }
  const common = {
    name: actuator.name,
    ...transmission,
    ctrlrange: actuator.controlRange,
    ctrllimited: actuator.controlRange ? true : undefined,
    forcerange: actuator.forceRange,
    forcelimited: actuator.forceRange ? true : undefined,
    ...writeDelay(actuator),
    group: actuator.active === false ? STOPPED_GROUP : undefined,
  };
  const shared = 'kind name transmission controlRange forceRange delay samples interpolation active'.split(' ');
  switch (actuator.kind) {
    case 'motor':
      unwritten.check(actuator, shared, path);
      return element('motor', common);
    case 'position': {
      unwritten.check(actuator, [...shared, 'stiffness', 'damping', 'dampingRatio', 'timeConstant'], path);
      const { stiffness, damping, dampingRatio, timeConstant } = actuator;
      return element('position', {
        ...common,
        kp: stiffness,
        kv: damping,
        dampratio: dampingRatio,
        timeconst: timeConstant,
      });
    }
    case 'pid': {
      const law = 'stiffness damping dampingRatio integral integralLimit slewRate'.split(' ');
      unwritten.check(actuator, [...shared, ...law], path);
      const { stiffness, damping, dampingRatio, integral, integralLimit, slewRate } = actuator;
      return element('pid', {
        ...common,
        ...writeInputs('pos', inputs, path, unwritten),
        kp: stiffness,
        kv: damping,
        dampratio: dampingRatio,
        ki: integral,
        imax: integralLimit,
        slewmax: slewRate,
      });
    }
    case 'velocity':
      unwritten.check(actuator, [...shared, 'gain'], path);
      return element('velocity', { ...common, kv: actuator.gain ?? 1 });
    case 'general': {
      if (inputs.length > 0) return writeVelocityServo(actuator, common, inputs, path, unwritten);
      unwritten.check(actuator, [...shared, 'gain', 'bias', 'dampingRatio', 'activation'], path);
      const { gain, bias, dampingRatio, activation } = actuator;
      return element('general', {
        ...common,
        ...writeActivation(activation),
        gaintype: gain && (gain[1] !== 0 || gain[2] !== 0) ? 'affine' : undefined,
        gainprm: gain,
        biastype: bias ? 'affine' : undefined,
        // above 0 it is a ratio there
        biasprm: dampingRatio ? [bias?.[0] ?? 0, bias?.[1] ?? 0, dampingRatio] : bias,
      });
    }
    case 'muscle':
      unwritten.check(actuator, [...shared, ...MUSCLE_FIELDS], path);
      return writeMuscle(actuator, common);
    case 'adhesion':
      unwritten.check(actuator, [...shared, 'gain'], path);
      // <adhesion> is for controls that are limited and not negative
      return element('general', { ...common, gainprm: actuator.gain });
    case 'dcMotor': {
      unwritten.check(actuator, [...shared, ...MOTOR_FIELDS], path);
      const first = { position: 'pos', velocity: 'vel', force: 'ff' } as const;
      const input = actuator.controller && first[actuator.controller.input ?? 'position'];
      return writeMotor(actuator, { ...common, ...(input && writeInputs(input, inputs, path, unwritten)) });
    }
    default:
      unwritten.add(path, `actuators of the kind '${(actuator as Actuator).kind}' are not written`);
      return undefined;
  }
}

const INPUT_WORDS = { velocity: 'vel', force: 'ff', voltage: 'voltage' } as const;

/** The list of controls, with the ranges of the further ones. */
function writeInputs(
  first: string,
  inputs: readonly InputActuator[],
  path: string,
  unwritten: Unwritten,
): Record<string, AttributeValue> {
  const words = [first];
  const ranges: Record<string, AttributeValue> = {};
  for (const { adds = 'force', controlRange } of inputs) {
    const word = INPUT_WORDS[adds];
    words.push(word);
    if (!controlRange) continue;
    if (word === 'voltage') unwritten.add(path, 'MJCF has no range for a voltage beside a controller');
    else ranges[`${word}range`] = controlRange;
  }
  return { input: words.join(' '), ...ranges };
}

/** A servo of a velocity with a further force: <pid> without a position. */
function writeVelocityServo(
  { bias = [0, 0, 0], gain = [1, 0, 0], controlRange }: GeneralActuator,
  common: Record<string, AttributeValue>,
  inputs: readonly InputActuator[],
  path: string,
  unwritten: Unwritten,
): WrittenElement | undefined {
  if (gain[0] !== -bias[2] || gain[1] !== 0 || gain[2] !== 0 || bias[0] !== 0) {
    unwritten.add(path, 'MJCF has no further control for this law');
    return undefined;
  }
  const { ctrlrange: _range, ctrllimited: _limited, ...rest } = common;
  return element('pid', {
    ...rest,
    ...writeInputs('vel', inputs, path, unwritten),
    velrange: controlRange,
    kp: -bias[1] + 0,
    kv: gain[0],
  });
}

/** Time constants of a muscle are MuJoCo's where the scene names none. */
function writeActivation(activation: ActivationDynamics | undefined): Record<string, AttributeValue> {
  if (!activation) return {};
  const { kind, timeConstant, fallTimeConstant = 0.04, smoothing = 0 } = activation;
  const types = { integrator: 'integrator', filter: 'filter', filterExact: 'filterexact', muscle: 'muscle' } as const;
  return {
    dyntype: types[kind],
    dynprm: kind === 'muscle' ? [timeConstant ?? 0.01, fallTimeConstant, smoothing] : timeConstant,
    actrange: activation.range,
    actlimited: activation.range ? true : undefined,
    actearly: activation.early,
  };
}

const MUSCLE_FIELDS =
  `lengthRange operatingRange force scale activeRange maxVelocity passiveForce stretchForce activation`.split(' ');

/** As a general actuator: its gain and bias have the same numbers. */
function writeMuscle(muscle: MuscleActuator, common: Record<string, AttributeValue>): WrittenElement {
  const numbers = [
    ...(muscle.operatingRange ?? [0.75, 1.05]),
    muscle.force ?? -1,
    muscle.scale ?? 200,
    ...(muscle.activeRange ?? [0.5, 1.6]),
    muscle.maxVelocity ?? 1.5,
    muscle.passiveForce ?? 1.3,
    muscle.stretchForce ?? 1.2,
  ];
  return element('general', {
    ...common,
    lengthrange: muscle.lengthRange,
    ...writeActivation(muscle.activation ?? { kind: 'muscle' }),
    gaintype: 'muscle',
    gainprm: numbers,
    biastype: 'muscle',
    biasprm: numbers,
  });
}

/** MuJoCo wants to know how many controls are kept. */
function writeDelay({ delay, samples, interpolation }: Actuator): Record<string, AttributeValue> {
  if (!delay) return {};
  return {
    delay,
    nsample: samples ?? 100,
    interp: interpolation && interpolation !== 'hold' ? interpolation : undefined,
  };
}

const MOTOR_FIELDS = 'resistance motorConstant inductance currentRate cogging bristles thermal controller'.split(' ');

/** <dcmotor> has no range of forces: the largest torque says it, where both ends are the same. */
function writeMotor(motor: DcMotorActuator, common: Record<string, AttributeValue>): WrittenElement {
  const { resistance, motorConstant, inductance, currentRate, cogging, bristles, thermal, forceRange, controller } =
    motor;
  const { forcerange: _range, forcelimited: _limited, ...rest } = common;
  const saturation = [forceRange?.[1] ?? 0, 0, currentRate ?? 0];
  return element('dcmotor', {
    ...rest,
    motorconst: motorConstant,
    resistance,
    saturation: saturation.some(Boolean) ? saturation : undefined,
    inductance,
    cogging: cogging && [cogging.amplitude, cogging.poles, cogging.phase ?? 0],
    lugre: bristles && [
      bristles.stiffness,
      bristles.damping ?? 0,
      bristles.coulomb,
      bristles.static,
      bristles.stribeckVelocity,
    ],
    controller: controller && [
      controller.stiffness ?? 0,
      controller.integral ?? 0,
      controller.damping ?? 0,
      controller.slewRate ?? 0,
      controller.integralLimit ?? 0,
      controller.voltageLimit ?? 0,
    ],
    thermal: thermal && [
      thermal.resistance,
      thermal.capacity,
      0,
      thermal.coefficient ?? 0,
      thermal.reference ?? 25,
      thermal.ambient ?? 25,
    ],
  });
}

function writeTransmission(transmission: Actuator['transmission']): Record<string, AttributeValue> | undefined {
  const { gear } = transmission;
  switch (transmission.kind) {
    case 'joint':
      return { [transmission.inParent ? 'jointinparent' : 'joint']: transmission.joint, gear };
    case 'tendon':
      return { tendon: transmission.tendon, gear };
    case 'site':
      return { site: transmission.site, refsite: transmission.referenceSite, gear };
    case 'body':
      return { body: transmission.body };
    case 'crank':
      return {
        cranksite: transmission.crankSite,
        slidersite: transmission.sliderSite,
        cranklength: transmission.rodLength,
        gear,
      };
    default:
      return undefined;
  }
}

export function writeKeyframe(keyframe: Keyframe): WrittenElement {
  return element('key', {
    name: keyframe.name,
    time: keyframe.time,
    qpos: keyframe.position,
    qvel: keyframe.velocity,
    act: keyframe.activation,
    ctrl: keyframe.control,
    mpos: keyframe.mocapPosition,
    mquat: keyframe.mocapOrientation,
  });
}
