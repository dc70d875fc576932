/**
 * Compiles a scene that a reader accepted and takes one step of it, under a formulation that its bytes choose. What is beyond the sizes
 * below is read but not compiled: large scenes are slow, not faulty. A step may end in any status; an error must be the typed one.
 */
import {
  type CompileOptions,
  compileModel,
  listFormulations,
  NexdynError,
  type Scene,
  Simulation,
} from '@nexdyn/engine';

/** Numbers that a scene may have in all its lists; values of soft boxes, fields and resolutions multiply and are bounded apart. */
const MOST_VALUES = 20_000;
const LIMITS: NonNullable<CompileOptions['limits']> = { bodies: 500, bodyDepth: 100, treeOperations: 1e6 };
/** Bytes of the simulation, and s of processor time of its step. */
const MEMORY = 2 ** 26;
const STEP_TIME = 0.5;

/** Whether the scene is small enough to be compiled in well under a second. */
function isSmall(scene: Scene): boolean {
  let count = 0;
  const pending: unknown[] = [scene];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (ArrayBuffer.isView(value)) count += value.byteLength / 8;
    else if (typeof value === 'object' && value !== null) {
      const parts = Object.values(value);
      count += parts.length;
      for (const part of parts) if (typeof part === 'object' && part !== null) pending.push(part);
    }
    if (count > MOST_VALUES) return false;
  }
  return true;
}

/** Whether a step was tried. */
export function stepScene(scene: Scene, bytes: Uint8Array): boolean {
  if (!isSmall(scene)) return false;
  const formulations = listFormulations();
  const choice = bytes.reduce((sum, byte) => (sum + byte) % 65_521, 0);
  const formulation = formulations[choice % formulations.length]!.id;
  const start = process.cpuUsage();
  const clock = (): number => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  const model = compileModel(scene, { formulation, limits: LIMITS });
  try {
    const simulation = new Simulation(model, { memory: MEMORY, clock, maxStepTime: STEP_TIME });
    simulation.step();
    simulation.contactForces();
    simulation.energy();
  } catch (error) {
    // memory and numbers of contacts belong to the whole scene: no place in it is at fault
    if (!(error instanceof NexdynError && error.code === 'too-large' && error.hint)) throw error;
  }
  return true;
}
