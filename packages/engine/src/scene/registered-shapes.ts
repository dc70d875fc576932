/** Kinds of shapes that come from outside of the engine, as far as a scene is concerned: their fields and what these must fulfil. */
import { NexdynError } from '../error.ts';
import { formatPath, type Place } from './place.ts';
import type { OptionalField, Schema } from './schema.ts';
import { addShapeKind } from './schemas/shape.ts';
import type { Shape } from './shape.ts';

/** Why the parameters of a shape make no sense; undefined where they do. */
export type ShapeCheck = (shape: never) => string | undefined;

const checks = /* @__PURE__ */ new Map<string, ShapeCheck>();

/** Lets scenes have shapes of a kind. */
export function registerShapeKind(
  kind: string,
  fields: Readonly<Record<string, Schema<never> | OptionalField<never>>>,
  check: ShapeCheck,
): void {
  addShapeKind(kind, fields);
  checks.set(kind, check);
}

/** Whether the kind of a shape was registered. */
export function isRegisteredShape({ kind }: { kind: string }): boolean {
  return checks.has(kind);
}

/** Raises an error where the shape is of a registered kind and its parameters make no sense. */
export function checkRegisteredShape(shape: Shape, place: Place): void {
  const reason = checks.get(shape.kind)?.(shape as never);
  if (reason === undefined) return;
  const hint = `see the module that registers '${shape.kind}'`;
  throw new NexdynError('invalid-value', reason, { path: formatPath(place), hint });
}
