import { expect, test } from 'vitest';
import { createRandom } from '../testing/forest.ts';
import { addScaled, crossForce, crossMotion, dot6, inertialForce, multiplyInertia } from './spatial.ts';

const random = createRandom(5);
const draw = (length: number): Float64Array => Float64Array.from({ length }, () => random() - 0.5);

/** Ten numbers of a physical inertia: mass m at offset d with a moment of its own. */
function randomInertia(): Float64Array {
  const [x, y, z] = draw(3);
  const m = 1 + random();
  const own = 0.3;
  return Float64Array.from([
    own + m * (y * y + z * z),
    own + m * (x * x + z * z),
    own + m * (x * x + y * y),
    -m * x * y,
    -m * x * z,
    -m * y * z,
    m * x,
    m * y,
    m * z,
    m,
  ]);
}

test('the force cross is minus the transpose of the motion cross: (a × b) · f = −b · (a ×* f)', () => {
  for (let n = 0; n < 100; n++) {
    const [a, b, f] = [draw(6), draw(6), draw(6)];
    const ab = new Float64Array(6);
    const af = new Float64Array(6);
    crossMotion(ab, 0, a, 0, b, 0);
    crossForce(af, 0, a, 0, f, 0);
    expect(dot6(ab, 0, f, 0)).toBeCloseTo(-dot6(b, 0, af, 0), 14);
  }
});

test('inertia is symmetric and gives ½ m |v|² + ½ ω·I ω at the centre of mass', () => {
  for (let n = 0; n < 100; n++) {
    const inertia = randomInertia();
    const [a, b] = [draw(6), draw(6)];
    const ia = new Float64Array(6);
    const ib = new Float64Array(6);
    multiplyInertia(ia, 0, inertia, 0, a, 0);
    multiplyInertia(ib, 0, inertia, 0, b, 0);
    expect(dot6(a, 0, ib, 0)).toBeCloseTo(dot6(b, 0, ia, 0), 14);
    const m = inertia[9];
    const d = [inertia[6] / m, inertia[7] / m, inertia[8] / m];
    const v = [a[3] + a[1] * d[2] - a[2] * d[1], a[4] + a[2] * d[0] - a[0] * d[2], a[5] + a[0] * d[1] - a[1] * d[0]];
    const expected = m * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2) + 0.3 * (a[0] ** 2 + a[1] ** 2 + a[2] ** 2);
    expect(dot6(a, 0, ia, 0)).toBeCloseTo(expected, 13);
  }
});

test('the force of a motion is its parts in one', () => {
  for (let n = 0; n < 100; n++) {
    const inertia = randomInertia();
    const [a, v] = [draw(6), draw(6)];
    const parts = new Float64Array(6);
    const momentum = new Float64Array(6);
    const turning = new Float64Array(6);
    multiplyInertia(parts, 0, inertia, 0, a, 0);
    multiplyInertia(momentum, 0, inertia, 0, v, 0);
    crossForce(turning, 0, v, 0, momentum, 0);
    addScaled(parts, 0, turning, 0, 1);
    const whole = new Float64Array(6);
    inertialForce(whole, 0, inertia, 0, a, 0, v, 0);
    for (let k = 0; k < 6; k++) expect(whole[k]).toBeCloseTo(parts[k], 14);
  }
});
