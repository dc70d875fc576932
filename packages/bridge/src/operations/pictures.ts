/** Pictures, and films for viewers. */
import { createRecorder } from '@nexdyn/cli';
import { Simulation, wasTaken } from '@nexdyn/engine';
import { createMotion, Photographer, type PictureOptions, writeGlb } from '@nexdyn/formats';
import { Shaped } from '../message.ts';
import type { Session } from '../session.ts';
import type { Operation } from './operations.ts';
import { enter, type StateRequest } from './steps.ts';

const photographers = new WeakMap<object, Photographer>();

/** A picture of a simulation. */
export function takePicture(simulation: Simulation, options: PictureOptions): Shaped {
  const photographer = photographers.get(simulation.model) ?? new Photographer(simulation);
  photographers.set(simulation.model, photographer);
  const { width = 480, height = 480 } = options;
  return new Shaped(photographer.take(simulation, { ...options, width, height }), [height, width, 3]);
}

/** A simulation as it stands, as glTF. */
export function takeStill(simulation: Simulation): Uint8Array {
  const recorder = createRecorder(simulation.model, 1);
  recorder.record(simulation, 0);
  return writeGlb(createMotion(simulation.model, recorder.finish({ bodies: true })));
}

/** The next seconds as a glTF animation; the simulation stays as it is. */
function film(session: Session, request: StateRequest & { seconds: number; rate: number }): Uint8Array {
  const { simulation } = enter(session, request);
  const { model, timestep } = simulation;
  const twin = new Simulation(model);
  twin.restore(simulation.snapshot());
  const every = Math.max(1, Math.round(1 / (request.rate * timestep)));
  const frames = Math.max(1, Math.round(request.seconds / (every * timestep)));
  const recorder = createRecorder(model, frames + 1);
  recorder.record(twin, 0);
  for (let k = 1; k <= frames; k++) {
    if (!wasTaken(twin.step(every).status)) break;
    recorder.record(twin, k * every);
  }
  return writeGlb(createMotion(model, recorder.finish({ bodies: true })));
}

export const PICTURE_OPERATIONS: Readonly<Record<string, Operation>> = {
  film,
  picture: (session, request: StateRequest & { options: PictureOptions }) =>
    takePicture(enter(session, request).simulation, request.options),
};
