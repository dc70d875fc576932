/**
 * Mechanisms under `ccp` in body coordinates: joints, drives and gears as rows. Motions are held to the differential equation in
 * minimal coordinates (Runge-Kutta of order four, at a quarter of the step), joints to their own residual.
 */
import { type Body, type CcpOptions, compileModel, type Scene, Simulation, type Vec3 } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { takeCases, takeSamples } from '../../scripts/long-run.ts';

/** State of a differential equation y' = f(y) after a time. */
function* integrate(y: number[], h: number, rate: (y: number[]) => number[]): Generator<number[]> {
  const add = (a: number[], s: number, b: number[]): number[] => a.map((value, i) => value + s * b[i]);
  for (;;) {
    for (let n = 0; n < 4; n++) {
      const d = h / 4;
      const k1 = rate(y);
      const k2 = rate(add(y, d / 2, k1));
      const k3 = rate(add(y, d / 2, k2));
      const k4 = rate(add(y, d, k3));
      y = y.map((value, i) => value + (d / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
    }
    yield y;
  }
}

function rms(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
}

/** A bar of 1 kg, 1 m to its centre, 1 kg m². */
function pendulum(name: string, rest: Omit<Body, 'name' | 'inertia'>): Body {
  return { name, inertia: { kind: 'principal', mass: 1, center: [1, 0, 0], moments: [1, 1, 1] }, ...rest };
}

/** Place of a point of a body. */
function pointOf({ bodyPosition, derived }: Simulation, body: number, point: Vec3): Vec3 {
  const r = derived.bodyRotation.subarray(9 * body, 9 * body + 9);
  return [0, 1, 2].map(
    (k) => bodyPosition[3 * body + k] + r[3 * k] * point[0] + r[3 * k + 1] * point[1] + r[3 * k + 2] * point[2],
  ) as Vec3;
}

const hinge = { kind: 'hinge' as const, axis: [0, 1, 0] as Vec3 };

test('double pendulum, m = l = J = 1, g = 10, at 0.2 ms', () => {
  const h = 2e-4;
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'ccp', timestep: h, gravity: [0, 0, -10] },
    bodies: [
      pendulum('upper', { joints: [hinge], bodies: [pendulum('lower', { position: [1, 0, 0], joints: [hinge] })] }),
    ],
  };
  const simulation = new Simulation(compileModel(scene));
  // angles a, b of the bars from the horizontal, downwards
  const reference = integrate([0, 0, 0, 0], h, ([a, b, p, q]) => {
    const [m11, m22, c] = [3, 2, Math.cos(a - b)];
    const s = Math.sin(a - b);
    const f1 = 20 * Math.cos(a) - s * q * q;
    const f2 = 10 * Math.cos(b) + s * p * p;
    const d = m11 * m22 - c * c;
    return [p, q, (m22 * f1 - c * f2) / d, (m11 * f2 - c * f1) / d];
  });
  const error: number[] = [];
  const violation: number[] = [];
  for (let n = 0; n < takeSamples(5000, 0.4); n++) {
    expect(simulation.step().status).toBe('converged');
    const [a, b] = reference.next().value as number[];
    const end = pointOf(simulation, 2, [1, 0, 0]);
    error.push(end[0] - Math.cos(a) - Math.cos(b), end[2] + Math.sin(a) + Math.sin(b));
    const knee = pointOf(simulation, 1, [1, 0, 0]);
    const elbow = pointOf(simulation, 2, [0, 0, 0]);
    violation.push(...knee.map((value, k) => value - elbow[k]), ...pointOf(simulation, 1, [0, 0, 0]));
  }
  expect(rms(error)).toBeLessThan(1e-3);
  expect(rms(violation)).toBeLessThan(1e-6);
});

test('slider with a spring and a pendulum, m = l = J = 1, k = 10, g = 10, at 1 ms', () => {
  const h = 1e-3;
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'ccp', timestep: h, gravity: [0, 0, -10] },
    bodies: [
      {
        name: 'slider',
        inertia: { kind: 'principal', mass: 1, moments: [1, 1, 1] },
        joints: [{ kind: 'slide', axis: [1, 0, 0], stiffness: 10 }],
        bodies: [pendulum('bar', { joints: [hinge] })],
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene));
  const reference = integrate([0, 0, 0, 0], h, ([x, a, v, w]) => {
    // 2 x'' − sin a a'' = cos a w² − k x;   2 a'' − sin a x'' = g cos a
    const s = Math.sin(a);
    const f1 = Math.cos(a) * w * w - 10 * x;
    const f2 = 10 * Math.cos(a);
    const d = 4 - s * s;
    return [v, w, (2 * f1 + s * f2) / d, (2 * f2 + s * f1) / d];
  });
  const error: number[] = [];
  const violation: number[] = [];
  for (let n = 0; n < takeSamples(5000, 0.2); n++) {
    expect(simulation.step().status).toBe('converged');
    const [x, a] = reference.next().value as number[];
    const slider = pointOf(simulation, 1, [0, 0, 0]);
    const end = pointOf(simulation, 2, [1, 0, 0]);
    error.push(slider[0] - x, end[0] - x - Math.cos(a), end[2] + Math.sin(a));
    const pin = pointOf(simulation, 2, [0, 0, 0]);
    violation.push(slider[1], slider[2], ...pin.map((value, k) => value - slider[k]));
  }
  expect(rms(error)).toBeLessThan(1e-3);
  expect(rms(violation)).toBeLessThan(1e-6);
});

describe.each<CcpOptions['solver']>(takeCases(['apgd', 'spg', 'pgs', 'admm'], 2, 1))(
  'a sled with a wheel on the ground by %s',
  (solver) => {
    test('joints hold while it rolls', () => {
      const scene: Scene = {
        format: 'nexdyn-scene',
        version: 1,
        options: { formulation: 'ccp', timestep: 1e-3, ccp: { ...(solver && { solver }), tolerance: 1e-5 } },
        shapes: [{ kind: 'plane', friction: 0.7 }],
        bodies: [
          {
            name: 'sled',
            position: [0, 0, 1],
            inertia: { kind: 'principal', mass: 550, moments: [50, 100, 100] },
            joints: [{ kind: 'slide', axis: [1, 0, 0] }],
            bodies: [
              {
                name: 'wheel',
                position: [0, 0, -0.5],
                joints: [hinge],
                shapes: [{ kind: 'sphere', radius: 0.5, mass: 350, friction: 0.7 }],
              },
            ],
          },
        ],
        keyframes: [{ position: [0, 0], velocity: [2, 0] }],
      };
      const simulation = new Simulation(compileModel(scene));
      for (let n = takeSamples(2000, 0.05); n > 0; n--) {
        simulation.step();
        const sled = pointOf(simulation, 1, [0, 0, 0]);
        const axle = pointOf(simulation, 2, [0, 0, 0]);
        const side = pointOf(simulation, 2, [0, 1, 0]);
        const errors = [
          sled[1],
          sled[2] - 1,
          axle[0] - sled[0],
          axle[1],
          axle[2] - 0.5,
          side[0] - axle[0],
          side[2] - 0.5,
        ];
        expect(Math.max(...errors.map(Math.abs))).toBeLessThan(1e-4);
      }
      // momentum about the ground: m v₀ R of the sled, v = v₀ (m + M)/(m + M + 2/5 M)
      const speed = simulation.momentum().linear[0] / 900;
      expect(Math.abs(speed - (2 * 900) / (900 + 0.4 * 350))).toBeLessThan(0.01);
    });
  },
);

describe('a plate of 1 kg on a linear drive', () => {
  const axes: Vec3[] = [
    [1, 0, 0],
    [0, 0, 1],
    [0.6, 0, 0.8],
    [2 / 7, 3 / 7, -6 / 7],
  ];
  test.each(
    takeCases(
      axes.flatMap((axis) => [0.5, -0.5].map((speed) => ({ axis, speed }))),
      3,
    ),
  )('along $axis at $speed m/s', (run) => {
    const { axis, speed } = run;
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      options: { formulation: 'ccp', timestep: 1e-3 },
      bodies: [
        {
          name: 'plate',
          inertia: { kind: 'principal', mass: 1, moments: [0.1, 0.1, 0.1] },
          joints: [{ kind: 'slide', name: 'rail', axis }],
        },
      ],
      // as stiff as a speed that is given
      actuators: [{ name: 'drive', kind: 'velocity', transmission: { kind: 'joint', joint: 'rail' }, gain: 1e9 }],
      keyframes: [{ position: [0], velocity: [speed], control: [speed] }],
    };
    const simulation = new Simulation(compileModel(scene));
    let [late, aside] = [0, 0];
    for (let n = 0; n < takeSamples(1000, 0.5); n++) {
      simulation.step();
      const place = pointOf(simulation, 1, [0, 0, 0]);
      const way = place[0] * axis[0] + place[1] * axis[1] + place[2] * axis[2];
      late = Math.max(late, Math.abs(way - speed * simulation.time));
      for (let k = 0; k < 3; k++) aside = Math.max(aside, Math.abs(place[k] - way * axis[k]));
    }
    expect(late).toBeLessThan(1e-6);
    expect(aside).toBeLessThan(1e-10);
    expect(Math.abs(simulation.derived.actuatorForce[0] - 9.81 * axis[2])).toBeLessThan(1e-5);
  });
});

test.each([0.5, -0.5])('a motor turns at %d rad/s', (rate) => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'ccp', timestep: 1e-3 },
    bodies: [pendulum('arm', { joints: [{ ...hinge, name: 'axle' }] })],
    actuators: [{ kind: 'velocity', transmission: { kind: 'joint', joint: 'axle' }, gain: 1e9 }],
    keyframes: [{ control: [rate] }],
  };
  const simulation = new Simulation(compileModel(scene));
  simulation.step(100);
  expect(Math.abs(simulation.derived.bodyTwist[7] - rate)).toBeLessThan(1e-6);
});

test('a motor with a largest force holds its speed until it is overloaded', () => {
  const create = (force: number): Simulation =>
    new Simulation(
      compileModel({
        format: 'nexdyn-scene',
        version: 1,
        options: { formulation: 'ccp', timestep: 1e-3 },
        bodies: [
          {
            inertia: { kind: 'principal', mass: 1, moments: [0.1, 0.1, 0.1] },
            joints: [{ kind: 'slide', name: 'lift', axis: [0, 0, 1] }],
          },
        ],
        actuators: [
          { kind: 'velocity', transmission: { kind: 'joint', joint: 'lift' }, gain: 1e9, forceRange: [-force, force] },
        ],
        keyframes: [{ velocity: [0.2], control: [0.2] }],
      }),
    );
  const strong = create(10);
  strong.step(500);
  expect(strong.bodyPosition[5]).toBeCloseTo(0.1, 6);
  // what is missing accelerates it down
  const weak = create(8);
  weak.step(500);
  expect(weak.state.velocity[2]).toBeCloseTo(0.2 - 1.81 * 0.5, 5);
});

test.each(['joint', 'body'] as const)('shafts and a gear in %s coordinates', (coordinates) => {
  const shaft = (name: string, inertia: number): Body => ({
    name,
    inertia: { kind: 'principal', mass: 1, moments: [inertia, inertia, inertia] },
    joints: [{ kind: 'hinge', name, axis: [0, 0, 1] }],
  });
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'ccp', timestep: 1e-3, coordinates },
    bodies: [shaft('one', 10), shaft('two', 100)],
    equalities: [{ kind: 'joint', joint1: 'two', joint2: 'one', coefficients: [0, -0.1, 0, 0, 0] }],
    actuators: [{ kind: 'motor', transmission: { kind: 'joint', joint: 'one' } }],
    keyframes: [{ control: [6] }],
  };
  const simulation = new Simulation(compileModel(scene));
  simulation.step(1000);
  const acceleration = 6 / (10 + 100 * 0.01);
  const { bodyTwist, constraintForce } = simulation.derived;
  expect(Math.abs(bodyTwist[8] - acceleration)).toBeLessThan(1e-4);
  expect(Math.abs(bodyTwist[14] + 0.1 * acceleration)).toBeLessThan(1e-4);
  // the torque on the second shaft is all the gear's
  const turn = coordinates === 'joint' ? 1 : 11;
  expect(Math.abs(constraintForce[turn] + 10 * acceleration)).toBeLessThan(1e-4);
});

describe('joints in body coordinates at the steps of games', () => {
  /** Largest distance of the ends of two links that a joint holds together, m. */
  function measureGap(simulation: Simulation, length: number): number {
    let gap = Math.hypot(...pointOf(simulation, 1, [0, 0, 0]));
    for (let b = 2; b < simulation.model.size.body; b++) {
      const end = pointOf(simulation, b - 1, [length, 0, 0]);
      const start = pointOf(simulation, b, [0, 0, 0]);
      gap = Math.max(gap, Math.hypot(...end.map((x, k) => x - start[k])));
    }
    return gap;
  }

  test('a chain of 50 links with a load of 100 : 1 whips at 1/60 s: closed, converged, and of its own energy', () => {
    const link = (n: number): Body => {
      const scale = n === 50 ? 100 : 1;
      return {
        position: [n === 1 ? 0 : 0.1, 0, 0],
        joints: [{ kind: 'ball' }],
        inertia: {
          kind: 'principal',
          mass: 0.1 * scale,
          center: [0.05, 0, 0],
          moments: [1e-4 * scale, 1e-4 * scale, 1e-4 * scale],
        },
        bodies: n === 50 ? [] : [link(n + 1)],
      };
    };
    const options = { formulation: 'ccp', timestep: 1 / 60, coordinates: 'body' } as const;
    const simulation = new Simulation(compileModel({ format: 'nexdyn-scene', version: 1, options, bodies: [link(1)] }));
    const start = simulation.energy().total;
    // what has fallen by the length of the chain
    const scale = 10 * 9.81 * 5;
    for (let n = 0; n < takeSamples(90, 0.7); n++) {
      expect(simulation.step().status).toBe('converged');
      expect(measureGap(simulation, 0.1)).toBeLessThan(1e-5);
      expect(Math.abs(simulation.energy().total - start)).toBeLessThan(0.03 * scale);
    }
    expect(simulation.bodyPosition[3 * 50 + 2]).toBeLessThan(-4);
  });

  test.each([60, 240])('a pendulum at 1/%d s: gap and energy', (rate) => {
    const options = { formulation: 'ccp', timestep: 1 / rate, coordinates: 'body' } as const;
    const bodies = [pendulum('bar', { joints: [hinge] })];
    const simulation = new Simulation(compileModel({ format: 'nexdyn-scene', version: 1, options, bodies }));
    const start = simulation.energy().total;
    let highest = -Infinity;
    for (let n = 0; n < 5 * rate; n++) {
      simulation.step();
      expect(measureGap(simulation, 0)).toBeLessThan(1e-5);
      if (simulation.time > 4) highest = Math.max(highest, simulation.energy().total);
    }
    // of the 9.81 J between its ends
    expect(Math.abs(highest - start)).toBeLessThan(0.02 * 9.81);
  });
});

describe.each(['joint', 'body'] as const)(
  'what starts where it may not be gets no momentum: %s coordinates',
  (coordinates) => {
    const weightless = { formulation: 'ccp', timestep: 2e-3, gravity: [0, 0, 0] as Vec3, coordinates } as const;

    test('a loop that is open by 5 mm is closed at once', () => {
      const scene: Scene = {
        format: 'nexdyn-scene',
        version: 1,
        options: weightless,
        bodies: [
          pendulum('left', {
            joints: [hinge],
            bodies: [
              pendulum('middle', {
                position: [2, 0, 0],
                orientation: [Math.SQRT1_2, 0, Math.SQRT1_2, 0],
                sites: [{ name: 'middle end', position: [2, 0, 0] }],
                joints: [hinge],
              }),
            ],
          }),
          pendulum('right', {
            position: [0.005, 0, -2.003],
            joints: [hinge],
            sites: [{ name: 'right end', position: [2, 0, 0] }],
          }),
        ],
        equalities: [{ kind: 'connect', site1: 'middle end', site2: 'right end' }],
      };
      const simulation = new Simulation(compileModel(scene));
      const gap = (): number => {
        const end = pointOf(simulation, 2, [2, 0, 0]);
        return Math.hypot(...pointOf(simulation, 3, [2, 0, 0]).map((x, k) => x - end[k]));
      };
      expect(gap()).toBeGreaterThan(4e-3);
      for (let n = 0; n < 10; n++) {
        expect(simulation.step().status).toBe('converged');
        expect(gap()).toBeLessThan(1e-5);
      }
      expect(simulation.energy().kinetic).toBeLessThan(1e-12);
    });

    test('a slide that is 20 mm beyond its limit is put back and stays there', () => {
      const scene: Scene = {
        format: 'nexdyn-scene',
        version: 1,
        options: weightless,
        bodies: [
          {
            inertia: { kind: 'principal', mass: 1, moments: [0.1, 0.1, 0.1] },
            joints: [{ kind: 'slide', axis: [0, 0, 1], limit: { range: [-1, 0] } }],
          },
        ],
        keyframes: [{ position: [0.02] }],
      };
      const simulation = new Simulation(compileModel(scene));
      expect(simulation.bodyPosition[5]).toBeCloseTo(0.02, 12);
      for (let n = 0; n < 50; n++) expect(simulation.step().status).toBe('converged');
      expect(Math.abs(simulation.bodyPosition[5]!)).toBeLessThan(1e-6);
    });
  },
);
