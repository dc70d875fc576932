/**
 * A spur gear about z, between ±t/2, with involute teeth and a hole. In the plane, with ρ and θ of a point,
 *
 *   teeth    b = max(√(ρ² − R_b²) − R_b (φ_a + acos(R_b/ρ)), the same with φ_b)   where ρ ≥ R_b, the base circle
 *            b = R_b (max(φ_a, φ_b) − (p − s))                                    below it
 *   gear     f = max(smin(ρ − R_o + h, smax(ρ − R_o, b, 0.0035 D), k), R_i − ρ),   k = R_b − R_o + h
 *
 *   D, N    pitch diameter, m, and number of teeth        ψ    pressure angle, a parabola in N
 *   R_b     base circle ½ D cos ψ                         R_o  tips ½ D + D/N;  h = 2.2 D/N, height of a tooth
 *   p, s    angle of a tooth 2π/N, and of a gap at R_b     φ    angle from the flank of a tooth, at its two sides
 *   smin    of a, b over a width k: c b + (1 − c) a − k c (1 − c), c = clamp(½ + (a − b) / 2k); smax by its complement
 *
 * Involutes are as far as b says, so slopes are 1 at most, except below R_b: there they are R_b/ρ, and below R_o − h, where all is
 * solid, b is made to end at the axis. Source: MuJoCo, plugin/sdf/gear, after shadertoy.com/view/3lG3WR; below R_b it takes angles
 * for lengths, which makes other fillets between the teeth (by 0.7 mm at a pitch diameter of 2.8 m and 25 teeth, 4 mm at 1 m and 12 teeth). Lengths in m.
 */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import { acos, atan2, cos, sin } from '../../linear-algebra/elementary.ts';
import { BoundedField } from './bounded-field.ts';
import type { SignedDistanceField } from './field.ts';
import { SlopedValue } from './sloped-value.ts';

export interface GearSize {
  /** Pitch diameter, m. */
  diameter: number;
  teeth: number;
  /** Along the axis, m. */
  thickness: number;
  /** Of the hole, m; without it, a rim is left that is 0.14 diameters wide. */
  innerDiameter?: number;
  /** Turned by this about z, rad. */
  angle?: number;
}

export function createGearField(size: GearSize, subject = 'the gear', place: ErrorPlace = {}): SignedDistanceField {
  const { diameter: D, teeth: N, thickness, angle = 0 } = size;
  const refuse = (reason: string, hint: string): never => {
    throw new NexdynError('invalid-value', `${subject} ${reason}`, { hint, ...place });
  };
  for (const [name, value] of Object.entries({ diameter: D, teeth: N, thickness })) {
    if (!(value > 0 && value < Infinity)) refuse(`has ${name} ${value}`, `give a positive ${name}`);
  }
  const psi = 3.096e-5 * N * N - 6.557e-3 * N + 0.551;
  const tip = D / 2 + D / N;
  const root = tip - (2.2 * D) / N;
  const base = (D / 2) * cos(psi);
  if (!(root > 0) || !(base > root)) refuse(`has ${N} teeth`, 'give 3 to 113 teeth: the rule of the flanks ends there');
  const inner = size.innerDiameter === undefined ? root - 0.14 * D : size.innerDiameter / 2;
  if (!(inner < root)) refuse('has a hole that cuts its teeth', `give a hole of less than ${2 * root} m`);

  const stride = (2 * Math.PI) / N;
  const slant = acos(base / (D / 2));
  const gap = stride / 2 - 2 * (sin(slant) / cos(slant) - slant);
  const [first, second, tooth, outer] = [new SlopedValue(), new SlopedValue(), new SlopedValue(), new SlopedValue()];
  const steepest = Math.max(1, (base / root) * Math.sqrt(1 + stride * stride));

  const setTeeth = (out: SlopedValue, rho: number, ux: number, uy: number): void => {
    const turn = atan2(uy, ux) + angle;
    const one = wrap(turn + gap / 2, stride) - gap / 2;
    const other = wrap(-turn - gap / 2, stride) - gap / 2;
    if (rho >= base) {
      const leg = Math.sqrt(rho * rho - base * base);
      const lean = acos(Math.min(1, base / rho));
      // the gradient of an involute is its normal
      const [radial, around] = [leg / rho, base / rho];
      out.set(leg - base * (one + lean), radial * ux + around * uy, radial * uy - around * ux, 0);
      out.cut(leg - base * (other + lean), radial * ux - around * uy, radial * uy + around * ux, 0);
      return;
    }
    const share = rho < root ? rho / root : 1;
    const over = rho < root ? base / root : base / rho;
    const side = one >= other ? 1 : -1;
    const angleOver = Math.max(one, other) - (stride - gap);
    const radial = rho < root ? (base * angleOver) / root : 0;
    out.set(base * share * angleOver, radial * ux - side * over * uy, radial * uy + side * over * ux, 0);
  };

  const reach = tip;
  const bounds = Float64Array.of(-reach, -reach, -thickness / 2, reach, reach, thickness / 2);
  return new BoundedField(bounds, steepest, (out, x, y, z) => {
    const rho = Math.sqrt(x * x + y * y);
    const isOff = rho > 1e-150;
    const [ux, uy] = [isOff ? x / rho : 1, isOff ? y / rho : 0];
    setTeeth(tooth, rho, ux, uy);
    outer.set(rho - tip, ux, uy, 0);
    // max(a, b), rounded: below 0 it is cut by the blend of both complements
    first.copy(outer);
    first.cut(-tooth.value, -tooth.x, -tooth.y, 0);
    second.copy(tooth);
    second.cut(-outer.value, -outer.x, -outer.y, 0);
    first.blend(second, 0.0035 * D);
    tooth.cut(outer.value, outer.x, outer.y, 0);
    tooth.cut(-first.value, -first.x, -first.y, 0);
    out.set(rho - root, ux, uy, 0);
    out.blend(tooth, base - root);
    if (inner > 0) out.cut(inner - rho, -ux, -uy, 0);
    extrude(out, z, thickness / 2);
  });
}

function wrap(angle: number, period: number): number {
  return angle - period * Math.floor(angle / period);
}

// a cross-section between two planes: max of both inside, the distance from their common edge outside of both
function extrude(out: SlopedValue, z: number, half: number): void {
  const side = z < 0 ? -1 : 1;
  const above = side * z - half;
  const { value, x, y } = out;
  if (value > 0 && above > 0) {
    const length = Math.sqrt(value * value + above * above);
    out.set(length, (value / length) * x, (value / length) * y, (above / length) * side);
  } else out.cut(above, 0, 0, side);
}
