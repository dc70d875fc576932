import { NexdynError } from '../error.ts';
import type { Body } from '../scene/body.ts';
import { chooseContactPoints, MUJOCO_INTEGRATORS } from '../scene/contact-points.ts';
import { DEFAULT_FORMULATION, findFormulation, listFormulations } from '../scene/formulation-table.ts';
import type { Clearance } from '../scene/formulation-traits.ts';
import type { SceneLimits } from '../scene/limits.ts';
import type {
  BuiltInFormulationId,
  Coordinates,
  FastBodies,
  FormulationId,
  Integrator,
  SceneOptions,
} from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import { frozenCopy } from './frozen-copy.ts';
import type { ModelOptions } from './model.ts';

/** Choices of the caller at compile time; each overrides the scene. */
export interface CompileOptions {
  /** Default: the scene's, then the first that the formulation has; joint instead of body coordinates where links carry too much for them. */
  coordinates?: Coordinates;
  /** Default: the scene's, then 'mujoco'. */
  formulation?: FormulationId;
  /** s. Default: the scene's, then 0.002. */
  timestep?: number;
  /** Limits of the size of the scene to raise or lower. Default: `DEFAULT_SCENE_LIMITS`. */
  limits?: Partial<SceneLimits>;
}

/** Of formulations that keep no distance, for questions about surfaces. */
const CLEARANCE: Omit<Clearance, 'path'> = {
  barrierDistance: 1e-3,
  separation: 0,
  signedDistancePromise: 'margin',
  signedDistanceCovering: 0,
};

/** Scene options with every default filled in. */
export function compileOptions(scene: Scene, choice: CompileOptions): ModelOptions {
  const options = scene.options ?? {};
  const medium = options.medium ?? {};
  const formulation = choice.formulation ?? options.formulation ?? DEFAULT_FORMULATION;
  const timestep = choice.timestep ?? options.timestep ?? 0.002;
  const filled = fillFormulationOptions(options, timestep);
  const traits = findFormulation(formulation);
  const own = filled[formulation];
  const coordinates = chooseCoordinates(scene, choice, formulation);
  const integrator = options.integrator ?? chooseDefaultIntegrator(scene, traits.integrators, coordinates);
  const chosen = chooseIntegrator(integrator, formulation, coordinates);
  const isSoft = (scene.softBodies?.length ?? 0) > 0;
  const chosenIntegrator = isSoft ? (traits.softSubstitutes?.[chosen] ?? chosen) : chosen;
  return {
    timestep,
    accuracy: options.accuracy,
    gravity: Float64Array.from(options.gravity ?? [0, 0, -9.81]),
    magneticField: Float64Array.from(options.magneticField ?? [0, -0.5, 0]),
    sleep: options.sleep && Object.freeze({ tolerance: options.sleep.tolerance ?? 1e-4 }),
    requestedIntegrator: integrator,
    integrator: chosenIntegrator,
    formulation,
    medium: Object.freeze({
      density: medium.density ?? 0,
      viscosity: medium.viscosity ?? 0,
      wind: Float64Array.from(medium.wind ?? [0, 0, 0]),
    }),
    disabled: new Set(options.disable ?? []),
    contactKinds: frozenCopy(options.contactKinds),
    clearance: Object.freeze({ ...CLEARANCE, path: `options.${formulation}`, ...traits.clearance?.(own) }),
    elasticStep: Object.freeze({ ...traits.elasticStep?.(own) }),
    start: options.start ?? 'separate',
    appliesStart: options.start !== undefined || !MUJOCO_INTEGRATORS.has(chosenIntegrator),
    looksAhead: chooseLookAhead(options.fastBodies ?? 'auto', chosenIntegrator),
    contactPoints: chooseContactPoints(options, formulation),
    maxStepTime: options.maxStepTime ?? Infinity,
    formulations: filled,
    ...(filled as Pick<ModelOptions, BuiltInFormulationId>),
  };
}

/** Options of every formulation with defaults filled in, by name. */
function fillFormulationOptions(options: SceneOptions, timestep: number): Record<string, Readonly<object>> {
  const given = options as Readonly<Record<string, object | undefined>>;
  return Object.fromEntries(
    listFormulations().map(({ id, options: { defaults } }) => [
      id,
      Object.freeze({ ...defaults(timestep, given[id] ?? {}), ...frozenCopy(given[id]) }),
    ]),
  );
}

// MuJoCo has no contacts ahead: its integrators, where a formulation has them, stand for its trajectories
function chooseLookAhead(said: FastBodies, integrator: Integrator): boolean {
  if (said !== 'auto') return said === 'on';
  return !MUJOCO_INTEGRATORS.has(integrator);
}

// errors of steps of order one add up: with error control `midpoint` takes fewer steps, for less error; it is of order one for joints in body coordinates
function chooseDefaultIntegrator(
  { options, bodies, softBodies }: Scene,
  integrators: readonly [Integrator, ...Integrator[]],
  coordinates: Coordinates,
): Integrator {
  const isControlled = options?.accuracy !== undefined && integrators.includes('midpoint');
  const isOfOrderTwo = coordinates === 'joint' || !(bodies ?? []).some(isJointed);
  return isControlled && isOfOrderTwo && !softBodies?.length ? 'midpoint' : integrators[0];
}

function isJointed({ joints, bodies }: Body): boolean {
  return (
    (joints ?? []).some(({ kind }) => kind !== 'free') ||
    (bodies ?? []).some((child) => child.joints?.length || isJointed(child))
  );
}

function chooseIntegrator(integrator: Integrator, formulation: FormulationId, coordinates: Coordinates): Integrator {
  const { integrators, substitutes, bodySubstitutes } = findFormulation(formulation);
  const chosen = integrators.includes(integrator) ? integrator : substitutes[integrator];
  if (chosen !== undefined) return coordinates === 'body' ? (bodySubstitutes?.[chosen] ?? chosen) : chosen;
  const others = listFormulations().filter((other) => other.integrators.includes(integrator));
  throw new NexdynError('unsupported-formulation', `${formulation} has no integrator "${integrator}"`, {
    path: 'options.integrator',
    hint: `choose another integrator, or formulation: ${others.map(({ id }) => `'${id}'`).join(' or ')}`,
  });
}

/** The coordinates to compile for. */
export function chooseCoordinates(scene: Scene, choice: CompileOptions, formulation: FormulationId): Coordinates {
  return choice.coordinates ?? scene.options?.coordinates ?? findFormulation(formulation).coordinates[0];
}

/** Whether body coordinates are but the default of a formulation that has joint coordinates too. */
export function mayGiveWay({ options }: Scene, choice: CompileOptions, formulation: FormulationId): boolean {
  if (choice.coordinates !== undefined || options?.coordinates !== undefined) return false;
  const { coordinates, bodySubstitutes } = findFormulation(formulation);
  return coordinates[0] === 'body' && coordinates.includes('joint') && !bodySubstitutes;
}
