import { describe, expect, test } from 'vitest';
import '../compliance.ts';
import '../formulation/ccp/provide.ts';
import '../formulation/ipc/provide.ts';
import '../formulation/penalty/provide.ts';
import '../formulation/sap/provide.ts';
import '../terms.ts';
import { createTurns } from '../../../../scripts/long-run.ts';
import { Ruler } from '../diagnostics/ruler.ts';
import { compileModel } from '../model/compile.ts';
import type { Coordinates, FormulationId, SceneOptions } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import type { SceneTerm } from '../scene/term.ts';
import { Simulation } from '../simulation.ts';
import { measureKeptMemory } from '../testing/heap-growth.ts';
import { createPointTerm } from './point-term.ts';

const takeTurn = createTurns();

const FORMULATIONS: FormulationId[] = ['mujoco', 'sap', 'ccp', 'ipc'];
const head = { format: 'nexdyn-scene', version: 1 } as const;
const exact: SceneOptions = {
  mujoco: { tolerance: 0, iterations: 200 },
  sap: { relativeTolerance: 1e-14 },
  ccp: { tolerance: 1e-14 },
  ipc: { tolerance: 1e-9 },
};

function ball(name: string, position: [number, number, number], mass = 2): NonNullable<Scene['bodies']>[number] {
  return {
    name,
    position,
    joints: [{ kind: 'free' }],
    inertia: { kind: 'principal', mass, moments: [0.01, 0.02, 0.03] },
  };
}

function simulate(scene: Partial<Scene>, formulation: FormulationId, coordinates?: Coordinates): Simulation {
  // formulas below are those of backward Euler
  const euler = { integrator: 'semiImplicit' as const, timestep: 0.01, gravity: [0, 0, 0] as [number, number, number] };
  const options = { ...euler, ...exact, ...scene.options };
  const choice = { formulation, ...(coordinates && { coordinates }) };
  return new Simulation(compileModel({ ...head, ...scene, options } as Scene, choice));
}

const spring = (stiffness: number, damping = 0): SceneTerm => ({
  kind: 'springNetwork',
  name: 'tether',
  points: [{ body: 'ball' }, { body: 'world' }],
  springs: [{ between: [0, 1], stiffness, restLength: 0, damping }],
});

describe.each(FORMULATIONS)('a mass on a spring under %s', (formulation) => {
  const test = takeTurn();
  // k = 2e6 N/m on 2 kg: ω h = 10, where an explicit step explodes at ω h = 2
  test.each([2e2, 2e6])('follows implicit Euler at k = %s', (k) => {
    const simulation = simulate({ bodies: [ball('ball', [0.3, 0, -0.1])], terms: [spring(k)] }, formulation);
    const [h, square] = [0.01, k / 2];
    // ccp gives bilateral rows a compliance of 1e-9 of their inverse mass: 1e-7 of that of the stiff spring
    const digits = formulation === 'ccp' && k > 1e6 ? 7 : 9;
    let [x, v] = [0.3, 0];
    const before = Math.hypot(x * Math.sqrt(square), v);
    for (let n = 0; n < 20; n++) {
      simulation.step();
      v = (v - h * square * x) / (1 + h * h * square);
      x += h * v;
      expect(simulation.bodyPosition[3]).toBeCloseTo(x, digits);
    }
    // amplitude ratio 1/√(1 + h² ω²) per step
    const ratio = Math.hypot(x * Math.sqrt(square), v) / before;
    expect(ratio / (1 + h * h * square) ** -10).toBeCloseTo(1, 6);

    expect(simulation.bodyPosition[5]).toBeCloseTo(-x / 3, 9);
  });

  test('weight scales the term, also while it runs', () => {
    const heavy = simulate(
      { bodies: [ball('ball', [0.3, 0, 0])], terms: [{ ...spring(100), weight: 4 }] },
      formulation,
    );
    const stiff = simulate({ bodies: [ball('ball', [0.3, 0, 0])], terms: [spring(400)] }, formulation);
    heavy.step(10);
    stiff.step(10);
    expect(heavy.bodyPosition[3]).toBeCloseTo(stiff.bodyPosition[3], 12);
    heavy.terms[0].weight = 0;
    const [v] = heavy.state.velocity;
    heavy.step(5);
    expect(heavy.state.velocity[0]).toBe(v);
  });

  test('a damper on the spring takes its share', () => {
    const [k, c, h] = [200, 30, 0.01];
    const simulation = simulate({ bodies: [ball('ball', [0.3, 0, 0])], terms: [spring(k, c)] }, formulation);
    let [x, v] = [0.3, 0];
    for (let n = 0; n < 20; n++) {
      simulation.step();
      v = (2 * v - h * k * x) / (2 + h * c + h * h * k);
      x += h * v;
    }
    expect(simulation.bodyPosition[3]).toBeCloseTo(x, 9);
  });

  test('read-outs: energy, force, and the ruler sees no energy created', () => {
    const simulation = simulate(
      { bodies: [ball('ball', [0.3, 0, 0.4])], terms: [spring(200)], options: { gravity: [0, 0, -10] } },
      formulation,
    );
    const ruler = new Ruler(simulation);
    const list = simulation.termEnergies();
    const tether = list.find(({ name }) => name === 'tether');
    expect(tether?.energy).toBeCloseTo(0.5 * 200 * 0.25, 12);
    expect(tether?.force).toBeCloseTo(100, 12);
    expect(list.find(({ name }) => name === 'gravity')?.energy).toBeCloseTo(2 * 10 * 0.4, 12);
    const [fx, , fz] = simulation.termForce('tether', 'ball').force;
    expect([fx, fz]).toEqual([expect.closeTo(-60, 10), expect.closeTo(-80, 10)]);
    const { kinetic, potential, total } = simulation.energy();
    expect(potential).toBeCloseTo(25 + 8, 10);
    expect(total).toBe(kinetic + potential);
    for (let n = 0; n < 50; n++) {
      simulation.step();
      const { energyCreated, momentumResidual } = ruler.measure();
      // implicit Euler only loses; the force that is reported explains the motion
      expect(energyCreated).toBeLessThan(1e-9);
      expect(energyCreated).toBeGreaterThan(-0.5);
      expect(momentumResidual).toBeLessThan(1e-6);
    }
  });

  test('wind brings energy in, and the ruler counts its work', () => {
    const wind = { kind: 'wind', points: [{ body: 'ball' }], velocity: [3, 0, 0], drag: 4 };
    const simulation = simulate({ bodies: [ball('ball', [0, 0, 0])], terms: [wind] }, formulation);
    const ruler = new Ruler(simulation);
    let v = 0;
    for (let n = 0; n < 40; n++) {
      simulation.step();
      const before = v;
      v = (2 * v + 0.01 * 4 * 3) / (2 + 0.01 * 4);
      // what implicit Euler loses, ½ m Δv², and nothing else
      expect(ruler.measure().energyCreated).toBeCloseTo(-((v - before) ** 2), 9);
    }
    expect(simulation.state.velocity[0]).toBeCloseTo(v, 9);
    expect(simulation.energy().potential).toBe(0);
  });

  test('couples two bodies that nothing else joins, about points off their centres', () => {
    const bodies = [ball('ball', [0, 0, 0]), ball('other', [1, 0.2, 0], 3)];
    const points = [
      { body: 'ball', at: [0.1, 0.1, 0] as [number, number, number] },
      { body: 'other', at: [-0.2, 0, 0.1] as [number, number, number] },
    ];
    const terms = [{ kind: 'springNetwork', points, springs: [{ between: [0, 1], stiffness: 300, restLength: 0.2 }] }];
    const options = { timestep: 0.00125 };
    const simulation = simulate({ bodies, terms, options }, formulation);
    const before = simulation.energy().total;
    simulation.step(200);
    const { linear, angular } = simulation.momentum();
    // internal forces: momentum stays, angular momentum and positions to the order of the step
    for (let k = 0; k < 3; k++) expect(linear[k]).toBeCloseTo(0, 9);
    expect(Math.hypot(...angular)).toBeLessThan(0.03);
    expect(simulation.energy().total).toBeLessThan(before);
    const other = simulate({ bodies, terms, options }, 'mujoco');
    other.step(200);
    // both are of order one, and differ by h²: 1.7e-5 m here, a fourth of it at half the step
    const digits = formulation === 'ipc' ? 2 : 4;
    for (let i = 3; i < 9; i++) expect(simulation.bodyPosition[i]).toBeCloseTo(other.bodyPosition[i], digits);
  });

  test('terms of users can be added and removed', () => {
    const simulation = simulate({ bodies: [ball('ball', [0.3, 0, 0])] }, formulation);
    const before = simulation.snapshot();
    simulation.step(5);
    const plain = simulation.hash();
    simulation.restore(before);
    const pull = createPointTerm({
      name: 'pull',
      points: [{ body: 'ball' }],
      value: (p) => -6 * p[1],
      gradient: (_, g) => {
        g[1] -= 6;
      },
    });
    simulation.addTerm(pull);
    expect(() => simulation.addTerm(pull)).toThrow(/two terms have the name 'pull'/);
    simulation.step(5);
    // explicit: 3 m/s² for 5 steps
    expect(simulation.state.velocity[1]).toBeCloseTo(0.15, 9);
    expect(simulation.removeTerm('pull')).toBe(true);
    expect(simulation.removeTerm('pull')).toBe(false);
    simulation.restore(before);
    simulation.step(5);
    expect(simulation.hash()).toBe(plain);
    const lost = createPointTerm({
      name: 'lost',
      points: [{ body: 'nobody' }],
      value: () => 0,
      gradient: () => {},
    });
    expect(() => simulation.addTerm(lost)).toThrow(/no body "nobody"/);
    expect(simulation.terms).toHaveLength(0);
  });
});

describe('mechanisms', () => {
  const arm: Partial<Scene> = {
    options: { timestep: 0.002, gravity: [0, 0, -10] },
    bodies: [
      {
        name: 'upper',
        position: [0, 0, 1],
        joints: [{ kind: 'hinge', axis: [0, 1, 0] }],
        inertia: { kind: 'principal', mass: 1, center: [0.25, 0, 0], moments: [0.01, 0.02, 0.02] },
        bodies: [
          {
            name: 'lower',
            position: [0.5, 0, 0],
            joints: [{ kind: 'hinge', axis: [0, 1, 0] }],
            inertia: { kind: 'principal', mass: 1, center: [0.25, 0, 0], moments: [0.01, 0.02, 0.02] },
          },
        ],
      },
      ball('ball', [1, 0, 0.2], 0.5),
    ],
    terms: [
      {
        kind: 'springNetwork',
        points: [{ body: 'lower', at: [0.5, 0, 0] }, { body: 'ball' }, { body: 'world', at: [0.5, 0, 2] }],
        springs: [
          { between: [0, 1], stiffness: 50, restLength: 0.5 },
          { between: [0, 2], stiffness: 80, restLength: 0.8, damping: 1 },
        ],
      },
    ],
  };

  test('joint and body coordinates, and all formulations, agree to the order of the step', () => {
    const reference = simulate(arm, 'mujoco', 'joint');
    reference.step(60);
    const expected = Array.from(reference.bodyPosition.subarray(3));
    // both links have moved far
    expect(Math.abs(expected[2] - 1)).toBeLessThan(1e-12);
    expect(Math.hypot(expected[3] - 0.5, expected[5] - 1)).toBeGreaterThan(0.1);
    for (const formulation of FORMULATIONS) {
      for (const coordinates of ['joint', 'body'] as const) {
        if (formulation === 'ipc' && coordinates === 'joint') continue;
        const simulation = simulate(arm, formulation, coordinates);
        simulation.step(60);
        const found = Array.from(simulation.bodyPosition.subarray(3));
        for (let i = 0; i < found.length; i++) expect(Math.abs(found[i] - expected[i])).toBeLessThan(0.02);
      }
    }
  });

  test('soft vertices on springs hang where their weight says, under every formulation', () => {
    const cube: Partial<Scene> = {
      // with a tolerance of 0 no step of mujoco converges
      options: { timestep: 0.01, gravity: [0, 0, -10], mujoco: { tolerance: 1e-12 } },
      softBodies: [
        {
          name: 'jelly',
          contact: 'none',
          mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [1, 1, 1] },
          elasticity: { youngsModulus: 1e6, poissonRatio: 0.3, density: 1000 },
        },
      ],
    };
    const corners = Array.from(simulate(cube, 'sap').softPosition('jelly'));
    const above = (i: number): number[] => [corners[3 * i], corners[3 * i + 1], corners[3 * i + 2] + 1];
    const eight = Array.from({ length: 8 }, (_, i) => i);
    const terms: SceneTerm[] = [
      {
        kind: 'springNetwork',
        points: [
          ...eight.map((vertex) => ({ softBody: 'jelly', vertex })),
          ...eight.map((i) => ({ body: 'world', at: above(i) })),
        ],
        stiffness: 2e4,
        damping: 200,
        springs: eight.map((i) => ({ between: [i, 8 + i], restLength: 1 })),
      },
    ];
    for (const formulation of ['mujoco', 'sap', 'ccp', 'ipc'] as const) {
      const simulation = simulate({ ...cube, terms }, formulation);
      simulation.step(100);
      // 8 kg on eight springs, 80 N/1.6e5 N/m: the mean of the corners
      expect(simulation.report.status).toBe('converged');
      const z = simulation.softPosition('jelly').filter((_, i) => i % 3 === 2);
      expect(z.reduce((sum, value) => sum + value / 8, 0)).toBeCloseTo(-80 / 1.6e5, 6);
    }
  });
});

describe('terms under ipc', () => {
  test('have step limits and lagged parts, and energies of the formulation are listed', () => {
    const simulation = simulate({ bodies: [ball('ball', [0, 0, 1])], options: { gravity: [0, 0, -10] } }, 'ipc');
    let [lags, limits] = [0, 0];
    // a barrier at z = 0.9: −c log(z − 0.9), which a step may not cross
    const barrier = createPointTerm({
      name: 'floor',
      points: [{ body: 'ball' }],
      value: (p) => (p[2] > 0.9 ? -0.1 * Math.log(p[2] - 0.9) : Infinity),
      gradient: (p, g) => {
        g[2] -= 0.1 / (p[2] - 0.9);
      },
      hessian: (p, h) => {
        h[8] += 0.1 / (p[2] - 0.9) ** 2;
      },
    });
    barrier.lag = () => void lags++;
    barrier.maxStep = (x, { body }) => {
      limits++;
      const fall = -body[6 + 2];
      return fall > 0 ? Math.min(1, (0.9 * (x.bodyPosition[5] - 0.9)) / fall) : 1;
    };
    simulation.addTerm(barrier);
    let low = 1;
    for (let n = 0; n < 400; n++) {
      simulation.step();
      low = Math.min(low, simulation.bodyPosition[5]);
    }
    expect(low).toBeGreaterThan(0.9);
    expect(limits).toBeGreaterThan(400);
    expect(lags).toBeGreaterThanOrEqual(400);
    // at rest 0.1/(z − 0.9) = m g
    expect(simulation.bodyPosition[5]).toBeCloseTo(0.9 + 0.1 / 20, 3);
    expect(simulation.termEnergies().map(({ name }) => name)).toEqual([
      'kinetic',
      'gravity',
      'springs',
      'elastic',
      'barrier',
      'friction',
      'joints',
      'floor',
    ]);
  });
});

describe('terms and everything else', () => {
  test('midpoint conserves the energy of a spring', () => {
    const options: SceneOptions = { integrator: 'midpoint' };
    const simulation = simulate({ bodies: [ball('ball', [0.3, 0, 0])], terms: [spring(2e4)], options }, 'sap');
    const { total } = simulation.energy();
    simulation.step(100);
    expect(simulation.energy().total / total).toBeCloseTo(1, 9);
  });

  test('one block over three bodies; names of the engine are taken', () => {
    // ½ k |p0 − 2 p1 + p2|²
    const k = 500;
    const weights = [1, -2, 1];
    const bend = createPointTerm({
      name: 'bend',
      points: [{ body: 'a' }, { body: 'b' }, { body: 'c' }],
      value: (p) => [0, 1, 2].reduce((sum, i) => sum + 0.5 * k * (p[i] - 2 * p[3 + i] + p[6 + i]) ** 2, 0),
      gradient: (p, g) => {
        for (let i = 0; i < 9; i++)
          g[i] += k * weights[(i - (i % 3)) / 3] * (p[i % 3] - 2 * p[3 + (i % 3)] + p[6 + (i % 3)]);
      },
      hessian: (_, h) => {
        for (let i = 0; i < 9; i++)
          for (let j = i % 3; j < 9; j += 3)
            h[9 * i + j] += k * weights[(i - (i % 3)) / 3] * weights[(j - (j % 3)) / 3];
      },
    });
    const bodies = [ball('a', [0, 0, 0], 1), ball('b', [1, 0, 0.3], 1), ball('c', [2, 0, 0], 1)];
    for (const formulation of FORMULATIONS) {
      const simulation = simulate({ bodies }, formulation);
      simulation.addTerm(bend);
      // u = z0 − 2 z1 + z2 has ω² = 6 k/m: implicit Euler
      let [u, v] = [-0.6, 0];
      for (let n = 0; n < 10; n++) {
        simulation.step();
        v = (v - 0.01 * 6 * k * u) / (1 + 1e-4 * 6 * k);
        u += 0.01 * v;
      }
      const z = [5, 8, 11].map((i) => simulation.bodyPosition[i]);
      expect(z[0] - 2 * z[1] + z[2]).toBeCloseTo(u, 7);
      expect(() => simulation.addTerm({ ...bend, name: 'gravity' })).toThrow(/is reserved for an energy of the engine/);
    }
  });

  test('a settled step with a term allocates nothing that stays', () => {
    const bodies = [ball('ball', [0, 0, 0.1])];
    for (const formulation of FORMULATIONS) {
      const simulation = simulate({ bodies, terms: [spring(200, 20)] }, formulation);
      simulation.step(1000);
      expect(measureKeptMemory(() => simulation.step(100), 10_000)).toBeLessThan(10_000);
    }
  });
});
