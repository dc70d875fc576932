/** Environments that stay, for learning. */
import type { CompileOptions } from '@nexdyn/engine';
import type { PictureOptions } from '@nexdyn/formats';
import { type Environments, openEnvironments } from '../environments/environment-threads.ts';
import { Shaped } from '../message.ts';
import type { Session } from '../session.ts';
import type { Operation } from './operations.ts';
import { takePicture, takeStill } from './pictures.ts';
import { describeModel, openScene, type SceneSource } from './scenes.ts';

interface OpenRequest extends SceneSource {
  readonly compile?: CompileOptions;
  readonly count: number;
  readonly steps: number;
  readonly fields: readonly string[];
  readonly threads?: number;
}

function openSet(session: Session, request: OpenRequest): object {
  const { scene, unsupported } = openScene(request);
  const { compile = {}, count, steps, fields, threads } = request;
  const set = openEnvironments({ scene, compile, count, steps, fields, threads });
  const { model, joints } = set.first;
  return {
    environments: session.add({ kind: 'environments', set }),
    model: describeModel(model),
    unsupported,
    positions: joints.positions,
    velocities: joints.velocities,
    initialPosition: joints.initialPosition,
    controlRange: new Shaped(model.actuator.controlRange, [model.size.actuator, 2]),
    controlLimited: model.actuator.controlLimited,
  };
}

/** All observations, one row per environment. */
function observe({ observations, count }: Environments): object {
  const rows = (array: Float64Array): Shaped => new Shaped(array, [count, array.length / count]);
  const { position, velocity, failed, fields } = observations;
  return {
    position: rows(position),
    velocity: rows(velocity),
    failed,
    ...Object.fromEntries(Object.entries(fields).map(([name, array]) => [name, rows(array)])),
  };
}

export const ENVIRONMENT_OPERATIONS: Readonly<Record<string, Operation>> = {
  openEnvironments: openSet,
  resetEnvironments(
    session,
    request: { id: number; indices: Int32Array; position: Float64Array; velocity: Float64Array },
  ) {
    const { set } = session.get('environments', request.id);
    set.reset(request.indices, request.position, request.velocity);
    return observe(set);
  },
  pictureEnvironment: (session, request: { id: number; index: number; options: PictureOptions }) =>
    takePicture(session.get('environments', request.id).set.first.simulation(request.index), request.options),
  // what a live view needs: the model once, then where its bodies are
  viewEnvironment: (session, request: { id: number }) =>
    takeStill(session.get('environments', request.id).set.first.simulation(0)),
  posesEnvironment(session, request: { id: number }) {
    const { derived, time } = session.get('environments', request.id).set.first.simulation(0);
    return { time, position: derived.bodyPosition, orientation: derived.bodyOrientation };
  },
  stepEnvironments(session, request: { id: number; control: Float64Array; skip?: Uint8Array }) {
    const { set } = session.get('environments', request.id);
    set.step(request.control, request.skip);
    return observe(set);
  },
};
