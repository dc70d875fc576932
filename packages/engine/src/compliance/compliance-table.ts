/**
 * Soft bodies and contact by pressure: what gives way. Most scenes have neither, and it is a good part of the engine, so a page may
 * load it when a scene asks for it (import '@nexdyn/engine/core' and, later, '@nexdyn/engine/compliance'); the package provides it.
 */
import type { CompliantContacts } from '../collision/compliant-contacts.ts';
import { NexdynError } from '../error.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import { type Model, type ModelPressure, type ModelSoftBodies, NO_PRESSURE } from '../model/model.ts';
import type { compilePressure as CompilePressure } from '../model/pressure.ts';
import { createSoftArrays } from '../model/soft-arrays.ts';
import type { compileSoftBodies as CompileSoftBodies } from '../model/soft-bodies.ts';
import { NO_SOFT_BODIES, type SoftBodies } from '../soft/soft-bodies.ts';
import type { State } from '../state/state.ts';
import { hasCompliance } from './scene-parts.ts';

export interface Compliance {
  readonly compileSoftBodies: typeof CompileSoftBodies;
  readonly compilePressure: typeof CompilePressure;
  createSoftBodies(model: Model, state: State, memory: Memory): SoftBodies;
  createContacts(model: Model): CompliantContacts;
}

let provided: Compliance | undefined;

/** From now on scenes may have soft bodies and contact by pressure. */
export function provideCompliance(compliance: Compliance): void {
  provided = compliance;
}

function requireCompliance(): Compliance {
  if (provided) return provided;
  throw new NexdynError('unsupported-element', 'soft bodies and contact by pressure are not loaded', {
    hint: "import '@nexdyn/engine/compliance', or '@nexdyn/engine' for all",
  });
}

export function compileSoftBodies(...args: Parameters<typeof CompileSoftBodies>): ModelSoftBodies {
  const [{ scene }] = args;
  if (!scene.softBodies?.length) return createSoftArrays(0, 0, 0, 0);
  return requireCompliance().compileSoftBodies(...args);
}

export function compilePressure(...args: Parameters<typeof CompilePressure>): ModelPressure {
  const [{ scene }] = args;
  return hasCompliance(scene) ? requireCompliance().compilePressure(...args) : NO_PRESSURE;
}

export function createSoftBodies(model: Model, state: State, memory: Memory): SoftBodies {
  return model.size.softBody === 0 ? NO_SOFT_BODIES : requireCompliance().createSoftBodies(model, state, memory);
}

/** Contacts of what gives way, where a model has anything that does. */
export function createCompliantContacts(model: Model): CompliantContacts | undefined {
  if (model.size.softBody === 0 && !model.pressure.isActive) return undefined;
  return requireCompliance().createContacts(model);
}
