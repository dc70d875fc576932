import load, { type MainModule } from '@mujoco/mujoco';
import { beforeAll, describe, expect, test } from 'vitest';
import type { MassProperties } from './mass-properties.ts';
import { boxMass, capsuleMass, cylinderMass, ellipsoidMass, sphereMass, torusMass } from './primitive-mass.ts';

let mujoco: MainModule;

beforeAll(async () => {
  mujoco = await load();
});

/** Mass and moments of a lone geom of density one. */
function measure(attributes: string): { mass: number; moments: number[] } {
  const model = mujoco.MjModel.from_xml_string(
    `<mujoco><worldbody><body><freejoint/><geom density="1" ${attributes}/></body></worldbody></mujoco>`,
  );
  if (!model) throw new Error('the oracle refused the model');
  return { mass: model.body_mass[1], moments: Array.from(model.body_inertia.slice(3, 6)) };
}

/** Mass and moments by adding up points p(u, v, w) of a cube of parameters with their volume or area elements. */
function integrate(point: (u: number, v: number, w: number) => [number, number, number, number], n: number): number[] {
  const sum = [0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      for (let k = 0; k < n; k++) {
        const [x, y, z, m] = point((i + 0.5) / n, (j + 0.5) / n, (k + 0.5) / n);
        sum[0] += m / n ** 3;
        sum[1] += (m * (y * y + z * z)) / n ** 3;
        sum[2] += (m * (z * z + x * x)) / n ** 3;
        sum[3] += (m * (x * x + y * y)) / n ** 3;
      }
    }
  }
  return sum;
}

const list = (properties: MassProperties) => [properties.mass, ...properties.tensor.subarray(0, 3)];

describe('closed forms against the oracle', () => {
  // MuJoCo subtracts two solids 1e-6 m apart: the round-off of both over the layer
  const cases: [string, string, (shell: boolean) => MassProperties, number][] = [
    ['ball', 'type="sphere" size=".3"', (shell) => sphereMass(0.3, shell), 1e-14],
    ['capsule', 'type="capsule" size=".1 .4"', (shell) => capsuleMass(0.1, 0.4, shell), 1e-14],
    ['cylinder', 'type="cylinder" size=".2 .35"', (shell) => cylinderMass(0.2, 0.35, shell), 1e-14],
    ['box', 'type="box" size=".1 .25 .4"', (shell) => boxMass(0.1, 0.25, 0.4, shell), 1e-14],
    ['ellipsoid', 'type="ellipsoid" size=".4 .2 .3"', (shell) => ellipsoidMass(0.4, 0.2, 0.3, shell), 1e-10],
  ];
  for (const [name, attributes, compute, tolerance] of cases) {
    for (const shell of [false, true]) {
      test(`${name}, ${shell ? 'shell' : 'solid'}`, () => {
        const ours = compute(shell);
        const theirs = measure(`${attributes} ${shell ? 'shellinertia="true"' : ''}`);
        const allowed = shell ? tolerance : 1e-14;
        expect(Math.abs(ours.mass / theirs.mass - 1)).toBeLessThan(1e-14);
        for (let k = 0; k < 3; k++) {
          expect(Math.abs(ours.tensor[k] / theirs.moments[k] - 1)).toBeLessThan(allowed);
          expect(ours.tensor[3 + k]).toBe(0);
        }
      });
    }
  }
});

describe('closed forms against quadrature', () => {
  test('torus, solid and shell', () => {
    const [R, r] = [0.5, 0.2];
    const ring =
      (shell: boolean) =>
      (u: number, v: number, w: number): [number, number, number, number] => {
        const s = shell ? r : r * w;
        const d = R + s * Math.cos(2 * Math.PI * v);
        const element = 4 * Math.PI ** 2 * d * s * (shell ? 1 : r);
        return [d * Math.cos(2 * Math.PI * u), d * Math.sin(2 * Math.PI * u), s * Math.sin(2 * Math.PI * v), element];
      };
    for (const shell of [false, true]) {
      const expected = integrate(ring(shell), 60);
      // the midpoint rule in the radius is good to 1/n²
      list(torusMass(R, r, shell)).forEach((value, k) => {
        expect(Math.abs(value / expected[k] - 1)).toBeLessThan(5e-4);
      });
    }
  });

  test('the skin of a nearly round ellipsoid is that of a ball', () => {
    const ball = list(sphereMass(0.3, true));
    list(ellipsoidMass(0.3, 0.3, 0.3, true)).forEach((value, k) => {
      // the layer is 1e-6 m thick
      expect(Math.abs(value / ball[k] - 1)).toBeLessThan(1e-5);
    });
  });

  test('a capsule without length is a ball, a long one nearly a cylinder', () => {
    for (const shell of [false, true]) {
      const ball = list(sphereMass(0.2, shell));
      list(capsuleMass(0.2, 0, shell)).forEach((value, k) => {
        expect(value).toBeCloseTo(ball[k], 14);
      });
      const long = list(capsuleMass(0.01, 100, shell));
      const cylinder = list(cylinderMass(0.01, 100, shell));
      long.forEach((value, k) => {
        expect(Math.abs(value / cylinder[k] - 1)).toBeLessThan(3e-4);
      });
    }
  });
});
