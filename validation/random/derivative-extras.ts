/**
 * What random scenes of derivatives may have on top: energies of terms on bodies and soft vertices, contact by hydroelastic pressure, and
 * bodies that stick to what they touch.
 */
import type { Actuator, Body, Scene, Shape, Vec3 } from '@nexdyn/engine';
import { createRandom } from './random-scene.ts';

type SceneTerm = NonNullable<Scene['terms']>[number];
/** A point of a body in its frame, or a vertex of a soft body. */
type SceneTermPoint = { body: string; at: Vec3 } | { softBody: string; vertex: number };

export type DerivativeExtra = 'terms' | 'patches' | 'adhesion';

/** The scene with one of these on top, from a seed. */
export function addExtra(scene: Scene, extra: DerivativeExtra, seed: number): Scene {
  const random = createRandom(seed + 15485863);
  if (extra === 'terms') return { ...scene, terms: createTerms(scene, random) };
  if (extra === 'patches') return usePatches(scene, random);
  const stuck = listBodies(scene.bodies).filter((body) => (body.shapes ?? []).length > 0);
  const actuators = stuck.map<Actuator>(({ name }, k) => ({
    kind: 'adhesion',
    name: `glue ${k}`,
    transmission: { kind: 'body', body: name! },
    gain: 10 * random(),
  }));
  return { ...scene, actuators: [...(scene.actuators ?? []), ...actuators] };
}

function listBodies(bodies: readonly Body[] | undefined): Body[] {
  return (bodies ?? []).flatMap((body) => [body, ...listBodies(body.bodies)]);
}

// one to three of the built-in kinds, each on what moves and on the world
function createTerms(scene: Scene, random: () => number): SceneTerm[] {
  const vector = (size: number): Vec3 => [random() - 0.5, random() - 0.5, random() - 0.5].map((x) => size * x) as Vec3;
  const moving: SceneTermPoint[] = listBodies(scene.bodies).map(({ name }) => ({ body: name!, at: vector(0.2) }));
  for (const { name } of scene.softBodies ?? [])
    moving.push({ softBody: name!, vertex: 1 }, { softBody: name!, vertex: 2 });
  const points: SceneTermPoint[] = [...moving, { body: 'world', at: [vector(0.4)[0], vector(0.4)[1], 1.4] }];
  const last = points.length - 1;
  const pairs = moving.map<[number, number]>((_, i) => [i, random() < 0.5 && i > 0 ? i - 1 : last]);
  const list: SceneTerm[] = [
    {
      kind: 'springNetwork',
      name: 'net',
      points,
      springs: pairs.map((between) => ({ between, restLength: 0.5 * random() })),
      stiffness: 100 * random(),
      damping: random(),
    },
    { kind: 'magnet', name: 'magnet', points, pairs, strength: random() - 0.3, softening: 0.1 },
    { kind: 'wind', name: 'wind', points: moving, velocity: vector(4), drag: 0.5 * random() },
  ];
  const chosen = list.filter(() => random() < 0.5);
  return chosen.length > 0 ? chosen : [list[0]!];
}

// the lower one soft by its modulus, or rigid to the upper one
function usePatches(scene: Scene, random: () => number): Scene {
  const isRigid = random() < 0.3;
  const change = (shape: Shape): Shape => {
    const modulus = 10 ** (4.5 + 1.5 * random());
    const isLeftRigid = isRigid && shape.name === 'bottom';
    return {
      ...shape,
      contact: 'hydroelastic',
      ...(!isLeftRigid && { hydroelastic: { modulus, ...(random() < 0.3 && { resolution: 0.06 }) } }),
    } as Shape;
  };
  const bodies = (list: readonly Body[] | undefined): Body[] =>
    (list ?? []).map((body) => ({ ...body, shapes: (body.shapes ?? []).map(change) }));
  return { ...scene, shapes: (scene.shapes ?? []).map(change), bodies: bodies(scene.bodies) };
}
