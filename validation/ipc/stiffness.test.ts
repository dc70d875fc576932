/** Stiffness of the barrier: a pressure, the same for every mesh and time step; raised within a step where loads press surfaces together. */
import { type Body, compileModel, type IpcOptions, type Scene, type Shape, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

function build(shape: Shape, ipc: IpcOptions = {}, h = 0.01, parts: Partial<Scene> = {}): Simulation {
  const body: Body = { name: 'a', position: [0, 0, 0.1007], joints: [{ kind: 'free' }], shapes: [shape] };
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    shapes: [{ kind: 'plane', friction: 0 }],
    bodies: [body],
    ...parts,
    options: { timestep: h, ipc },
  };
  return new Simulation(compileModel(scene, { formulation: 'ipc' }));
}

const cube: Shape = { kind: 'box', halfSize: [0.1, 0.1, 0.1] };

/** The cube as a mesh with faces of n by n cells. */
function latticeCube(n: number): Partial<Scene> {
  const vertices: number[] = [];
  const faces: number[] = [];
  for (const axis of [0, 1, 2]) {
    for (const side of [-1, 1]) {
      const first = vertices.length / 3;
      for (let j = 0; j <= n; j++) {
        for (let i = 0; i <= n; i++) {
          const x = [0, 0, 0];
          x[axis] = 0.1 * side;
          x[(axis + 1) % 3] = 0.1 * ((2 * i) / n - 1);
          x[(axis + 2) % 3] = 0.1 * ((2 * j) / n - 1);
          vertices.push(...x);
        }
      }
      for (let j = 0; j < n; j++) {
        for (let i = 0; i < n; i++) {
          const a = first + j * (n + 1) + i;
          const quad = side > 0 ? [a, a + 1, a + n + 2, a + n + 1] : [a, a + n + 1, a + n + 2, a + 1];
          faces.push(quad[0]!, quad[1]!, quad[2]!, quad[0]!, quad[2]!, quad[3]!);
        }
      }
    }
  }
  return { meshes: [{ name: 'cube', vertices, faces, inertia: 'exact' }] };
}

describe('where the scene gives none', () => {
  test('neither mesh nor time step changes it, and hardly where a body rests', () => {
    const plain = build(cube);
    plain.step(60);
    const kappa = plain.report.barrierStiffness!;
    // ten times the weight on an eighth of the area at the slope of d̂/2
    expect(kappa / ((10 * 8 * 9.81) / (4.33 * (0.24 / 8)))).toBeCloseTo(1, 3);
    for (const h of [0.002, 0.02]) {
      const other = build(cube, {}, h);
      other.step(Math.round(0.6 / h));
      expect(other.report.barrierStiffness! / kappa).toBeCloseTo(1, 12);
      expect(other.bodyPosition[5]! - plain.bodyPosition[5]!).toBeCloseTo(0, 8);
    }
    for (const n of [1, 3, 6]) {
      const mesh = build({ kind: 'triangleMesh', mesh: 'cube' }, {}, 0.01, latticeCube(n));
      mesh.step(60);
      expect(mesh.report.barrierStiffness! / kappa).toBeCloseTo(1, 9);
      // corners count parts of the side faces, too, points inside the lower face none: within a few hundredths of d̂
      expect(Math.abs(mesh.bodyPosition[5]! - plain.bodyPosition[5]!)).toBeLessThan(0.05 * 1e-3);
    }
  });
});

describe('under loads beyond all bounds', () => {
  /** The largest stiffness of steps under a force, over that of the scene. */
  function press(force: number, ipc: IpcOptions = {}): number {
    const simulation = build(cube, { iterations: 400, ...ipc });
    simulation.step(30);
    simulation.applyForce('a', { force: [0, 0, -force] });
    let most = 0;
    for (let n = 0; n < 10; n++) {
      simulation.step();
      expect(simulation.report.minimumDistance).toBeGreaterThan(0);
      most = Math.max(most, simulation.report.barrierStiffness! / kappa);
    }
    // without the force the next step begins anew
    simulation.clearForces();
    simulation.step(20);
    expect(simulation.report.barrierStiffness).toBe(kappa);
    return most;
  }
  const calm = build(cube);
  calm.step();
  const kappa = calm.report.barrierStiffness!;

  test('it stays as it is where surfaces are not all but in touch', () => {
    expect(press(1e5)).toBe(1);
  });

  test('it doubles within the step, is reported, and never beyond a hundred times', () => {
    // at the stiffness of the scene F = 2 κ A d̂/d presses to d, far below 1e-9 of the body
    const area = 4 * (0.24 / 8);
    const pressTo = (d: number): number => (2 * kappa * area * 1e-3) / d;
    for (const [d, least] of [
      [1e-11, 2],
      [1e-13, 4],
      [1e-14, 4],
      [1e-15, 4],
    ] as const) {
      const most = press(pressTo(d));
      expect(most).toBeGreaterThanOrEqual(least);
      expect(most).toBeLessThan(100 * (1 + 1e-12));
      expect(Math.min(Math.abs(Math.log2(most) - Math.round(Math.log2(most))), Math.abs(most - 100))).toBeLessThan(
        1e-9,
      );
    }
    // one that the user gives is kept
    expect(press(pressTo(1e-11), { barrierStiffness: kappa })).toBe(1);
  });
});
