import type { MainModule } from '@mujoco/mujoco';
import { NexdynError } from '@nexdyn/engine';
import { compareMotion } from './agreement.ts';
import type { BenchRow } from './bench-row.ts';
import type { BenchScene, ModelSource } from './bench-scene.ts';
import type { Contender, StartState } from './contender.ts';
import {
  createMujocoLinearizer,
  createNexdynLinearizer,
  createNexdynReverser,
  createReverseRace,
} from './derivative-contender.ts';
import {
  createMujocoCompiler,
  createMujocoDetector,
  createMujocoStepper,
  createSettledStepper,
} from './mujoco-contender.ts';
import { findPython, type NativeTimes, timeNative } from './native-peer.ts';
import {
  createCcpStepper,
  createIpcStepper,
  createNexdynCompiler,
  createNexdynDetector,
  createNexdynStepper,
  createSapStepper,
  createSoftStepper,
} from './nexdyn-contender.ts';
import { type RaceOptions, readProcessorTime, runRace } from './race.ts';

/** A row, or why there is none. */
export type BenchOutcome = { row: BenchRow } | { skipped: string } | { failure: string };

/** Runs one scene in both engines: first whether they agree, then how long they take. */
export function benchScene(scene: BenchScene, mujoco: MainModule, options: RaceOptions): BenchOutcome {
  const source = scene.createXml();
  if ('missing' in source) return { skipped: source.missing };
  const [ours, peer, start] = createContenders(scene, source, mujoco);
  try {
    const agreement = scene.formulation || scene.isAgainstStep ? undefined : compareMotion(ours, peer, scene);
    if (agreement?.agrees === false) {
      return { failure: `the engines end ${agreement.difference.toExponential(1)} apart: not timed` };
    }
    const before = raceNative(scene, source, start, 1, options);
    // both are ours: nothing runs outside this process
    const result = runRace(ours, peer, options, scene.isAgainstStep ? readProcessorTime : undefined);
    const native = takeFaster(before, raceNative(scene, source, start, result.blockSteps, options));
    return {
      row: {
        scene: scene.name,
        formulation: scene.formulation ?? 'mujoco',
        solver: scene.solver ?? 'none',
        peer: scene.isAgainstStep ? 'own step' : `mujoco-wasm ${mujoco.mj_versionString()}`,
        ratio: result.ours.minimum / result.peer.minimum,
        oursMs: result.ours.minimum,
        peerMs: result.peer.minimum,
        oursMedianMs: result.ours.median,
        peerMedianMs: result.peer.median,
        ...(scene.target && { target: scene.target }),
        ...(native && {
          native: native.version,
          nativeMs: native.minimum,
          nativeRatio: result.ours.minimum / native.minimum,
          ...(scene.nativeTarget && { nativeTarget: scene.nativeTarget }),
        }),
        task: scene.task,
        dofs: ours.dofs,
        blocks: result.blocks,
        blockSteps: result.blockSteps,
        ...(agreement && { difference: agreement.difference }),
        ...(scene.family && { family: scene.family.name, size: scene.family.size }),
      },
    };
  } finally {
    ours.dispose();
    peer.dispose();
  }
}

/** The native library on the same steps, where there is one; failures are the same for all scenes and said once. */
function raceNative(
  scene: BenchScene,
  source: ModelSource,
  start: StartState | undefined,
  blockSteps: number,
  options: RaceOptions,
): NativeTimes | undefined {
  const python = findPython();
  if (!python || scene.task !== 'step' || scene.isAgainstStep || source.xml.includes('<flexcomp')) return undefined;
  const { solver } = scene;
  const { budget, isProcessorTime } = options;
  const times = timeNative(python, { source, start, solver, blockSteps, budget: budget / 4, isProcessorTime });
  if (!('missing' in times)) return times;
  if (!hasComplained) process.stderr.write(`no native MuJoCo: ${times.missing}\n`);
  hasComplained = true;
  return undefined;
}

let hasComplained = false;

function takeFaster(a: NativeTimes | undefined, b: NativeTimes | undefined): NativeTimes | undefined {
  return a && b && a.minimum < b.minimum ? a : (b ?? a);
}

/** Ours, the peer, and the state that both start from where they have settled. */
type Race = [ours: Contender, peer: Contender, start?: StartState];

function createContenders(scene: BenchScene, source: ModelSource, mujoco: MainModule): Race {
  const { xml } = source;
  switch (scene.task) {
    case 'step':
      return createSteppers(scene, source, mujoco);
    case 'compile':
      return [createNexdynCompiler(xml), createMujocoCompiler(mujoco, xml)];
    case 'linearize':
    case 'vjp':
      return createDerivativeRace(scene, source, mujoco);
    case 'detect': {
      const { contender, position } = createMujocoDetector(mujoco, xml, scene.settleSteps ?? 0);
      return [createNexdynDetector(xml, position), contender];
    }
  }
}

/** Both start where the peer is after settling, or in the initial pose with everything moving. */
function createSteppers(scene: BenchScene, source: ModelSource, mujoco: MainModule): Race {
  const { xml, files } = source;
  if (scene.solver === undefined) return [createNexdynStepper(xml), createMujocoStepper(mujoco, xml)];
  const { contender, start } = createSettledStepper(mujoco, source, scene.settleSteps ?? 0, scene.solver);
  switch (scene.formulation) {
    case 'ccp':
      return [createCcpStepper(xml, start), contender, start];
    case 'sap':
      if (!xml.includes('<flexcomp')) return [createSapStepper(xml, start), contender, start];
      return [createSoftStepper(xml, scene.settleSteps ?? 0, 'sap'), contender];
    case 'ipc':
      if (xml.includes('<flexcomp')) return [createSoftStepper(xml, scene.settleSteps ?? 0, 'ipc'), contender];
      return [createIpcStepper(xml, scene.settleSteps ?? 0), contender, start];
    default:
      return [createNexdynStepper(xml, { start, solver: scene.solver, files }), contender, start];
  }
}

/** Derivatives of ours at the state of the peer after settling, against the peer's or our own steps from there. */
function createDerivativeRace(scene: BenchScene, source: ModelSource, mujoco: MainModule): [Contender, Contender] {
  const { settleSteps = 0, isSameStep = false } = scene;
  if (scene.formulation) return createReverseRace(source, scene.formulation, settleSteps, isSameStep);
  const { contender, start } = createSettledStepper(mujoco, source, settleSteps, 'newton');
  contender.dispose();
  const ours =
    scene.task === 'vjp' ? createNexdynReverser(source, start, isSameStep) : createNexdynLinearizer(source, start);
  const other = scene.isAgainstStep
    ? createNexdynStepper(source.xml, { start, solver: 'newton', files: source.files })
    : createMujocoLinearizer(mujoco, source, start);
  return [ours, other];
}

/** The scenes of some names; all where none is given. */
export function selectScenes(names: readonly string[], scenes: readonly BenchScene[]): BenchScene[] {
  const unknown = names.find((name) => !scenes.some((scene) => scene.name === name));
  if (unknown !== undefined) {
    throw new NexdynError('invalid-argument', `there is no benchmark '${unknown}'`, {
      hint: `choose from ${scenes.map((scene) => scene.name).join(', ')}`,
    });
  }
  return names.length === 0 ? [...scenes] : scenes.filter((scene) => names.includes(scene.name));
}
