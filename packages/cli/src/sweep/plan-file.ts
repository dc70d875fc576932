import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { NexdynError, type Scene } from '@nexdyn/engine';
import { parseJson } from '@nexdyn/formats';
import { readPlan, type SweepPlan } from '@nexdyn/sweep';
import { loadSceneFile, type SceneFileOptions } from '../scene-file.ts';
import { loadModule } from './typescript-module.ts';

/** A plan, and the scene that it names. */
export interface LoadedPlan {
  plan: SweepPlan;
  scene: Scene;
  /** What the model has that scenes have not. */
  unsupported: ReturnType<typeof loadSceneFile>['unsupported'];
}

/** Reads a plan and its scene; errors name the plan. */
export async function loadPlan(file: string, options: SceneFileOptions): Promise<LoadedPlan> {
  if (!existsSync(file)) {
    throw new NexdynError('file-not-found', 'there is no such file', { file, hint: 'give the file of a plan' });
  }
  const plan = naming(file, readPlan, await readValue(file));
  if (typeof plan.scene !== 'string') return { plan, scene: plan.scene, unsupported: [] };
  const beside = join(dirname(resolve(file)), plan.scene);
  const { scene, unsupported } = loadSceneFile(existsSync(beside) ? beside : plan.scene, options);
  return { plan, scene, unsupported };
}

async function readValue(file: string): Promise<unknown> {
  if (!/\.[cm]?[jt]s$/.test(file)) return parseJson(readText(file), file);
  let exported: Record<string, unknown>;
  try {
    exported = await loadModule(file);
  } catch (error) {
    if (error instanceof NexdynError && error.file !== undefined) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new NexdynError('file-unreadable', `the plan cannot be loaded: ${reason}`, {
      file,
      hint: 'it must be a module of JavaScript or TypeScript; Node before 22.18 needs the package rolldown for TypeScript',
    });
  }
  const plan = exported['plan'] ?? exported['default'];
  if (plan === undefined) {
    throw new NexdynError('invalid-value', 'the module exports no plan', { file, hint: 'export const plan = { … };' });
  }
  return plan;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new NexdynError('file-unreadable', `the plan cannot be read (${code ?? message})`, {
      file,
      hint: 'give the file of a plan',
    });
  }
}

/** Does something with a value of a plan, whose errors name the file. */
export function naming<A, T>(file: string, action: (value: A) => T, value: A): T {
  try {
    return action(value);
  } catch (error) {
    if (!(error instanceof NexdynError) || error.file !== undefined) throw error;
    const { path, hint } = error;
    throw new NexdynError(error.code, error.reason, {
      file,
      ...(path !== undefined && { path }),
      ...(hint !== undefined && { hint }),
    });
  }
}

/** `incline.json` gives `incline.sweep`. */
export function nameFolder(file: string): string {
  return `${basename(file).replace(/\.[^.]+$/, '')}.sweep`;
}
