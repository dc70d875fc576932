/** Pairs of shapes on which derivatives of a step are compared: each that moves on each other, and on ground; one hits the other without weight. */
import type { Body, Scene, Shape, Vec3 } from '@nexdyn/engine';
import { FREE } from '../case-scene.ts';
import type { DerivativeKind } from './derivative-kinds.ts';

/** Shapes that move, of about the same size, m. */
const MOVING: Readonly<Record<string, object>> = {
  sphere: { kind: 'sphere', radius: 0.1 },
  capsule: { kind: 'capsule', radius: 0.05, halfLength: 0.08 },
  cylinder: { kind: 'cylinder', radius: 0.07, halfLength: 0.08 },
  ellipsoid: { kind: 'ellipsoid', radii: [0.12, 0.09, 0.07] },
  box: { kind: 'box', halfSize: [0.09, 0.07, 0.06] },
  mesh: { kind: 'convexMesh', mesh: 'wedge' },
  field: { kind: 'signedDistance', field: 'ring' },
};
const GROUND: Readonly<Record<string, object>> = {
  plane: { kind: 'plane' },
  terrain: { kind: 'heightField', heightField: 'hills', position: [0, 0, -0.05] },
  triangles: { kind: 'triangleMesh', mesh: 'tent' },
};

const ASSETS: Partial<Scene> = {
  meshes: [
    {
      name: 'wedge',
      vertices: [-0.1, -0.1, -0.05, 0.1, -0.1, -0.05, 0.1, 0.1, -0.05, -0.1, 0.1, -0.05, -0.1, 0, 0.08, 0.1, 0, 0.08],
      faces: [0, 2, 1, 0, 3, 2, 0, 1, 5, 0, 5, 4, 3, 4, 5, 3, 5, 2, 0, 4, 3, 1, 2, 5],
    },
    {
      name: 'tent',
      vertices: [-0.5, -0.5, -0.1, 0.5, -0.5, -0.1, 0.5, 0.5, -0.1, -0.5, 0.5, -0.1, 0.03, 0.05, 0],
      faces: [0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4, 0, 2, 1, 0, 3, 2],
    },
  ],
  heightFields: [
    {
      name: 'hills',
      rows: 4,
      columns: 4,
      halfSize: [0.4, 0.4],
      baseDepth: 0.2,
      heights: [0.01, 0.04, 0.02, 0.05, 0.03, 0.06, 0.04, 0.01, 0.02, 0.05, 0.03, 0.04, 0.05, 0.01, 0.06, 0.02],
    },
  ],
  signedDistanceFields: [{ name: 'ring', kind: 'torus', majorRadius: 0.1, minorRadius: 0.04 }],
};

const move = (name: string, shape: object, position: Vec3, orientation: [number, number, number, number]): Body => ({
  name,
  position,
  orientation,
  joints: FREE,
  shapes: [{ ...shape, friction: 0.4, density: 500 } as Shape],
});

export const PAIR_KINDS: Readonly<Record<string, DerivativeKind>> = Object.fromEntries(
  Object.entries(MOVING).flatMap(([upper, shape], i) => {
    const above = move('upper', shape, [0.02, 0.01, 0.4], [0.93, 0.24, -0.2, 0.19]);
    const onGround = Object.entries(GROUND).map(([ground, below]): [string, DerivativeKind] => [
      `${upper} on ${ground}`,
      {
        title: `${upper} and ${ground}`,
        parts: { ...ASSETS, shapes: [{ ...below, friction: 0.5 } as Shape], bodies: [above] },
        when: 'touch',
      },
    ]);
    const onMoving = Object.entries(MOVING)
      .slice(i)
      .map(([lower, below]): [string, DerivativeKind] => [
        `${upper} on ${lower}`,
        {
          title: `${upper} and ${lower}`,
          parts: { ...ASSETS, bodies: [move('lower', below, [0, 0, 0], [0.97, -0.1, 0.15, 0.16]), above] },
          when: 'touch',
        },
      ]);
    return [...onGround, ...onMoving];
  }),
);
