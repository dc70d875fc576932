/** Stiffness of the barrier: a pressure, the same for every mesh and time step; it follows loads that press surfaces together. */
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
  const dhat = 1e-3;
  /** A force in N on the cube for some steps: the largest stiffness over that of the scene, and the gap that is left, m. */
  function press(force: number, ipc: IpcOptions = {}): { most: number; gap: number } {
    const simulation = build(cube, { iterations: 400, ...ipc });
    simulation.step(30);
    simulation.applyForce('a', { force: [0, 0, -force] });
    let most = 0;
    for (let n = 0; n < 10; n++) {
      simulation.step();
      expect(simulation.report.minimumDistance).toBeGreaterThan(0);
      most = Math.max(most, simulation.report.barrierStiffness! / kappa);
    }
    const gap = simulation.report.minimumDistance!;
    // without the force it goes back, by half in each step at least
    simulation.clearForces();
    simulation.step(20);
    expect(simulation.report.barrierStiffness).toBe(kappa);
    return { most, gap };
  }
  const calm = build(cube);
  calm.step();
  const kappa = calm.report.barrierStiffness!;
  const area = 4 * (0.24 / 8);
  /** The force that presses to d at κ: F = −κ W d̂ ∂β/∂d. */
  function pressTo(d: number): number {
    const y = (d / dhat) ** 2;
    return kappa * area * dhat * (1 - y) * ((1 - y) / y - 2 * Math.log(y)) * ((2 * d) / dhat ** 2);
  }

  test('it stays as it is while surfaces keep a twentieth of the range', () => {
    const { most, gap } = press(pressTo(0.065 * dhat) - 8 * 9.81);
    expect(most).toBe(1);
    expect(gap / dhat).toBeCloseTo(0.065, 4);
  });

  test('it follows a load until surfaces keep a twentieth of the range, within a quarter', () => {
    for (const d of [0.02, 1e-3, 1e-4]) {
      const { most, gap } = press(pressTo(d * dhat));
      expect(gap).toBeGreaterThan((0.05 / 1.26) * dhat);
      expect(gap).toBeLessThan((0.05 / 0.79) * dhat);
      // F is what this stiffness carries at this gap
      expect(most).toBeLessThan(0.065 / d);
    }
  });

  test('it grows a thousandfold at most, and is reported', () => {
    for (const d of [1e-11, 1e-13, 1e-14, 1e-15]) {
      const { most } = press(pressTo(d));
      expect(most).toBeGreaterThanOrEqual(4);
      expect(most).toBeLessThan(1000 * (1 + 1e-12));
    }
    // one that the user gives is kept
    expect(press(pressTo(1e-11), { barrierStiffness: kappa }).most).toBe(1);
  });

  test('it is part of the state', () => {
    const [one, other] = [build(cube), build(cube)];
    one.step(30);
    for (const simulation of [one, other]) simulation.applyForce('a', { force: [0, 0, -pressTo(1e-3 * dhat)] });
    one.step(4);
    other.restore(one.snapshot());
    for (const simulation of [one, other]) simulation.step(3);
    expect(one.report.barrierStiffness! / kappa).toBeGreaterThan(10);
    expect(other.state.all).toEqual(one.state.all);
  });
});
