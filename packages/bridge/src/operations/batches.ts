/** Many environments of a scene on all cores. */
import {
  type BatchOptions,
  createBatch,
  type Environment,
  openBatch,
  RESIDENT_STATUS,
  type ResidentBatch,
  type ResidentBatchOptions,
} from '@nexdyn/batch';
import type { CompileOptions } from '@nexdyn/engine';
import { Shaped } from '../message.ts';
import type { Session } from '../session.ts';
import type { Operation } from './operations.ts';
import { describeModel, openScene, type SceneSource } from './scenes.ts';

interface OpenRequest extends SceneSource {
  readonly compile?: CompileOptions;
  readonly workers?: number;
}

function openThreads(session: Session, request: OpenRequest): object {
  const { workers, compile } = request;
  const { scene, unsupported } = openScene(request);
  const batch = openBatch(scene, { ...(workers !== undefined && { workers }), ...(compile && { compile }) });
  return { batch: session.add({ kind: 'batch', batch }), model: describeModel(batch.model), unsupported };
}

interface RunRequest {
  readonly batch: number;
  readonly environments: Environment[];
  readonly options: Omit<BatchOptions, 'onResult' | 'signal' | 'workers' | 'compile'>;
}

async function run(session: Session, { batch, environments, options }: RunRequest): Promise<object> {
  return session.get('batch', batch).batch.run(environments, options);
}

interface ResidentRequest extends SceneSource {
  readonly options: ResidentBatchOptions;
}

async function openResident(session: Session, request: ResidentRequest): Promise<object> {
  const { scene, unsupported } = openScene(request);
  const resident = await createBatch(scene, copyStarts(request.options));
  const id = session.add({ kind: 'resident', resident });
  return {
    id,
    model: describeModel(resident.model),
    unsupported,
    statuses: RESIDENT_STATUS,
    ...readResident(resident),
  };
}

/** Arrays of a request are overwritten by the next one. */
function copyStarts(options: ResidentBatchOptions): ResidentBatchOptions {
  return structuredClone(options);
}

/** What a call of a batch that stays gives, one row per environment. */
function readResident({ fields, reward, time, status, environments }: ResidentBatch): object {
  const rows = Object.entries(fields).map(([name, array]) => [
    name,
    new Shaped(array!, [environments, array!.length / environments]),
  ]);
  return { fields: Object.fromEntries(rows), reward, time, status };
}

export const BATCH_OPERATIONS: Readonly<Record<string, Operation>> = {
  openBatch: openThreads,
  runBatch: run,
  openResident,
  async stepResident(session, request: { id: number; controls?: Float64Array; steps: number }) {
    const { resident } = session.get('resident', request.id);
    const summary = await resident.step(request.controls, request.steps);
    return { ...summary, ...readResident(resident) };
  },
  async resetResident(session, request: { id: number; indices: number[]; starts?: (Environment | Float64Array)[] }) {
    const { resident } = session.get('resident', request.id);
    await resident.reset(request.indices, request.starts && structuredClone(request.starts));
    return readResident(resident);
  },
};
