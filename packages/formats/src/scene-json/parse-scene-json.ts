/** Scenes in NexDyn's own JSON, from a text alone. */
import { NexdynError, type Scene, validateScene } from '@nexdyn/engine';
import type { ReadLimits } from '../limits.ts';
import { locateJson, parseJson } from './json-text.ts';

/** The scene of a JSON text; `file` names the text in errors. */
export function parseSceneJson(text: string, file: string, limits?: Partial<ReadLimits>): Scene {
  return checkScene(text, file, (value) => value, limits);
}

/** The same, with the parsed value changed by `prepare` before it is checked. */
export function checkScene(
  text: string,
  file: string,
  prepare: (value: unknown) => unknown,
  limits?: Partial<ReadLimits>,
): Scene {
  const value = parseJson(text, file, limits);
  try {
    return validateScene(prepare(value), limits);
  } catch (error) {
    // errors of other files have their place
    throw error instanceof NexdynError && error.file === undefined ? addPlace(error, text, file) : error;
  }
}

/** The same error with its place in the text. */
function addPlace(error: NexdynError, text: string, file: string): NexdynError {
  const side = error.code === 'unknown-field' ? 'key' : 'value';
  return new NexdynError(error.code, error.reason, {
    file,
    ...locateJson(text, error.path ?? '', side),
    ...(error.path && { path: error.path }),
    ...(error.hint !== undefined && { hint: error.hint }),
  });
}
