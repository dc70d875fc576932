import { createHash } from 'node:crypto';
import { arch, cpus, platform, totalmem } from 'node:os';
import type { Model, Scene, SceneOptions } from '@nexdyn/engine';
import { writeSceneJson } from '@nexdyn/formats';
import { VERSION } from '../version.ts';
import type { RunPlan } from './run-plan.ts';

/** What one needs to repeat a run and to compare its times. */
export interface Manifest {
  format: 'nexdyn-run';
  version: 1;
  nexdyn: string;
  node: string;
  scene: { name: string; file: string; sha256: string };
  options: {
    formulation: string;
    coordinates: string;
    integrator: string;
    timestep: number;
    seconds: number;
    steps: number;
    every: number;
    /** Name or number; null is the initial pose. */
    keyframe: string | number | null;
  };
  /** Options of the scene with those of the command line in their place. */
  sceneOptions: SceneOptions;
  /** Nothing in a run is random. */
  seed: null;
  machine: Machine;
}

/** The machine, without names that tell whose it is. */
export interface Machine {
  platform: string;
  arch: string;
  processor: string;
  cores: number;
  memoryBytes: number;
}

export function describeMachine(): Machine {
  return {
    platform: platform(),
    arch: arch(),
    processor: cpus()[0]?.model.trim() || 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
  };
}

/** SHA-256 of the scene in its JSON form: the same for the same scene, whatever file it came from. */
export function hashScene(scene: Scene): string {
  return createHash('sha256').update(writeSceneJson(scene)).digest('hex');
}

export function createManifest(
  scene: Scene,
  model: Model,
  run: {
    file: string;
    seconds: number;
    plan: RunPlan;
    keyframe: string | number | null;
    sceneOptions: SceneOptions;
  },
): Manifest {
  const { formulation, integrator, timestep } = model.options;
  return {
    format: 'nexdyn-run',
    version: 1,
    nexdyn: VERSION,
    node: process.versions.node,
    scene: { name: model.name, file: run.file, sha256: hashScene(scene) },
    options: {
      formulation,
      coordinates: model.coordinates,
      integrator,
      timestep,
      seconds: run.seconds,
      steps: run.plan.steps,
      every: run.plan.every,
      keyframe: run.keyframe,
    },
    sceneOptions: run.sceneOptions,
    seed: null,
    machine: describeMachine(),
  };
}
