import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeChain, writeFallingBoxes, writeFreeBodies } from './generated-mjcf.ts';

/** Something both engines do with the same MJCF. */
export interface BenchScene {
  name: string;
  /** What is timed, in a sentence. */
  description: string;
  /** A step of the simulation, reading and compiling the file, or finding all contacts of one configuration. */
  task: 'step' | 'compile' | 'detect';
  /** Steps the peer runs first, to bring the bodies into contact (`detect`). */
  settleSteps?: number;
  /** Scenes of a family differ in size only: their times show the growth. */
  family?: { name: string; size: number };
  /** The MJCF, or why it cannot be had on this machine. */
  createXml(): { xml: string } | { missing: string };
}

/** Folder of models that are not part of the repository: NEXDYN_MODELS, else beside the clone. */
function findModelsFolder(): string {
  return process.env['NEXDYN_MODELS'] ?? fileURLToPath(new URL('../../../../../shared/models/', import.meta.url));
}

function createHumanoidXml(): { xml: string } | { missing: string } {
  try {
    const xml = readFileSync(join(findModelsFolder(), 'mujoco/humanoid.xml'), 'utf8');
    // nothing touches, nothing is limited: both engines do the same smooth physics
    return { xml: xml.replace(/<mujoco[^>]*>/, '$&\n  <option><flag constraint="disable"/></option>') };
  } catch {
    return { missing: 'mujoco/humanoid.xml not found: set NEXDYN_MODELS to the folder of models' };
  }
}

/** At most 120 links: deeper trees overflow the stack of MuJoCo's WebAssembly compiler. */
function createChainScene(size: number): BenchScene {
  return {
    name: `chain${size}`,
    description: `${size} links in a row, damped hinges, swinging from one end`,
    task: 'step',
    family: { name: 'chain', size },
    createXml: () => ({ xml: writeChain(size) }),
  };
}

function createFreeBodiesScene(size: number): BenchScene {
  return {
    name: `free-bodies-${size}`,
    description: `${size} free boxes, tumbling`,
    task: 'step',
    family: { name: 'free-bodies', size },
    createXml: () => ({ xml: writeFreeBodies(size) }),
  };
}

function createDetectionScene(size: number): BenchScene {
  return {
    name: `detect-boxes-${size}`,
    description: `all contacts of ${size} boxes that have fallen on each other`,
    task: 'detect',
    settleSteps: 200,
    family: { name: 'detect-boxes', size },
    createXml: () => ({ xml: writeFallingBoxes(size) }),
  };
}

/** All scenes, in the order in which they run. */
export const BENCH_SCENES: readonly BenchScene[] = [
  createChainScene(10),
  createChainScene(25),
  createChainScene(50),
  createChainScene(100),
  {
    name: 'humanoid-free-fall',
    description: "MuJoCo's humanoid falling with moving joints, constraints off",
    task: 'step',
    createXml: createHumanoidXml,
  },
  createFreeBodiesScene(10),
  createFreeBodiesScene(100),
  createFreeBodiesScene(1000),
  createDetectionScene(100),
  createDetectionScene(1000),
  {
    name: 'compile-humanoid',
    description: "MuJoCo's humanoid from XML text to a compiled model",
    task: 'compile',
    createXml: createHumanoidXml,
  },
];
