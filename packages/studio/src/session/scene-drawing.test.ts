import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { packPoses } from './pose-frame.ts';
import { describeDrawing } from './scene-drawing.ts';

const scene: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  meshes: [
    { name: 'tet', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], faces: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] },
  ],
  heightFields: [{ name: 'hill', rows: 2, columns: 3, halfSize: [3, 1], baseDepth: 0.5, heights: [0, 1, 0, 2, 3, 4] }],
  signedDistanceFields: [{ kind: 'torus', name: 'ring', majorRadius: 0.5, minorRadius: 0.1 }],
  shapes: [
    { kind: 'plane', halfSize: [4, 5] },
    { kind: 'heightField', heightField: 'hill' },
  ],
  bodies: [
    {
      name: 'arm',
      position: [0, 0, 2],
      joints: [{ kind: 'hinge', anchor: [0, 0, 0.5], axis: [0, 1, 0] }],
      shapes: [{ kind: 'capsule', radius: 0.1, halfLength: 0.3, color: [1, 0, 0, 0.5], layer: 3, name: 'link' }],
      sites: [{ name: 'tip', position: [0, 0, -0.4], radius: 0.02 }],
      bodies: [
        {
          name: 'hand',
          position: [0, 0, -1],
          joints: [{ kind: 'slide' }],
          shapes: [
            { kind: 'box', halfSize: [0.1, 0.2, 0.3] },
            { kind: 'triangleMesh', mesh: 'tet' },
          ],
        },
      ],
    },
    {
      name: 'drone',
      joints: [{ kind: 'free' }],
      shapes: [
        { kind: 'sphere', radius: 0.25 },
        { kind: 'convexMesh', mesh: 'tet' },
        { kind: 'signedDistance', field: 'ring' },
        { kind: 'ellipsoid', radii: [1, 2, 3] },
        { kind: 'cylinder', radius: 1, halfLength: 2 },
      ],
    },
    { name: 'drawer', joints: [{ kind: 'slide' }], shapes: [{ kind: 'sphere', radius: 1 }] },
  ],
};

describe('drawing of a model', () => {
  const simulation = new Simulation(compileModel(scene));
  const drawing = describeDrawing(simulation.model);
  const bodyOf = (name: string): number => drawing.bodyNames.indexOf(name);

  test('every shape is drawn, with size, colour, layer and body', () => {
    expect(drawing.notDrawn).toEqual([]);
    expect(drawing.shapes.map(({ kind }) => kind).sort()).toEqual(
      [
        'plane',
        'heightField',
        'capsule',
        'box',
        'mesh',
        'sphere',
        'mesh',
        'torus',
        'ellipsoid',
        'cylinder',
        'sphere',
      ].sort(),
    );
    const link = drawing.shapes.find(({ name }) => name === 'link');
    expect(link).toMatchObject({ body: bodyOf('arm'), layer: 3, color: [1, 0, 0, 0.5] });
    expect(link?.size.slice(0, 2)).toEqual([0.1, 0.3]);
    expect(drawing.shapes.find(({ kind }) => kind === 'torus')?.size.slice(0, 2)).toEqual([0.5, 0.1]);
  });

  test('a mesh used twice is prepared once, where the model puts it', () => {
    expect(drawing.meshes).toHaveLength(1);
    const mesh = drawing.meshes[0]!;
    expect(mesh.positions).toHaveLength(4 * 9);
    // vertex and shape frame together give the vertices of the file, in the frame of the body
    const shape = drawing.shapes.find(({ kind, body }) => kind === 'mesh' && body === bodyOf('hand'))!;
    const [w, x, y, z] = shape.orientation;
    const corners = new Set<string>();
    for (let i = 0; i < mesh.positions.length; i += 3) {
      const [px, py, pz] = mesh.positions.subarray(i, i + 3) as unknown as [number, number, number];
      const [tx, ty, tz] = [2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)];
      const point = [
        px + w * tx + (y * tz - z * ty) + shape.position[0],
        py + w * ty + (z * tx - x * tz) + shape.position[1],
        pz + w * tz + (x * ty - y * tx) + shape.position[2],
      ];
      corners.add(point.map((value) => Math.round(value * 1e5) / 1e5 + 0).join(' '));
    }
    expect([...corners].sort()).toEqual(['0 0 0', '0 0 1', '0 1 0', '1 0 0']);
  });

  test('terrain and sites are carried over', () => {
    expect(drawing.heightFields).toMatchObject([{ rows: 2, columns: 3, halfSize: [3, 1], baseDepth: 0.5 }]);
    expect([...drawing.heightFields[0]!.heights]).toEqual([0, 1, 0, 2, 3, 4]);
    expect(drawing.sites).toMatchObject([{ name: 'tip', body: bodyOf('arm'), shape: 'sphere', size: [0.02, 0, 0] }]);
  });

  test('a tree on a hinge is carried by it, what flies by itself, what slides by nothing', () => {
    expect(drawing.carrier[bodyOf('arm')]).toBe(bodyOf('arm'));
    expect(drawing.carrier[bodyOf('hand')]).toBe(bodyOf('arm'));
    expect(drawing.carrier[bodyOf('drone')]).toBe(bodyOf('drone'));
    expect(drawing.carrier[bodyOf('drawer')]).toBe(-1);
    expect(drawing.flying).toEqual([bodyOf('drone')]);
    expect(drawing.isAllFlying).toBe(false);
    const alone = describeDrawing(compileModel({ ...scene, bodies: [scene.bodies![1]!] }));
    expect(alone.isAllFlying).toBe(true);
    expect([...drawing.pivot.subarray(3 * bodyOf('arm'), 3 * bodyOf('arm') + 3)]).toEqual([0, 0, 0.5]);
  });

  test('poses of the initial state', () => {
    simulation.forward();
    const poses = packPoses(simulation);
    const hand = bodyOf('hand');
    expect(poses).toHaveLength(7 * 5);
    expect([...poses.subarray(7 * hand, 7 * hand + 7)]).toEqual([0, 0, 1, 1, 0, 0, 0]);
  });
});
