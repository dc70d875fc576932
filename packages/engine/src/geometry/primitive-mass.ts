/**
 * Mass properties of primitives at density one, closed forms. `solid` fills the volume (kg/m³), `shell` is a thin skin on
 * the surface (kg/m²), end faces included. z is the axis of capsules, cylinders and rings; h is half a length.
 *
 *   ball      m = 4/3 π r³           I = 2/5 m r²                      skin m = 4 π r²            I = 2/3 m r²
 *   cylinder  m = 2 π r² h           Ix = m (r²/4 + h²/3)  Iz = m r²/2
 *   capsule   cylinder + two half balls with centres of mass 3/8 r (solid) or 1/2 r (skin) beyond the ends
 *   ellipsoid m = 4/3 π abc          Ix = m (b² + c²)/5
 *   box       m = 8 abc              Ix = m (b² + c²)/3
 *   torus     m = 2 π² R r²          Ix = m (R²/2 + 5/8 r²)  Iz = m (R² + 3/4 r²)
 *
 * The skin of an ellipsoid has no elementary area: Thomsen's approximation (p = 1.6075, within 1.1 %) gives its mass, and
 * a layer of 1e-6 m its moments, both as in MuJoCo.
 */
import { type MassProperties, principalMassProperties } from './mass-properties.ts';

/** Thickness of the skin of an ellipsoid, m. */
const SKIN = 1e-6;

/** A ball of radius r: solid at 1 kg/m³, or a skin at 1 kg/m². */
export function sphereMass(r: number, shell: boolean): MassProperties {
  const m = shell ? 4 * Math.PI * r * r : (4 * Math.PI * r * r * r) / 3;
  const moment = (shell ? 2 / 3 : 2 / 5) * m * r * r;
  return principalMassProperties(m, moment, moment, moment);
}

/** A cylinder of radius r and half length h along z: solid at 1 kg/m³, or a skin at 1 kg/m². */
export function cylinderMass(r: number, h: number, shell: boolean): MassProperties {
  if (!shell) {
    const m = 2 * Math.PI * r * r * h;
    const across = m * ((r * r) / 4 + (h * h) / 3);
    return principalMassProperties(m, across, across, (m * r * r) / 2);
  }
  const wall = 4 * Math.PI * r * h;
  const caps = 2 * Math.PI * r * r;
  const across = wall * ((r * r) / 2 + (h * h) / 3) + caps * ((r * r) / 4 + h * h);
  return principalMassProperties(wall + caps, across, across, wall * r * r + (caps * r * r) / 2);
}

/** A capsule of radius r and half length h along z: solid at 1 kg/m³, or a skin at 1 kg/m². */
export function capsuleMass(r: number, h: number, shell: boolean): MassProperties {
  const ball = sphereMass(r, shell);
  const wall = shell ? 4 * Math.PI * r * h : 2 * Math.PI * r * r * h;
  // half balls: from the centre of the ball to their own centres of mass at ±offset, then out to ±(offset + h)
  const offset = shell ? r / 2 : (3 * r) / 8;
  const tube = shell ? wall * ((r * r) / 2 + (h * h) / 3) : wall * ((r * r) / 4 + (h * h) / 3);
  const across = tube + ball.tensor[0] + ball.mass * h * (2 * offset + h);
  const along = (shell ? wall * r * r : (wall * r * r) / 2) + ball.tensor[2];
  return principalMassProperties(ball.mass + wall, across, across, along);
}

/** An ellipsoid with semi-axes a, b, c: solid at 1 kg/m³, or a skin at 1 kg/m². */
export function ellipsoidMass(a: number, b: number, c: number, shell: boolean): MassProperties {
  if (!shell) return solidEllipsoid(a, b, c);
  const p = 1.6075;
  const area = 4 * Math.PI * (((a * b) ** p + (b * c) ** p + (c * a) ** p) / 3) ** (1 / p);
  // the solid whose semi-axes are all longer by ε, less the solid itself
  const e = SKIN;
  const volume = a * b * c;
  const layer = e * (a * b + b * c + c * a) + e * e * (a + b + c) + e * e * e;
  // of V (p² + q²)
  const grow = (p: number, q: number): number => {
    const wider = 2 * e * (p + q + e);
    return (area / (5 * layer)) * (layer * (p * p + q * q + wider) + volume * wider);
  };
  return principalMassProperties(area, grow(b, c), grow(c, a), grow(a, b));
}

/** A box with half edges a, b, c: solid at 1 kg/m³, or a skin at 1 kg/m². */
export function boxMass(a: number, b: number, c: number, shell: boolean): MassProperties {
  if (!shell) {
    const m = 8 * a * b * c;
    return principalMassProperties(m, (m * (b * b + c * c)) / 3, (m * (c * c + a * a)) / 3, (m * (a * a + b * b)) / 3);
  }
  // pairs of faces across x, y, z
  const mx = 8 * b * c;
  const my = 8 * c * a;
  const mz = 8 * a * b;
  const xx = mx * a * a + ((my + mz) * a * a) / 3;
  const yy = my * b * b + ((mz + mx) * b * b) / 3;
  const zz = mz * c * c + ((mx + my) * c * c) / 3;
  return principalMassProperties(mx + my + mz, yy + zz, zz + xx, xx + yy);
}

/** A ring of major radius R and minor radius r about z: solid at 1 kg/m³, or a skin at 1 kg/m². */
export function torusMass(R: number, r: number, shell: boolean): MassProperties {
  if (shell) {
    const m = 4 * Math.PI * Math.PI * R * r;
    const across = m * ((R * R) / 2 + (5 * r * r) / 4);
    return principalMassProperties(m, across, across, m * (R * R + (3 * r * r) / 2));
  }
  const m = 2 * Math.PI * Math.PI * R * r * r;
  const across = m * ((R * R) / 2 + (5 * r * r) / 8);
  return principalMassProperties(m, across, across, m * (R * R + (3 * r * r) / 4));
}

function solidEllipsoid(a: number, b: number, c: number): MassProperties {
  const m = (4 * Math.PI * a * b * c) / 3;
  return principalMassProperties(m, (m * (b * b + c * c)) / 5, (m * (c * c + a * a)) / 5, (m * (a * a + b * b)) / 5);
}
