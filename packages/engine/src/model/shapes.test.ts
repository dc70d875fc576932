import '../fields.ts';
import { describe, expect, test } from 'vitest';
import { SHAPE } from '../geometry/shape-kind.ts';
import type { Scene } from '../scene/scene.ts';
import type { Shape } from '../scene/shape.ts';
import { compileModel } from './compile.ts';
import type { ModelShapes } from './model.ts';

const scene = (parts: Partial<Scene>): Scene => ({ format: 'nexdyn-scene', version: 1, ...parts });
const compile = (shape: Shape, parts: Partial<Scene> = {}): ModelShapes =>
  compileModel(scene({ ...parts, shapes: [shape] })).shape;
const row = (values: ArrayLike<number>) => Array.from(values);

describe('shapes', () => {
  test('sizes by kind', () => {
    const cases: [Shape, number[]][] = [
      [{ kind: 'plane' }, [0, 0, 0]],
      [{ kind: 'plane', halfSize: [2, 3] }, [2, 3, 0]],
      [{ kind: 'sphere', radius: 0.5 }, [0.5, 0, 0]],
      [{ kind: 'capsule', radius: 0.5, halfLength: 2 }, [0.5, 2, 0]],
      [{ kind: 'cylinder', radius: 0.5, halfLength: 2 }, [0.5, 2, 0]],
      [{ kind: 'ellipsoid', radii: [1, 2, 3] }, [1, 2, 3]],
      [{ kind: 'box', halfSize: [4, 5, 6] }, [4, 5, 6]],
    ];
    for (const [shape, size] of cases) {
      const compiled = compile(shape);
      expect(row(compiled.size)).toEqual(size);
      expect(compiled.kind[0]).toBe(SHAPE[shape.kind]);
      expect(compiled.asset[0]).toBe(-1);
    }
  });

  test('defaults', () => {
    const shape = compile({ kind: 'sphere', radius: 1 });
    expect(row(shape.friction)).toEqual([1, 0.005, 0.0001]);
    expect(row(shape.color)).toEqual([0.5, 0.5, 0.5, 1]);
    expect([shape.groups[0], shape.mask[0], shape.condim[0], shape.priority[0], shape.solmix[0]]).toEqual([
      1, 1, 3, 0, 1,
    ]);
    expect([shape.margin[0], shape.gap[0], shape.layer[0], shape.material[0]]).toEqual([0, 0, 0, -1]);
    expect(row(shape.solref)).toEqual([0.02, 1]);
    expect(row(shape.solimp)).toEqual([0.9, 0.95, 0.001, 0.5, 2]);
    expect(row(shape.fluid)).toEqual([0, 0, 0, 0, 0]);
    expect(row(shape.orientation)).toEqual([1, 0, 0, 0]);
  });

  test('friction and colour: the shape, then the material, then the default', () => {
    const materials = [
      { name: 'ice' },
      { name: 'rubber', friction: 1.5, rollFriction: 0.01, color: [1, 0, 0, 1] as [number, number, number, number] },
    ];
    const shape = compile(
      { kind: 'sphere', radius: 1, material: 'rubber', spinFriction: 0.2, friction: 0.7 },
      { materials },
    );
    expect(row(shape.friction)).toEqual([0.7, 0.2, 0.01]);
    expect(row(shape.color)).toEqual([1, 0, 0, 1]);
    expect(shape.material[0]).toBe(1);
    expect(
      row(compile({ kind: 'sphere', radius: 1, material: 'rubber', color: [0, 1, 0, 0.5] }, { materials }).color),
    ).toEqual([0, 1, 0, 0.5]);
    expect(row(compile({ kind: 'sphere', radius: 1, material: 'ice' }, { materials }).friction)).toEqual([
      1, 0.005, 0.0001,
    ]);
  });

  test('everything that is given arrives', () => {
    const shape = compile({
      kind: 'box',
      name: 'crate',
      halfSize: [1, 1, 1],
      position: [1, 2, 3],
      orientation: [0, 3, 0, 4],
      collisionGroups: 6,
      collisionMask: 0xffffffff,
      margin: 0.1,
      gap: 0.2,
      fluid: [0.5, 0.25, 1.5, 1, 1],
      layer: 4,
      mujoco: { condim: 6, priority: -2, solmix: 0.3, solref: [-100, -10], solimp: [0.1, 0.2, 0.3, 0.4, 5] },
    });
    expect(shape.name).toEqual(['crate']);
    expect(row(shape.position)).toEqual([1, 2, 3]);
    row(shape.orientation).forEach((value, k) => {
      expect(value).toBeCloseTo([0, 0.6, 0, 0.8][k], 15);
    });
    expect([shape.groups[0], shape.mask[0]]).toEqual([6, 0xffffffff]);
    expect([shape.margin[0], shape.gap[0], shape.layer[0]]).toEqual([0.1, 0.2, 4]);
    expect(row(shape.fluid)).toEqual([0.5, 0.25, 1.5, 1, 1]);
    expect([shape.condim[0], shape.priority[0], shape.solmix[0]]).toEqual([6, -2, 0.3]);
    expect(row(shape.solref)).toEqual([-100, -10]);
    expect(row(shape.solimp)).toEqual([0.1, 0.2, 0.3, 0.4, 5]);
  });

  test('a shape that does not touch is in no group', () => {
    const shape = compile({ kind: 'sphere', radius: 1, contact: 'none', collisionGroups: 3 });
    expect([shape.groups[0], shape.mask[0]]).toEqual([0, 0]);
  });

  test('assets by number', () => {
    const tetrahedron = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
    const { shape, mesh, heightField, size } = compileModel(
      scene({
        meshes: [
          { name: 'm0', vertices: tetrahedron },
          { name: 'm1', vertices: [...tetrahedron, 1, 1, 1], faces: [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3] },
        ],
        heightFields: [
          { name: 'h0', rows: 2, columns: 3, halfSize: [1, 1], baseDepth: 1, heights: [0, 1, 2, 3, 4, 5] },
          { name: 'h1', rows: 2, columns: 2, halfSize: [2, 3], baseDepth: 0.5, heights: [6, 7, 8, 9] },
        ],
        signedDistanceFields: [{ kind: 'torus', name: 't0', majorRadius: 1, minorRadius: 0.2 }],
        shapes: [
          { kind: 'triangleMesh', mesh: 'm1' },
          { kind: 'convexMesh', mesh: 'm0' },
          { kind: 'heightField', heightField: 'h1' },
          { kind: 'signedDistance', field: 't0' },
        ],
      }),
    );
    expect(row(shape.asset)).toEqual([1, 0, 1, 0]);
    expect(size.mesh).toBe(2);
    expect(row(mesh.vertexStart)).toEqual([0, 4]);
    expect(row(mesh.vertexCount)).toEqual([4, 5]);
    expect(row(mesh.faceStart)).toEqual([0, 4]);
    expect(row(mesh.faceCount)).toEqual([4, 4]);
    expect(row(mesh.faces.subarray(12))).toEqual([0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]);
    expect(row(mesh.vertices.subarray(24))).toEqual([1, 1, 1]);
    expect(row(heightField.dataStart)).toEqual([0, 6]);
    expect(row(heightField.heights)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(row(heightField.halfSize)).toEqual([1, 1, 2, 3]);
    expect([...heightField.rows, ...heightField.columns]).toEqual([2, 2, 3, 2]);
  });
});
