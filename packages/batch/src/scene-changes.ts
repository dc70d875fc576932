import {
  type Body,
  type Inertia,
  NexdynError,
  type Scene,
  type SceneOptions,
  type Shape,
  setSceneParameters,
} from '@nexdyn/engine/core';
import type { SceneChanges } from './environment.ts';

/** A copy of a scene with parameters replaced. Names that are not in the scene are an error. */
export function changeScene(scene: Scene, changes: SceneChanges): Scene {
  const { gravity, friction, mass, options, values } = changes;
  const base = values ? setSceneParameters(scene, values) : scene;
  const changed: Scene = { ...base };
  if (gravity || options) {
    changed.options = mergeOptions(base.options ?? {}, { ...options, ...(gravity && { gravity }) });
  }
  if (friction || mass) {
    const frictions = new Lookup(friction, 'friction', 'shape');
    const masses = new Lookup(mass, 'mass', 'body');
    const changeShape = (shape: Shape): Shape => {
      const value = frictions.find(shape.name);
      return value === undefined ? shape : { ...shape, friction: value };
    };
    const changeBody = (body: Body): Body => {
      const value = isMassive(body) ? masses.find(body.name) : masses.findNamed(body.name);
      const weighed = value === undefined ? body : setMass(body, value);
      return {
        ...weighed,
        ...(weighed.shapes && { shapes: weighed.shapes.map(changeShape) }),
        ...(weighed.bodies && { bodies: weighed.bodies.map(changeBody) }),
      };
    };
    if (base.shapes) changed.shapes = base.shapes.map(changeShape);
    if (base.bodies) changed.bodies = base.bodies.map(changeBody);
    frictions.checkUsed();
    masses.checkUsed();
  }
  return changed;
}

/** Values by name, which must all be used. */
class Lookup {
  readonly #values: Readonly<Record<string, number>>;
  readonly #field: string;
  readonly #kind: string;
  readonly #used = new Set<string>(['*']);

  constructor(values: Readonly<Record<string, number>> = {}, field: string, kind: string) {
    this.#values = values;
    this.#field = field;
    this.#kind = kind;
  }

  find(name: string | undefined): number | undefined {
    return this.findNamed(name) ?? this.#values['*'];
  }

  findNamed(name: string | undefined): number | undefined {
    if (name === undefined || !Object.hasOwn(this.#values, name)) return undefined;
    this.#used.add(name);
    return this.#values[name];
  }

  checkUsed(): void {
    const unknown = Object.keys(this.#values).find((name) => !this.#used.has(name));
    if (unknown === undefined) return;
    const reason = `there is no ${this.#kind} '${unknown}' in the scene`;
    const path = `changes.${this.#field}`;
    throw new NexdynError('unknown-reference', reason, { path, hint: "write a name of the scene, or '*' for all" });
  }
}

function isMassive({ inertia, shapes = [] }: Body): boolean {
  return inertia !== undefined || shapes.length > 0;
}

/** The body with another mass: given inertia is scaled; the mass of shapes is distributed again. */
function setMass(body: Body, mass: number): Body {
  const path = 'changes.mass';
  if (!(mass > 0)) throw new NexdynError('invalid-mass', `the mass ${mass} is not above 0`, { path, hint: 'kg' });
  const { inertia, shapes = [] } = body;
  if (inertia) return { ...body, inertia: scaleInertia(inertia, mass) };
  const heavy = shapes.filter((shape) => shape.mass !== 0 && shape.density !== 0);
  const [only] = heavy;
  if (heavy.length !== 1 || !only) {
    const reason = `body '${body.name ?? ''}' has ${heavy.length} shapes with mass and no inertia of its own`;
    throw new NexdynError('invalid-mass', reason, { path, hint: "write the body's inertia down to change its mass" });
  }
  const { density: _, ...rest } = only;
  return { ...body, shapes: shapes.map((shape) => (shape === only ? ({ ...rest, mass } as Shape) : shape)) };
}

/** I is proportional to m where the shape stays. */
function scaleInertia(inertia: Inertia, mass: number): Inertia {
  const ratio = mass / inertia.mass;
  if (inertia.kind === 'principal') {
    const [x, y, z] = inertia.moments;
    return { ...inertia, mass, moments: [x * ratio, y * ratio, z * ratio] };
  }
  const tensor = inertia.tensor.map((part) => part * ratio) as typeof inertia.tensor;
  return { ...inertia, mass, tensor };
}

/** Options of formulations are merged field by field, others replaced. */
function mergeOptions(options: SceneOptions, changes: SceneOptions): SceneOptions {
  const merged: Record<string, unknown> = { ...options };
  for (const [key, value] of Object.entries(changes)) {
    const before = merged[key];
    const isGroup = (part: unknown): part is object =>
      typeof part === 'object' && part !== null && !Array.isArray(part);
    merged[key] = isGroup(value) && isGroup(before) ? { ...before, ...value } : value;
  }
  return merged as SceneOptions;
}
