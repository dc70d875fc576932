/**
 * The folder of a sweep:
 *
 *   sweep.json              the plan, its hash, the hash of the scene, the version of NexDyn
 *   scene.json              the scene before any run changes it
 *   runs.jsonl              the expanded plan, a line for each run
 *   results/*.jsonl         results of finished runs, in packs: see result-packs.ts
 *   table.csv, table.parquet, report.html   when all runs are finished
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { NexdynError, type Scene } from '@nexdyn/engine';
import { parseSceneJson, writeSceneJson } from '@nexdyn/formats';
import { type ExpandedPlan, expandPlan, type SweepRun } from '../plan/expand-plan.ts';
import type { SweepPlan } from '../plan/plan.ts';
import { readPlan } from '../plan/read-plan.ts';
import type { RunResult } from '../run/run-result.ts';
import { AtomicFile, type FileContent, removePartialFiles, writeAtomically } from './atomic-file.ts';
import { ResultPacks } from './result-packs.ts';

export const FOLDER_FILE = 'sweep.json';
const SCENE_FILE = 'scene.json';
const LINES_FILE = 'runs.jsonl';

/** What decides the results of a sweep. */
export interface Sweep {
  plan: SweepPlan;
  scene: Scene;
  runs: ExpandedPlan;
  /** Of plan, scene and version. */
  hash: string;
  /** Version of NexDyn. */
  version: string;
  /** SHA-256 of each module that registers formulations, shapes or terms. */
  modules: readonly string[];
}

/** A sweep from a plan that was read and its scene. */
export function createSweep(plan: SweepPlan, scene: Scene, version: string, modules: readonly string[] = []): Sweep {
  const sceneHash = hashText(writeSceneJson(scene));
  const { name: _, best: __, ...deciding } = plan;
  const own = modules.length > 0 && { modules };
  const hash = hashText(JSON.stringify({ ...deciding, scene: sceneHash, version, ...own }));
  return { plan, scene, runs: expandPlan(plan, { sceneHash, version, modules }), hash, version, modules };
}

/** SHA-256 of what decides results: scenes, modules. */
export function hashText(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

export class SweepFolder {
  readonly path: string;
  readonly #packs: ResultPacks;

  constructor(path: string) {
    this.path = path;
    this.#packs = new ResultPacks(join(path, 'results'));
    this.refresh();
  }

  /** Makes the folder ready for a sweep; refuses one that holds something else. */
  prepare(sweep: Sweep): void {
    const { path } = this;
    const fail = (reason: string, hint: string): never => {
      throw new NexdynError('invalid-argument', `the folder '${path}' ${reason}`, { hint });
    };
    if (existsSync(path) && !statSync(path).isDirectory()) fail('is a file', 'choose another --out');
    if (existsSync(join(path, FOLDER_FILE))) {
      const head = this.#readHead();
      if (head.nexdyn !== sweep.version) {
        fail(`has runs of NexDyn ${head.nexdyn}; this is ${sweep.version}`, 'choose another --out, or that version');
      }
      if (head.hash !== sweep.hash) fail('has the runs of another plan, scene or module', 'choose another --out');
    } else {
      const others = existsSync(path) ? readdirSync(path).filter((name) => !name.startsWith('.')) : [];
      if (others.length > 0) fail(`has '${others[0]}' and is no folder of a sweep`, 'choose another --out');
      writeAtomically(join(path, FOLDER_FILE), formatJson(describeSweep(sweep)));
    }
    removePartialFiles(path);
    this.#packs.clean();
    if (!existsSync(join(path, SCENE_FILE))) writeAtomically(join(path, SCENE_FILE), writeSceneJson(sweep.scene));
    if (!existsSync(join(path, LINES_FILE))) writeAtomically(join(path, LINES_FILE), listLines(sweep.runs));
  }

  /** The sweep that the folder holds. */
  open(version: string): Sweep {
    const { nexdyn, hash, plan, modules } = this.#readHead();
    if (nexdyn !== version) {
      throw new NexdynError('invalid-argument', `'${this.path}' has runs of NexDyn ${nexdyn}; this is ${version}`, {
        hint: 'use that version',
      });
    }
    const file = join(this.path, SCENE_FILE);
    const scene = parseSceneJson(readText(file), file) as Scene;
    const sweep = createSweep(readPlan(plan), scene, version, modules);
    if (sweep.hash !== hash) {
      const hint = 'sweep.json or scene.json was changed: run the sweep again in another folder';
      throw new NexdynError('invalid-value', 'the plan is not the one of the runs', { file: this.path, hint });
    }
    return sweep;
  }

  /** Finds results that other processes have written meanwhile. */
  refresh(): void {
    this.#packs.refresh();
  }

  /** A result; undefined where there is none. */
  readResult(key: string): RunResult | undefined {
    return this.#packs.read(key);
  }

  /** Writes results together. */
  writeResults(results: readonly RunResult[]): Promise<void> {
    return this.#packs.write(results);
  }

  /** The same before it returns. */
  writeResultsNow(results: readonly RunResult[]): void {
    this.#packs.writeNow(results);
  }

  writeFile(name: string, content: FileContent): void {
    writeAtomically(join(this.path, name), content);
  }

  /** A file that is written piece by piece. */
  createFile(name: string): AtomicFile {
    return new AtomicFile(join(this.path, name));
  }

  #readHead(): { nexdyn: string; hash: string; plan: unknown; modules?: string[] } {
    const file = join(this.path, FOLDER_FILE);
    if (!existsSync(file)) {
      throw new NexdynError('file-not-found', 'this is no folder of a sweep', {
        file: this.path,
        hint: 'give the folder of --out',
      });
    }
    try {
      const head = JSON.parse(readText(file));
      if (head.format === 'nexdyn-sweep-folder' && head.version === 1) return head;
    } catch {
      // not JSON
    }
    throw new NexdynError('invalid-value', 'the description of the sweep is damaged', { file, hint: 'run it again' });
  }
}

function describeSweep({ plan, runs, hash, version, modules }: Sweep): object {
  const scene = typeof plan.scene === 'string' ? plan.scene : SCENE_FILE;
  const own = modules.length > 0 && { modules };
  const head = { format: 'nexdyn-sweep-folder', version: 1, nexdyn: version, hash, runs: runs.count, ...own };
  return { ...head, plan: { ...plan, scene } };
}

/** The expanded plan, a line for each run. */
export function* listLines(runs: ExpandedPlan): Iterable<string> {
  for (const run of listRuns(runs)) yield `${JSON.stringify(run)}\n`;
}

/** All runs, one by one. */
export function* listRuns(runs: ExpandedPlan): Iterable<SweepRun> {
  for (let index = 0; index < runs.count; index++) yield runs.run(index);
}

function readText(file: string): string {
  return readFileSync(file, 'utf8');
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
