/** Bodies without volume: clouds of points, frames of edges, on planes, in holes, through each other's meshes and on fields. */
import {
  type Body,
  compileModel,
  type MeshAsset,
  NexdynError,
  type Scene,
  type Shape,
  Simulation,
  type Vec3,
} from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { IntersectionCheck } from '../../packages/engine/src/testing/world-surfaces.ts';

const corners = [0.1, 0.1, 0.1, -0.1, -0.1, 0.1, -0.1, 0.1, -0.1, 0.1, -0.1, -0.1];
const edges = [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3];
const frame: MeshAsset = { name: 'frame', vertices: corners, edges };
const cloud: MeshAsset = { name: 'cloud', vertices: corners, edges: [] };
const wire = (mesh: string, more: Partial<Shape> = {}): Shape =>
  ({ kind: 'triangleMesh', mesh, mass: 0.5, friction: 0.4, ...more }) as Shape;
const body = (name: string, position: Vec3, shape: Shape, more: Partial<Body> = {}): Body => ({
  name,
  position,
  joints: [{ kind: 'free' }],
  shapes: [shape],
  ...more,
});

function build(parts: Partial<Scene>): Simulation {
  const scene: Scene = { format: 'nexdyn-scene', version: 1, meshes: [frame, cloud], ...parts };
  scene.options = { timestep: 0.01, ...parts.options };
  return new Simulation(compileModel(scene, { formulation: 'ipc' }));
}

/** Steps with no edge through a triangle, and points above the ground. */
function advance(simulation: Simulation, steps: number): void {
  const check = new IntersectionCheck(simulation);
  for (let n = 0; n < steps; n++) {
    expect(simulation.step().status).toBe('converged');
    expect(simulation.report.minimumDistance).toBeGreaterThan(0);
    expect(check.count()).toBe(0);
  }
}

const normalForce = (simulation: Simulation): number =>
  simulation.contactForces().reduce((sum, contact) => sum + contact.normalForce, 0);

describe('a tetrahedron of edges and one of points', () => {
  const turned: Body['orientation'] = [0.9, 0.2, 0.3, 0.1];
  // the insphere of its corners about the middle: a third of the circumradius 0.1 √3
  const height = (0.1 * Math.sqrt(3)) / 3;

  for (const mesh of ['frame', 'cloud']) {
    test(`${mesh}: falls on a plane and lies on three corners`, () => {
      const simulation = build({
        shapes: [{ kind: 'plane', friction: 0.4 }],
        bodies: [body('a', [0, 0, 0.3], wire(mesh), { orientation: turned })],
      });
      advance(simulation, 150);
      expect(normalForce(simulation) / (0.5 * 9.81)).toBeCloseTo(1, 3);
      expect(simulation.bodyPosition[5]).toBeGreaterThan(height);
      expect(simulation.bodyPosition[5]).toBeLessThan(height + 1e-3);
    });

    test(`${mesh}: falls on a box, and on a ring that is a field`, () => {
      const box = build({
        shapes: [{ kind: 'box', halfSize: [1, 1, 0.1], position: [0, 0, -0.1], friction: 0.4 }],
        bodies: [body('a', [0, 0, 0.3], wire(mesh), { orientation: turned })],
      });
      advance(box, 80);
      expect(box.bodyPosition[5]).toBeGreaterThan(height);
      const ring = build({
        options: { timestep: 0.01, ipc: { signedDistancePromise: 'samples' } },
        signedDistanceFields: [{ kind: 'torus', name: 'ring', majorRadius: 0.12, minorRadius: 0.04 }],
        shapes: [{ kind: 'signedDistance', field: 'ring' }],
        bodies: [body('a', [0, 0, 0.3], wire(mesh), { orientation: turned })],
      });
      for (let n = 0; n < 60; n++) expect(ring.step().minimumDistance).toBeGreaterThan(0);
    });
  }

  test('edges are caught by a hole that is smaller than they are long; points fall through', () => {
    // a square hole of half width 0.05 in a sheet without thickness
    const outer = [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0];
    const inner = outer.map((x) => 0.05 * x);
    const holed: MeshAsset = {
      name: 'holed',
      vertices: [...outer, ...inner],
      faces: [0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7],
    };
    const bar: MeshAsset = {
      name: 'bar',
      vertices: [-0.2, 0, 0, 0.2, 0, 0, 0, -0.2, 0, 0, 0.2, 0],
      edges: [0, 1, 2, 3],
    };
    const dust: MeshAsset = {
      name: 'dust',
      vertices: [-0.03, 0, 0, 0.03, 0, 0, 0, -0.03, 0, 0, 0.03, 0.01],
      edges: [],
    };
    for (const [mesh, isCaught] of [
      [bar, true],
      [dust, false],
    ] as const) {
      const simulation = build({
        meshes: [holed, mesh],
        shapes: [{ kind: 'triangleMesh', mesh: 'holed' }],
        bodies: [body('a', [0.003, 0.002, 0.05], wire(mesh.name))],
      });
      advance(simulation, 60);
      if (isCaught) expect(simulation.bodyPosition[5]).toBeGreaterThan(0);
      else expect(simulation.bodyPosition[5]).toBeLessThan(-0.5);
    }
  });

  test('frames and clouds meet each other', () => {
    const cross: MeshAsset = {
      name: 'cross',
      vertices: [0, -0.2, 0, 0, 0.2, 0, -0.2, 0, 0.05, 0.2, 0, 0.05],
      edges: [0, 1, 2, 3],
    };
    const hung = build({
      meshes: [cross],
      shapes: [wire('cross', { orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2], position: [0, 0, -0.2] })],
      bodies: [body('a', [0, 0, 0], wire('cross', { friction: 1 }), { orientation: [0.98, 0, 0, 0.19] })],
    });
    advance(hung, 40);
    const points = build({
      options: { gravity: [0, 0, 0] },
      meshes: [cloud],
      bodies: [body('a', [0, 0, 0], wire('cloud')), body('b', [0, 0, 0.5], wire('cloud'))],
    });
    // straight onto each other, corner to corner
    points.state.velocity[8] = -2;
    for (let n = 0; n < 60; n++) expect(points.step().minimumDistance).toBeGreaterThan(0);
    expect(points.state.velocity[2]).toBeLessThan(-0.1);
  });
});

describe('what a mesh of edges cannot do', () => {
  const refuse = (parts: Partial<Scene>, formulation: 'ipc' | 'sap' = 'ipc'): NexdynError => {
    try {
      const scene: Scene = { format: 'nexdyn-scene', version: 1, ...parts, options: { start: 'refuse' } };
      new Simulation(compileModel(scene, { formulation })).step();
    } catch (error) {
      expect(error).toBeInstanceOf(NexdynError);
      return error as NexdynError;
    }
    throw new Error('nothing was refused');
  };
  const fall = [body('a', [0, 0, 1], wire('m'))];

  test('each is named', () => {
    const mesh = { name: 'm', vertices: corners };
    expect(refuse({ meshes: [{ ...mesh, edges }], bodies: fall }, 'sap')).toMatchObject({
      code: 'unsupported-formulation',
      path: 'meshes[0].edges',
    });
    expect(refuse({ meshes: [{ ...mesh, edges: [0, 1, 2] }], bodies: fall }).message).toMatch(/3 ends of edges/);
    expect(refuse({ meshes: [{ ...mesh, edges: [0, 9] }], bodies: fall }).message).toMatch(/vertex 9 of 4/);
    expect(refuse({ meshes: [{ ...mesh, edges: [1, 1] }], bodies: fall }).message).toMatch(/no length/);
    expect(refuse({ meshes: [{ ...mesh, edges, faces: [0, 1, 2] }], bodies: fall }).message).toMatch(/faces and edges/);
    // a frame through a box, a point of a cloud in one
    const block: Shape = { kind: 'box', halfSize: [0.05, 0.05, 0.05], position: [0.1, 0.1, 1.1], name: 'block' };
    for (const list of [edges, []])
      expect(refuse({ meshes: [{ ...mesh, edges: list }], shapes: [block], bodies: fall }).message).toMatch(
        /"block" .*intersect at the start/,
      );
  });
});
