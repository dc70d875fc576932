/** Shots at a goal under several formulations, from the initial state of a scene: its miss, its gradient, and a Gauss-Newton step. */
import type { FormulationId, Vec3 } from '@nexdyn/engine';
import { Aiming, type Shot } from '@nexdyn/engine/derivatives';
import { openScene } from './open-scene.ts';
import type { SceneChoice, SceneFiles } from './protocol.ts';

/** What is to be shot where. */
export interface AimRequest {
  readonly formulations: readonly FormulationId[];
  /** Name of the body. */
  readonly body: string;
  /** World, m. */
  readonly goal: Vec3;
  /** Time after which it is to be there, s. */
  readonly seconds: number;
  /** The shot so far, by formulation; that of the scene where there is none. */
  readonly shots: Readonly<Partial<Record<FormulationId, Shot | undefined>>>;
  /** Gauss-Newton steps to take first. */
  readonly rounds: number;
}

/** What became of it under one formulation. */
export interface AimResult {
  readonly formulation: FormulationId;
  readonly shot?: Shot;
  /** m. */
  readonly distance?: number;
  /** Gradient of the miss by the velocity at the start, s, and by the controls, m per unit. */
  readonly velocityGradient?: readonly number[];
  readonly controlGradient?: readonly number[];
  /** Places of the body, three numbers each, m. */
  readonly path?: Float64Array;
  /** Why there is nothing to show. */
  readonly problem?: string;
}

/** Misses at which a shot has landed, m. */
const LANDED = 1e-4;

export async function shoot(
  files: SceneFiles,
  path: string,
  choice: SceneChoice,
  request: AimRequest,
): Promise<AimResult[]> {
  const results: AimResult[] = [];
  for (const formulation of request.formulations) {
    try {
      const { simulation } = await openScene(files, path, { ...choice, formulation });
      const steps = Math.max(1, Math.round(request.seconds / simulation.timestep));
      const aiming = new Aiming(simulation, { body: request.body, position: request.goal }, steps);
      let aim = aiming.aim(request.shots[formulation] ?? aiming.shot);
      for (let round = 0; round < request.rounds && aim.distance > LANDED; round++) {
        const next = aiming.improve(aim.shot);
        if (next === aim.shot) break;
        aim = aiming.aim(next);
      }
      const { shot, distance, velocityGradient, controlGradient, path: places } = aim;
      results.push({ formulation, shot, distance, velocityGradient, controlGradient, path: places });
    } catch (error) {
      results.push({ formulation, problem: error instanceof Error ? error.message : String(error) });
    }
  }
  return results;
}
