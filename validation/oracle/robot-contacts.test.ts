/** Real robots in random poses: the same pairs of shapes touch as in MuJoCo, as deep as in MuJoCo. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compileModel, SHAPE, Simulation } from '@nexdyn/engine';
import { loadScene } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { takeCases, takeSamples } from '../../scripts/long-run.ts';
import { setRandomState } from './comparison.ts';
import { loadOracle, type Oracle } from './mujoco-oracle.ts';
import { folderFiles, hasModels, listFiles, MODELS } from './shared-data.ts';

const POSES = takeSamples(12, 0.5);

function listCases(): { name: string; folder: string; path: string }[] {
  if (!hasModels) return [];
  const menagerie = join(MODELS, 'menagerie');
  const robots = readdirSync(menagerie).map((robot) => {
    const path = readdirSync(join(menagerie, robot)).find((file) => file === 'scene.xml' || file === 'scene_left.xml');
    return { name: robot, folder: join(menagerie, robot), path: path ?? 'scene.xml' };
  });
  return [{ name: 'humanoid', folder: join(MODELS, 'mujoco'), path: 'humanoid.xml' }, ...robots];
}

/** Vertices of the hull of a convex mesh where it is now, m. */
function hullOf({ model, derived }: Simulation, shape: number): number[][] {
  const { vertices } = model.geometry.hull[model.shape.asset[shape]]!;
  const { body, position, orientation } = model.shape;
  const bodyAt = derived.bodyPosition.subarray(3 * body[shape]);
  const turn = derived.bodyOrientation.subarray(4 * body[shape]);
  return Array.from({ length: vertices.length / 3 }, (_, i) => {
    const local = rotate(orientation.subarray(4 * shape), vertices.subarray(3 * i));
    const inBody = local.map((x, k) => x + position[3 * shape + k]!);
    return rotate(turn, inBody).map((x, k) => x + bodyAt[k]!);
  });
}

/** v turned by the unit quaternion q (w x y z): v + 2 w (u × v) + 2 u × (u × v). */
function rotate([w, x, y, z]: ArrayLike<number> & Iterable<number>, v: ArrayLike<number>): number[] {
  const cross = (a: ArrayLike<number>, b: ArrayLike<number>): number[] =>
    [0, 1, 2].map((k) => a[(k + 1) % 3]! * b[(k + 2) % 3]! - a[(k + 2) % 3]! * b[(k + 1) % 3]!);
  const axis = [x!, y!, z!];
  const once = cross(axis, v);
  const twice = cross(axis, once);
  return once.map((a, k) => v[k]! + 2 * (w! * a + twice[k]!));
}

/** How far hull b has to move along n to come clear of hull a, m. */
function depthAlong(n: ArrayLike<number>, a: number[][], b: number[][]): number {
  const along = (v: number[]): number => v[0]! * n[0]! + v[1]! * n[1]! + v[2]! * n[2]!;
  return Math.max(...a.map(along)) - Math.min(...b.map(along));
}

/** Deepest gap of each pair of shapes that touch. */
function gapsOf(simulation: Simulation): Map<string, number> {
  const set = simulation.contactSet();
  const gaps = new Map<string, number>();
  for (let i = 0; i < set.count; i++) keepDeepest(gaps, `${set.shape1[i]} ${set.shape2[i]}`, set.gap[i]);
  return gaps;
}

/** The same of MuJoCo, and the normal of each pair. */
function oracleGapsOf(oracle: Oracle): { gaps: Map<string, number>; normals: Map<string, number[]> } {
  const gaps = new Map<string, number>();
  const normals = new Map<string, number[]>();
  const contacts = oracle.data.contact;
  for (let i = 0; i < oracle.data.ncon; i++) {
    const contact = contacts.get(i)!;
    const pair = Array.from(contact.geom as ArrayLike<number>).join(' ');
    keepDeepest(gaps, pair, contact.dist);
    normals.set(pair, Array.from(contact.frame as ArrayLike<number>).slice(0, 3));
  }
  contacts.delete();
  return { gaps, normals };
}

function keepDeepest(gaps: Map<string, number>, pair: string, gap: number): void {
  gaps.set(pair, Math.min(gap, gaps.get(pair) ?? Infinity));
}

describe.skipIf(!hasModels)('contacts of models beside the repository (../shared/models or NEXDYN_MODELS)', () => {
  test.each(takeCases(listCases(), 3))('$name', async ({ folder, path }) => {
    const oracle = await loadOracle(listFiles(folder), path);
    const { scene } = loadScene(path, { files: folderFiles(folder) });
    // points of exact depth
    const options = { ...scene.options, contactPoints: 'spread' } as const;
    const simulation = new Simulation(compileModel({ ...scene, options }));
    const { kind } = simulation.model.shape;
    for (let pose = 1; pose <= POSES; pose++) {
      setRandomState(simulation, oracle, pose);
      simulation.restore(simulation.snapshot());
      oracle.mujoco.mj_forward(oracle.model, oracle.data);
      const { gaps: theirs, normals } = oracleGapsOf(oracle);
      const ours = gapsOf(simulation);
      expect([...ours.keys()].sort()).toEqual([...theirs.keys()].sort());
      for (const [pair, gap] of theirs) {
        const own = ours.get(pair)!;
        const [a, b] = pair.split(' ').map(Number);
        const isMeshPair = kind[a!] === SHAPE.convexMesh && kind[b!] === SHAPE.convexMesh;
        // the depth is the least way out, so no more than the way out along MuJoCo's normal, which is not always the least
        if (isMeshPair && gap < -1e-3) {
          const alongTheirs = depthAlong(normals.get(pair)!, hullOf(simulation, a!), hullOf(simulation, b!));
          expect(-own, `pair ${pair}, pose ${pose}`).toBeLessThan(alongTheirs + 1e-6);
        } else expect(Math.abs(own - gap), `pair ${pair}, pose ${pose}`).toBeLessThan(1e-6);
      }
    }
    oracle.data.delete();
    oracle.model.delete();
  });
});
