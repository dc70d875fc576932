/** Models beside the repository that move: two files of MuJoCo and the scenes of Menagerie, loaded once per test file. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compileModel, type Model, type MujocoOptions } from '@nexdyn/engine';
import { loadScene } from '@nexdyn/formats';
import { loadOracle, type Oracle } from './mujoco-oracle.ts';
import { folderFiles, hasModels, listFiles, MODELS } from './shared-data.ts';

export interface Robot {
  name: string;
  folder: string;
  path: string;
}

export function listRobots(): Robot[] {
  if (!hasModels) return [];
  const robots = ['humanoid', '22_humanoids'].map((name) => ({
    name,
    folder: join(MODELS, 'mujoco'),
    path: `${name}.xml`,
  }));
  const menagerie = join(MODELS, 'menagerie');
  if (!existsSync(menagerie)) return robots;
  for (const name of readdirSync(menagerie)) {
    const folder = join(menagerie, name);
    for (const path of readdirSync(folder))
      if (/^scene.*\.xml$/.test(path)) robots.push({ name: `${name}/${path.replace('.xml', '')}`, folder, path });
  }
  return robots;
}

/** The oracle with Newton, whatever the file says, at the first keyframe; and the same model here, with some options replaced. */
export async function loadRobot(
  { folder, path }: Robot,
  options: Pick<MujocoOptions, 'tolerance' | 'iterations'> = {},
): Promise<{ oracle: Oracle; model: Model }> {
  const oracle = await loadOracle(listFiles(folder), path);
  const { mujoco, model: peer, data } = oracle;
  peer.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON.value;
  if (options.tolerance !== undefined) peer.opt.tolerance = options.tolerance;
  if (options.iterations !== undefined) peer.opt.iterations = options.iterations;
  if (peer.nkey > 0) mujoco.mj_resetDataKeyframe(peer, data, 0);
  const { scene } = loadScene(path, { files: folderFiles(folder) });
  scene.options = { ...scene.options, mujoco: { ...scene.options?.mujoco, solver: 'newton', ...options } };
  return { oracle, model: compileModel(scene) };
}
