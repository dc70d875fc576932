/**
 * Two point masses of 1 kg on massless rods of 1 m, a and b their angles from the vertical:
 *   2 a″ + b″ cos(a − b) + b′² sin(a − b) + 2 g sin a = 0        b″ + a″ cos(a − b) − a′² sin(a − b) + g sin b = 0
 * by the classical Runge-Kutta method. Source: Lagrange's equations.
 */
import { G } from './case-scene.ts';

type Motion = readonly [number, number, number, number];

/** Angles at a time after a release at rest, rad. */
export function integrateDoublePendulum(
  one: number,
  two: number,
  time: number,
  h = 1e-5,
): { one: number; two: number } {
  let state: Motion = [one, two, 0, 0];
  for (let n = 0; n < Math.round(time / h); n++) {
    const k1 = differentiate(state);
    const k2 = differentiate(add(state, k1, h / 2));
    const k3 = differentiate(add(state, k2, h / 2));
    const k4 = differentiate(add(state, k3, h));
    const mean = k1.map((value, i) => (value + 2 * k2[i]! + 2 * k3[i]! + k4[i]!) / 6) as unknown as Motion;
    state = add(state, mean, h);
  }
  return { one: state[0], two: state[1] };
}

function differentiate([a, b, u, v]: Motion): Motion {
  const c = Math.cos(a - b);
  const s = Math.sin(a - b);
  const p = -v * v * s - 2 * G * Math.sin(a);
  const q = u * u * s - G * Math.sin(b);
  const determinant = 2 - c * c;
  return [u, v, (p - c * q) / determinant, (2 * q - c * p) / determinant];
}

function add(x: Motion, rate: Motion, h: number): Motion {
  return [x[0] + h * rate[0], x[1] + h * rate[1], x[2] + h * rate[2], x[3] + h * rate[3]];
}
