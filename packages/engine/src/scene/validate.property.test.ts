/** Random sound scenes are accepted, and any single fault in one is found at its very place. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../scripts/long-run.ts';
import { NexdynError } from '../error.ts';
import type { Body } from './body.ts';
import type { Joint } from './joint.ts';
import { formatPath, type Place, placeBelow } from './place.ts';
import type { Scene } from './scene.ts';
import { sceneSchema } from './scene-schema.ts';
import { type SchemaNode, number as schemaOfNumber } from './schema.ts';
import type { Shape } from './shape.ts';
import { validateScene } from './validate.ts';

const number = fc.double({ min: -10, max: 10, noNaN: true });
const size = fc.double({ min: 0.01, max: 2, noNaN: true });
const vec3 = fc.tuple(number, number, number);
const direction = vec3.filter((v) => Math.hypot(...v) > 1e-3);
const quaternion = fc.tuple(number, number, number, number).filter((q) => Math.hypot(...q) > 1e-3);

const axisJoint = <K extends 'hinge' | 'slide'>(kind: K) =>
  fc.record(
    {
      kind: fc.constant(kind),
      axis: direction,
      anchor: vec3,
      damping: size,
      limit: fc.record({ range: fc.tuple(number, size).map(([low, width]): [number, number] => [low, low + width]) }),
    },
    { requiredKeys: ['kind'] },
  );

/** Sets of joints that may stand together on a body below the top. */
const joints = fc.oneof(
  fc.constant<Joint[]>([]),
  fc.array(fc.oneof(axisJoint('hinge'), axisJoint('slide')), { minLength: 1, maxLength: 6 }),
  fc.tuple(axisJoint('hinge'), fc.constant({ kind: 'ball' as const }), axisJoint('slide')),
) as fc.Arbitrary<Joint[]>;

const shape: fc.Arbitrary<Shape> = fc.oneof(
  fc.record({ kind: fc.constant('sphere' as const), radius: size }),
  fc.record(
    { kind: fc.constant('capsule' as const), radius: size, halfLength: size, position: vec3, orientation: quaternion },
    { requiredKeys: ['kind', 'radius', 'halfLength'] },
  ),
  fc.record({
    kind: fc.constant('box' as const),
    halfSize: fc.tuple(size, size, size),
    material: fc.constant('stuff'),
  }),
  fc.record({ kind: fc.constant('convexMesh' as const), mesh: fc.constant('wedge') }),
);

/** Moments of a body that exists: sums of two of three second moments of mass. */
const inertia = fc
  .tuple(size, size, size, size)
  .map(([mass, x, y, z]): Body['inertia'] => ({ kind: 'principal', mass, moments: [y + z, x + z, x + y] }));

const { body } = fc.letrec<{ body: Body }>((tie) => ({
  body: fc.record(
    {
      position: vec3,
      orientation: quaternion,
      joints,
      shapes: fc.array(shape, { maxLength: 2 }),
      sites: fc.array(fc.record({ position: vec3 }, { requiredKeys: [] }), { maxLength: 2 }),
      inertia,
      bodies: fc.array(tie('body'), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Body>,
}));

/** A random scene: a random tree, then names, and couplings that use them. */
const scene: fc.Arbitrary<Scene> = fc
  .tuple(fc.array(body, { maxLength: 3 }), fc.boolean(), fc.nat())
  .map(([bodies, floats, seed]) => {
    const built: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      options: { timestep: 0.01, mujoco: { solver: 'newton' } },
      materials: [{ name: 'stuff', friction: 0.5 }],
      meshes: [{ name: 'wedge', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], faces: [0, 1, 2] }],
      shapes: [{ kind: 'plane', name: 'floor' }],
      sites: [{ name: 'origin' }],
      bodies,
    };
    const first = bodies[0];
    if (first && floats) first.joints = [{ kind: 'free' }];
    couple(built, seed);
    // plain copies: shrinking may share parts between bodies
    return JSON.parse(JSON.stringify(built)) as Scene;
  });

/** Names everything in the tree and adds couplings between randomly chosen things. */
function couple(built: Scene, seed: number): void {
  const copy = JSON.parse(JSON.stringify(built.bodies)) as Body[];
  built.bodies = copy;
  const names = { bodies: ['world'], scalarJoints: [] as string[], sites: ['origin'], shapes: ['floor'] };
  const visit = (body: Body) => {
    names.bodies.push((body.name = `body${names.bodies.length}`));
    for (const joint of body.joints ?? []) {
      if (joint.kind === 'hinge' || joint.kind === 'slide') {
        names.scalarJoints.push((joint.name = `joint${names.scalarJoints.length}`));
      }
    }
    for (const site of body.sites ?? []) names.sites.push((site.name = `site${names.sites.length}`));
    for (const shape of body.shapes ?? []) names.shapes.push((shape.name = `shape${names.shapes.length}`));
    body.bodies?.forEach(visit);
  };
  copy.forEach(visit);
  const pick = (list: string[], offset: number) => list[(seed + offset) % list.length];
  built.contactExcludes = [{ body1: pick(names.bodies, 0), body2: pick(names.bodies, 1) }];
  if (names.bodies.length > 1) {
    built.equalities = [{ kind: 'weld', body1: pick(names.bodies, 0), body2: pick(names.bodies, 1) }];
    built.softBodies = [
      {
        mesh: { kind: 'box', halfSize: [1, 1, 1], cells: [1, 1, 1] },
        elasticity: { youngsModulus: 1e4, poissonRatio: 0.3 },
        attachments: [{ vertices: [0, 1], body: pick(names.bodies, 2) }],
      },
    ];
  }
  if (names.scalarJoints.length > 0) {
    const joint = pick(names.scalarJoints, 0);
    built.actuators = [{ kind: 'position', transmission: { kind: 'joint', joint }, stiffness: 10 }];
    built.tendons = [{ kind: 'fixed', terms: [{ joint: pick(names.scalarJoints, 1), coefficient: 2 }] }];
  }
  if (names.sites.length > 1) {
    const path = [0, 1].map((i) => ({ kind: 'site' as const, site: pick(names.sites, i) }));
    built.tendons = [...(built.tendons ?? []), { kind: 'spatial', path }];
  }
  if (names.shapes.length > 1) built.contactPairs = [{ shape1: pick(names.shapes, 0), shape2: pick(names.shapes, 1) }];
}

/** Every value in a scene with its schema, whether it may be absent, and what holds it. */
interface Spot {
  node: SchemaNode;
  value: unknown;
  place: Place;
  holder: Record<string | number, unknown>;
  required: boolean;
}

function listSpots(node: SchemaNode, value: unknown, place?: Place): Spot[] {
  switch (node.type) {
    case 'reference':
      return listSpots(node.target(), value, place);
    case 'tagged':
      return listSpots(node.members.get((value as { kind: string }).kind)!, value, place);
    case 'array':
    case 'numbers': {
      const item: SchemaNode = node.type === 'array' ? node.items : schemaOfNumber();
      const list = value as unknown[] & Record<string | number, unknown>;
      return list.flatMap((content, i) => {
        const at = placeBelow(place, i);
        const spot: Spot = { node: item, value: content, place: at, holder: list, required: false };
        return [spot, ...listSpots(item, content, at)];
      });
    }
    case 'object':
      return [...node.fields].flatMap(([key, field]) => {
        const holder = value as Record<string, unknown>;
        if (holder[key] === undefined) return [];
        const at = placeBelow(place, key);
        const spot: Spot = { node: field.schema, value: holder[key], place: at, holder, required: !field.optional };
        return [spot, ...listSpots(field.schema, holder[key], at)];
      });
    default:
      return [];
  }
}

const REFERENCES = new Set(['material', 'mesh', 'body1', 'body2', 'body', 'joint', 'site', 'shape1', 'shape2']);

/** Ways to spoil one spot: which spots, how, and what is reported where. */
const corruptions: Record<
  string,
  { fits: (spot: Spot) => boolean; spoil: (spot: Spot) => void; code: string; below?: string }
> = {
  'a number becomes NaN': {
    fits: ({ value }) => typeof value === 'number',
    spoil: ({ holder, place }) => (holder[place.key] = Number.NaN),
    code: 'invalid-value',
  },
  'a value has another type': {
    fits: () => true,
    spoil: ({ holder, place, value }) => (holder[place.key] = typeof value === 'object' ? 'text' : { odd: true }),
    code: 'invalid-value',
  },
  'a required field is gone': {
    fits: ({ required }) => required,
    spoil: ({ holder, place }) => delete holder[place.key],
    code: 'missing-value',
  },
  'a field too many': {
    fits: ({ value }) => typeof value === 'object' && !Array.isArray(value),
    spoil: ({ value }) => ((value as Record<string, unknown>)['colour'] = 1),
    code: 'unknown-field',
    below: 'colour',
  },
  'a reference to nothing': {
    fits: ({ value, place }) => typeof value === 'string' && REFERENCES.has(String(place.key)),
    spoil: ({ holder, place }) => (holder[place.key] = 'nothing of that name'),
    code: 'unknown-reference',
  },
};

const RUNS = takeSamples(300, 0.15);

describe('random scenes', () => {
  test('are sound, and survive JSON', () => {
    fc.assert(
      fc.property(scene, (sample) => {
        expect(validateScene(sample)).toBe(sample);
        const copy = JSON.parse(JSON.stringify(sample));
        expect(validateScene(copy)).toEqual(sample);
      }),
      { numRuns: RUNS },
    );
  });

  test.each(Object.entries(corruptions))('%s: found at its place', (_, { fits, spoil, code, below }) => {
    let spoilt = 0;
    fc.assert(
      fc.property(scene, fc.nat(), (sample, choice) => {
        const spots = listSpots(sceneSchema, sample).filter(fits);
        const spot = spots[choice % spots.length];
        spoil(spot);
        spoilt++;
        const path = formatPath(below === undefined ? spot.place : placeBelow(spot.place, below));
        let found: unknown;
        try {
          validateScene(sample);
        } catch (error) {
          found = error;
        }
        expect(found).toBeInstanceOf(NexdynError);
        expect(found).toMatchObject({ code, path });
      }),
      { numRuns: RUNS },
    );
    expect(spoilt).toBeGreaterThanOrEqual(RUNS);
  });

  test('reach every kind of coupling and deep trees', () => {
    const seen = new Set<string>();
    let deepest = 0;
    for (const sample of fc.sample(scene, { numRuns: takeSamples(200, 0.4), seed: 1 })) {
      for (const key of Object.keys(sample)) seen.add(key);
      for (const { place } of listSpots(sceneSchema, sample)) {
        deepest = Math.max(deepest, formatPath(place).split('bodies[').length - 1);
      }
    }
    for (const key of ['actuators', 'tendons', 'equalities', 'softBodies', 'contactPairs']) expect(seen).toContain(key);
    expect(deepest).toBeGreaterThanOrEqual(3);
  });
});
