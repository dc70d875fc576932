/**
 * Values of a scene replaced from the command line: `--set mujoco.solver=cg`, `--set bodies.arm.mass=2` and the short forms
 * `--solver`, `--cone` and `--integrator`. A key is a path below `options`, with or without that word, or begins with the word of a list, as `bodies`; a value is
 * JSON, or text where it is none. The scene's own check says what is wrong, and the error names what was typed.
 */
import {
  DEFAULT_FORMULATION,
  type FormulationId,
  type FormulationTraits,
  findFormulation,
  isItemPath,
  listFormulations,
  NexdynError,
  type Scene,
  type SceneOptions,
  setSceneParameters,
  validateScene,
} from '@nexdyn/engine';

/** One replacement, with the words of the user. */
export interface Override {
  /** As in `['mujoco', 'solver']`. */
  keys: readonly string[];
  value: unknown;
  /** As in `--set mujoco.solver=cg`. */
  typed: string;
}

/** What a user can replace. */
export interface OverrideOptions {
  set?: readonly string[];
  solver?: string;
  cone?: string;
  integrator?: string;
  accuracy?: number;
  formulation?: FormulationId;
}

/** The scene with values replaced; the scene that was given stays as it was. */
export function overrideScene(scene: Scene, options: OverrideOptions): Scene {
  const overrides = listOverrides(scene, options);
  if (overrides.length === 0) return scene;
  let changed: Scene = { ...scene, options: structuredClone(scene.options ?? {}) };
  for (const override of overrides) {
    if (isItemPath(override.keys.join('.'))) {
      changed = overrideItem(changed, override);
      continue;
    }
    place(changed.options!, override);
    // one after the other, so that the first wrong one is named
    checkOverride(changed, override);
  }
  return changed;
}

/** All replacements; short forms count as `--set` of the formulation that will run. */
function listOverrides(scene: Scene, options: OverrideOptions): Override[] {
  const overrides = (options.set ?? []).map(parseSet);
  const chosen = overrides.findLast(({ keys }) => keys.join('.') === 'formulation')?.value as FormulationId | undefined;
  const formulation = options.formulation ?? chosen ?? scene.options?.formulation ?? DEFAULT_FORMULATION;
  if (options.integrator !== undefined) {
    overrides.push({ keys: ['integrator'], value: options.integrator, typed: `--integrator ${options.integrator}` });
  }
  if (options.accuracy !== undefined) {
    overrides.push({ keys: ['accuracy'], value: options.accuracy, typed: `--accuracy ${options.accuracy}` });
  }
  if (options.solver !== undefined) {
    overrides.push({ keys: [formulation, 'solver'], value: options.solver, typed: `--solver ${options.solver}` });
  }
  if (options.cone !== undefined) {
    const hasCones = ({ options: { schema } }: FormulationTraits): boolean => schema.fields.has('cone');
    if (!hasCones(findFormulation(formulation))) {
      const others = listFormulations().filter(hasCones);
      throw new NexdynError('invalid-argument', `--cone ${options.cone}: ${formulation} has no choice of cones`, {
        hint: `add --formulation ${others.map(({ id }) => id).join(' or ')}, or leave --cone out`,
      });
    }
    overrides.push({ keys: [formulation, 'cone'], value: options.cone, typed: `--cone ${options.cone}` });
  }
  return overrides;
}

function parseSet(text: string): Override {
  const typed = `--set ${text}`;
  const [, path, value] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
  const keys = path?.trim().split('.') ?? [];
  if (value === undefined || keys.some((key) => key === '')) {
    throw new NexdynError('invalid-argument', `'${typed}' is not key=value`, {
      hint: 'write a path of the scene and a value, as in --set mujoco.solver=cg or --set bodies.arm.mass=2',
    });
  }
  const isWhole = keys[0] === 'options' && keys.length > 1;
  return { keys: isWhole ? keys.slice(1) : keys, value: parseValue(value.trim()), typed };
}

/** JSON; else numbers with commas between them, as vectors are typed; else the text itself. */
function parseValue(text: string): unknown {
  for (const candidate of [text, `[${text}]`]) {
    try {
      return JSON.parse(candidate);
    } catch {
      // not this form
    }
  }
  return text;
}

/** The scene with a value of a body, shape or another thing with a name replaced. */
function overrideItem(scene: Scene, { keys, value, typed }: Override): Scene {
  return namingInput(typed, () => {
    const changed = setSceneParameters(scene, { [keys.join('.')]: value });
    validateScene(changed);
    return changed;
  });
}

/** Sets a value at its path; missing objects on the path are created. */
function place(options: SceneOptions, { keys, value, typed }: Override): void {
  let target = options as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) {
    const next = Object.hasOwn(target, key) ? target[key] : {};
    if (typeof next !== 'object' || next === null || Array.isArray(next)) {
      throw new NexdynError('invalid-argument', `${typed}: options.${key} has no fields`, {
        hint: 'give the whole path of an option, as in --set mujoco.solver=cg',
      });
    }
    assignOwn(target, key, next);
    target = next as Record<string, unknown>;
  }
  assignOwn(target, keys.at(-1)!, value);
}

/** A field of the object itself, whatever it is called: `__proto__` is then an unknown field like any other. */
function assignOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

function checkOverride(scene: Scene, { typed }: Override): void {
  // the options alone: the rest of the scene is checked when it is compiled
  namingInput(typed, () => validateScene({ format: scene.format, version: scene.version, options: scene.options }));
}

/** Does something whose errors name what was typed. */
function namingInput<T>(typed: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof NexdynError)) throw error;
    const reason = `${typed}: ${error.path === undefined ? '' : `${error.path} `}${error.reason}`;
    throw new NexdynError('invalid-argument', reason, error.hint === undefined ? {} : { hint: error.hint });
  }
}
