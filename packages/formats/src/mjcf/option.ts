/** <option>: time step, gravity, solver and disabled parts. */
import type { ContactOverride, Feature, MujocoOptions, SceneOptions } from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import {
  extendChains,
  locate,
  parseNumbers,
  readInteger,
  readKeyword,
  readNumber,
  readPartial,
  readVec3,
  type Settings,
} from './attributes.ts';
import { fail } from './failure.ts';
import { checkAttributes, failUnknownElement } from './schema.ts';
import { readFullSolref, SOLIMP } from './solver-parameters.ts';
import type { Unsupported } from './unsupported.ts';

const FEATURES: ReadonlyMap<string, readonly Feature[]> = new Map<string, readonly Feature[]>([
  ['constraint', ['constraint']],
  ['equality', ['equality']],
  ['frictionloss', ['frictionLoss']],
  ['limit', ['limit']],
  ['contact', ['contact']],
  ['spring', ['spring']],
  ['damper', ['damper']],
  ['passive', ['spring', 'damper']],
  ['gravity', ['gravity']],
  ['clampctrl', ['clampControl']],
  ['warmstart', ['warmStart']],
  ['filterparent', ['parentFilter']],
  ['actuation', ['actuation']],
  ['refsafe', ['safeReference']],
  ['eulerdamp', ['implicitDamping']],
  ['island', ['island']],
]);

/** Flags that change the motion in ways NexDyn does not offer, with the setting that is as in NexDyn. */
const FOREIGN_FLAGS: ReadonlyMap<string, { plain: string; message: string }> = new Map([
  ['nativeccd', { plain: 'enable', message: 'convex collision has one algorithm' }],
  ['multiccd', { plain: 'enable', message: 'convex collision has one way to find several points' }],
  ['ipc', { plain: 'disable', message: 'the barrier of MuJoCo is not the one of the formulation ipc' }],
  ['diagexact', { plain: 'disable', message: 'constraint impedance uses the approximate diagonal' }],
]);

const FOREIGN_NUMBERS: readonly [string, 'physics' | 'sensor', string][] = [
  ['ccd_tolerance', 'physics', 'convex collision has its own tolerance'],
  ['ccd_iterations', 'physics', 'convex collision has its own bound on iterations'],
  ['sdf_iterations', 'physics', 'signed-distance collision has its own bound on iterations'],
  ['sdf_initpoints', 'physics', 'signed-distance collision chooses its own points'],
];

/** MuJoCo's values of options for which scenes without them have others. */
const MUJOCO_DEFAULTS: MujocoOptions = { cone: 'pyramidal', impedanceRatio: 1 };

/** Reads all <option> elements together; later ones override. */
export function readOptions(elements: readonly XmlElement[], unsupported: Unsupported): SceneOptions {
  if (elements.length === 0) return { integrator: 'euler', mujoco: { ...MUJOCO_DEFAULTS } };
  let flagSettings: Settings | undefined;
  for (const element of elements) {
    checkAttributes(element);
    for (const child of element.children) {
      if (child.name !== 'flag') {
        failUnknownElement(child, 'option');
      }
      checkAttributes(child);
      flagSettings = stack(flagSettings, child);
    }
    for (const [attribute, affects, message] of FOREIGN_NUMBERS) {
      if (element.attributes.has(attribute)) unsupported.add(element, { attribute, affects, message });
    }
  }
  const settings = elements.reduce<Settings | undefined>(stack, undefined)!;
  const options: SceneOptions = {};
  readGeneral(options, settings, unsupported);
  options.mujoco = readSolver(settings);
  if (flagSettings) {
    const disable = readFlags(flagSettings, unsupported);
    if (disable.length > 0) options.disable = disable;
    // contacts ahead of fast bodies are found by the engine's own method
    if (readKeyword(flagSettings, 'speculative', ['enable', 'disable']) === 'enable') options.fastBodies = 'on';
    if (readKeyword(flagSettings, 'sleep', ['enable', 'disable']) === 'enable') {
      // scenes that name none have another; that of MuJoCo was 1e-4 before 4.0
      options.sleep = { tolerance: readNumber(settings, 'sleep_tolerance') || 1e-3 };
    }
    if (readKeyword(flagSettings, 'override', ['enable', 'disable']) === 'enable') {
      options.contactOverride = readOverride(settings, unsupported);
    }
  }
  return options;
}

/** Settings with one more element on top. */
function stack(below: Settings | undefined, element: XmlElement): Settings {
  return { element, inherited: below && extendChains(below.inherited, below.element) };
}

function readGeneral(options: SceneOptions, settings: Settings, unsupported: Unsupported): void {
  const timestep = readNumber(settings, 'timestep');
  if (timestep !== undefined) {
    if (timestep <= 0)
      fail(
        'invalid-value',
        locate(settings, 'timestep'),
        `'timestep' must be positive, got ${timestep}`,
        'give seconds, as in 0.002',
      );
    options.timestep = timestep;
  }
  const gravity = readVec3(settings, 'gravity');
  if (gravity) options.gravity = gravity;
  const magneticField = readVec3(settings, 'magnetic');
  if (magneticField) options.magneticField = magneticField;
  const density = readNumber(settings, 'density');
  const viscosity = readNumber(settings, 'viscosity');
  const wind = readVec3(settings, 'wind');
  if (density || viscosity || wind?.some((value) => value !== 0)) {
    options.medium = { ...(density && { density }), ...(viscosity && { viscosity }), ...(wind && { wind }) };
  }
  const integrator = readKeyword(settings, 'integrator', ['Euler', 'RK4', 'implicit', 'implicitfast', 'discrete']);
  if (integrator === 'discrete') {
    const at = locate(settings, 'integrator');
    const element = { ...settings.element, line: at.line, column: at.column, file: at.file };
    const message = "the integrator 'discrete' is not supported; 'implicitfast' takes its place";
    unsupported.add(element, { attribute: 'integrator', affects: 'physics', message });
    options.integrator = 'implicitfast';
  } else {
    // MuJoCo's own default is written out: scenes that name none have another
    // RK4 is of order four on rotations, too, since MuJoCo 4.0
    const names = { Euler: 'euler', RK4: 'rkmk4', implicit: 'implicit', implicitfast: 'implicitfast' } as const;
    options.integrator = names[integrator ?? 'Euler'];
  }
}

function readSolver(settings: Settings): MujocoOptions {
  const knobs: MujocoOptions = { ...MUJOCO_DEFAULTS };
  const solver = readKeyword(settings, 'solver', ['PGS', 'CG', 'Newton']);
  if (solver) knobs.solver = ({ PGS: 'pgs', CG: 'cg', Newton: 'newton' } as const)[solver];
  const cone = readKeyword(settings, 'cone', ['pyramidal', 'elliptic']);
  if (cone) knobs.cone = cone;
  const jacobian = readKeyword(settings, 'jacobian', ['dense', 'sparse', 'auto']);
  if (jacobian) knobs.jacobian = jacobian;
  const numbers = [
    ['iterations', 'iterations'],
    ['tolerance', 'tolerance'],
    ['ls_iterations', 'lineSearchIterations'],
    ['ls_tolerance', 'lineSearchTolerance'],
    ['impratio', 'impedanceRatio'],
    ['noslip_iterations', 'noslipIterations'],
    ['noslip_tolerance', 'noslipTolerance'],
  ] as const;
  for (const [attribute, field] of numbers) {
    const value = field.endsWith('terations') ? readInteger(settings, attribute) : readNumber(settings, attribute);
    if (value === undefined) continue;
    if (value < 0)
      fail(
        'invalid-value',
        locate(settings, attribute),
        `'${attribute}' cannot be negative, got ${value}`,
        'give a number of 0 or more',
      );
    knobs[field] = value;
  }
  return knobs;
}

function readFlags(settings: Settings, unsupported: Unsupported): Feature[] {
  const disabled: Feature[] = [];
  const names = new Set([...(settings.inherited?.keys() ?? []), ...settings.element.attributes.keys()]);
  for (const name of names) {
    const value = readKeyword(settings, name, ['enable', 'disable']);
    const features = FEATURES.get(name);
    if (features && value === 'disable') disabled.push(...features.filter((feature) => !disabled.includes(feature)));
    const foreign = FOREIGN_FLAGS.get(name);
    if (foreign && value !== foreign.plain) {
      unsupported.add(settings.element, { attribute: name, affects: 'physics', message: foreign.message });
    }
  }
  return disabled;
}

function readOverride(settings: Settings, unsupported: Unsupported): ContactOverride {
  return {
    margin: readNumber(settings, 'o_margin') ?? 0,
    solref: readFullSolref(settings, 'o_solref', unsupported),
    solimp: readPartial(settings, 'o_solimp', SOLIMP) ?? [...SOLIMP],
    friction: readPartial<[number, number, number, number, number]>(
      settings,
      'o_friction',
      [1, 1, 0.005, 0.0001, 0.0001],
    ) ?? [1, 1, 0.005, 0.0001, 0.0001],
  };
}

/** Groups of actuators that are switched off. */
export function readDisabledGroups(elements: readonly XmlElement[]): ReadonlySet<number> {
  const settings = elements.map((element) => element.attributes.get('actuatorgroupdisable')).findLast(Boolean);
  if (!settings) return new Set();
  const element = elements.findLast(({ attributes }) => attributes.has('actuatorgroupdisable'))!;
  const groups = parseNumbers({ ...settings, file: element.file }, 'actuatorgroupdisable', 1, 31);
  const wrong = groups.find((group) => !Number.isInteger(group) || group < 0 || group > 30);
  if (wrong !== undefined) {
    const at = { ...settings, file: element.file };
    fail('invalid-value', at, `there is no group ${wrong} of actuators`, 'groups are whole numbers from 0 to 30');
  }
  return new Set(groups);
}
