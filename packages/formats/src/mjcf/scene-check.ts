/** Validates the finished scene; a fault is reported at the element of the file it came from. */
import { NexdynError, type Scene, validateScene } from '@nexdyn/engine';
import type { Reading } from './reading.ts';

/** Throws where the scene is not sound. */
export function checkScene(scene: Scene, { origins, path, access }: Reading): void {
  try {
    validateScene(scene, access.limits);
  } catch (error) {
    if (!(error instanceof NexdynError) || error.file !== undefined) throw error;
    // walk down the path of the fault; the last object with an origin is the element
    let value: unknown = scene;
    let element: ReturnType<typeof origins.get>;
    for (const [key] of (error.path ?? '').matchAll(/[A-Za-z_]\w*|\d+/g)) {
      if (typeof value !== 'object' || value === null) break;
      value = (value as Record<string, unknown>)[key];
      if (typeof value === 'object' && value !== null) element = origins.get(value) ?? element;
    }
    const { line, column, file } = element ?? { line: 1, column: 1, file: path };
    const place = { path: error.path ?? '', file, line, column, ...(error.hint !== undefined && { hint: error.hint }) };
    throw new NexdynError(error.code, error.reason, place);
  }
}
