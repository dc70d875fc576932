/** Many environments of a scene on all cores. */
import { type BatchOptions, type Environment, openBatch } from '@nexdyn/batch';
import type { CompileOptions } from '@nexdyn/engine';
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

export const BATCH_OPERATIONS: Readonly<Record<string, Operation>> = { openBatch: openThreads, runBatch: run };
