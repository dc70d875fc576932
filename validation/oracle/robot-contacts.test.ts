/** Real robots in random poses: the same pairs of shapes touch as in MuJoCo, as deep as in MuJoCo. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compileModel, SHAPE, Simulation } from '@nexdyn/engine';
import { loadScene } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { setRandomState } from './comparison.ts';
import { loadOracle, type Oracle } from './mujoco-oracle.ts';
import { folderFiles, hasModels, listFiles, MODELS } from './shared-data.ts';

const POSES = 12;

function listCases(): { name: string; folder: string; path: string }[] {
  if (!hasModels) return [];
  const menagerie = join(MODELS, 'menagerie');
  const robots = readdirSync(menagerie).map((robot) => {
    const path = readdirSync(join(menagerie, robot)).find((file) => file === 'scene.xml' || file === 'scene_left.xml');
    return { name: robot, folder: join(menagerie, robot), path: path ?? 'scene.xml' };
  });
  return [{ name: 'humanoid', folder: join(MODELS, 'mujoco'), path: 'humanoid.xml' }, ...robots];
}

/** Deepest gap of each pair of shapes that touch. */
function gapsOf(simulation: Simulation): Map<string, number> {
  const set = simulation.contactSet();
  const gaps = new Map<string, number>();
  for (let i = 0; i < set.count; i++) keepDeepest(gaps, `${set.shape1[i]} ${set.shape2[i]}`, set.gap[i]);
  return gaps;
}

function oracleGapsOf(oracle: Oracle): Map<string, number> {
  const gaps = new Map<string, number>();
  const contacts = oracle.data.contact;
  for (let i = 0; i < oracle.data.ncon; i++) {
    const contact = contacts.get(i)!;
    keepDeepest(gaps, Array.from(contact.geom as ArrayLike<number>).join(' '), contact.dist);
  }
  contacts.delete();
  return gaps;
}

function keepDeepest(gaps: Map<string, number>, pair: string, gap: number): void {
  gaps.set(pair, Math.min(gap, gaps.get(pair) ?? Infinity));
}

describe.skipIf(!hasModels)('contacts of models beside the repository (../shared/models or NEXDYN_MODELS)', () => {
  test.each(listCases())('$name', async ({ folder, path }) => {
    const oracle = await loadOracle(listFiles(folder), path);
    const simulation = new Simulation(compileModel(loadScene(path, { files: folderFiles(folder) }).scene));
    const { kind } = simulation.model.shape;
    for (let pose = 1; pose <= POSES; pose++) {
      setRandomState(simulation, oracle, pose);
      simulation.restore(simulation.snapshot());
      oracle.mujoco.mj_forward(oracle.model, oracle.data);
      const theirs = oracleGapsOf(oracle);
      const ours = gapsOf(simulation);
      expect([...ours.keys()].sort()).toEqual([...theirs.keys()].sort());
      for (const [pair, gap] of theirs) {
        const own = ours.get(pair)!;
        const isMeshPair = pair.split(' ').every((s) => kind[Number(s)] === SHAPE.convexMesh);
        // the depth is the least way out: where two meshes overlap deeply, ours may be less than MuJoCo's, never more
        if (isMeshPair && gap < -1e-3) expect(own, `pair ${pair}, pose ${pose}`).toBeGreaterThan(gap - 1e-6);
        else expect(Math.abs(own - gap), `pair ${pair}, pose ${pose}`).toBeLessThan(1e-6);
      }
    }
    oracle.data.delete();
    oracle.model.delete();
  });
});
