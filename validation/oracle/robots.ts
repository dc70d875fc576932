/** Models beside the repository that move: two files of MuJoCo and the scenes of Menagerie, loaded once per test file. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compileModel, type Model, type Scene, type SceneOptions } from '@nexdyn/engine';
import { loadScene } from '@nexdyn/formats';
import { asOldMujoco, mujoco as loadMujoco, loadOracle, type Oracle, takeDamping } from './mujoco-oracle.ts';
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

/** Right hands, simplified copies and multiples of robots that are compared anyway: for `npm run validate`. */
export function isVariant(name: string): boolean {
  return !process.env.NEXDYN_LONG && /_right|_mjx|_base|_gripper|22_humanoids/.test(name) && !name.includes('hfield');
}

/** Options that replace those of the file. */
export interface Replaced {
  tolerance?: number;
  iterations?: number;
  /** Of MuJoCo's collision of curved shapes. */
  collisionTolerance?: number;
}

interface Loaded {
  oracle: Omit<Oracle, 'data'>;
  scene: Scene;
  file: Required<Replaced>;
}

/** What each MuJoCo has loaded. */
const loaded = new WeakMap<object, Map<string, Promise<Loaded>>>();

async function load({ folder, path }: Robot): Promise<Loaded> {
  const oracle = await loadOracle(listFiles(folder), path);
  oracle.data.delete();
  const { tolerance, iterations, ccd_tolerance } = oracle.model.opt;
  const { scene } = loadScene(path, { files: folderFiles(folder) });
  return { oracle, scene, file: { tolerance, iterations, collisionTolerance: ccd_tolerance } };
}

/** The oracle with Newton, whatever the file says, at the first keyframe; and the same model here. The caller deletes the data. */
export async function loadRobot(robot: Robot, replaced: Replaced = {}): Promise<{ oracle: Oracle; model: Model }> {
  const api = await loadMujoco();
  if (!loaded.has(api)) loaded.set(api, new Map());
  const robots = loaded.get(api)!;
  if (!robots.has(robot.name)) robots.set(robot.name, load(robot));
  const { oracle, scene, file } = await robots.get(robot.name)!;
  const { mujoco, model: peer } = oracle;
  const { tolerance, iterations, collisionTolerance } = { ...file, ...replaced };
  peer.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON.value;
  peer.opt.tolerance = tolerance;
  peer.opt.iterations = iterations;
  peer.opt.ccd_tolerance = collisionTolerance;
  if (collisionTolerance < file.collisionTolerance) peer.opt.ccd_iterations = 1000;
  const data = new mujoco.MjData(peer);
  if (peer.nkey > 0) mujoco.mj_resetDataKeyframe(peer, data, 0);
  const options: SceneOptions = {
    ...asOldMujoco(scene).options,
    // points of exact depth, where MuJoCo's are
    ...(collisionTolerance < file.collisionTolerance && { contactPoints: 'spread' }),
    mujoco: { ...scene.options?.mujoco, solver: 'newton', tolerance, iterations },
  };
  const model = compileModel({ ...scene, options });
  if (robot.name.startsWith('trossen_wx250s')) takeDamping(peer, model);
  return { oracle: { mujoco, model: peer, data }, model };
}
