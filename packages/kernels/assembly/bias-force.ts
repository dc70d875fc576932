/** Velocities and the bias force: the compiled twin of the engine's dynamics/bias-force.ts, in the same order of operations. */
import { loadLoneBody, moveLoneBody } from './lone-body';
import { BALL, FREE, Mechanism } from './mechanism';

/** Spatial velocity of every body and rate of every dof axis. */
export function updateTwists(m: Mechanism): void {
  memory.fill(m.bodyTwist.at(0), 0, 48);
  for (let b: i32 = 1; b < m.bodies; b++) {
    if (m.isLone[b] != 0) {
      moveLoneBody(m, b);
      continue;
    }
    const t: usize = m.bodyTwist.at(6 * b);
    copy6(t, m.bodyTwist.at(6 * m.parent[b]));
    const first: i32 = m.jointStart[b];
    const last: i32 = first + m.jointCount[b];
    for (let j: i32 = first; j < last; j++) {
      const kind: i32 = m.kind[j];
      let s: usize = m.motionSubspace.at(6 * m.jointDof[j]);
      let rate: usize = m.motionSubspaceRate.at(6 * m.jointDof[j]);
      let v: usize = m.velocity.at(m.jointDof[j]);
      if (kind == FREE) {
        memory.fill(rate, 0, 144);
        store<f64>(t, load<f64>(t, 24) + load<f64>(v), 24);
        store<f64>(t, load<f64>(t, 32) + load<f64>(v, 8), 32);
        store<f64>(t, load<f64>(t, 40) + load<f64>(v, 16), 40);
        s += 144;
        rate += 144;
        v += 24;
      }
      crossMotion(rate, t, s);
      if (kind == FREE || kind == BALL) {
        crossMotion(rate + 48, t, s + 48);
        crossMotion(rate + 96, t, s + 96);
        addScaled(t, s, load<f64>(v));
        addScaled(t, s + 48, load<f64>(v, 8));
        addScaled(t, s + 96, load<f64>(v, 16));
      } else addScaled(t, s, load<f64>(v));
    }
  }
}

export function computeBiasForce(m: Mechanism): void {
  const world: usize = m.bodyAcceleration.at(0);
  memory.fill(world, 0, 24);
  store<f64>(world, -m.gravity[0], 24);
  store<f64>(world, -m.gravity[1], 32);
  store<f64>(world, -m.gravity[2], 40);
  memory.fill(m.bodyForce.at(0), 0, 48);
  let others: i32 = 0;
  for (let b: i32 = 1; b < m.bodies; b++) {
    if (m.isLone[b] != 0) {
      loadLoneBody(m, b);
      continue;
    }
    others++;
    const a: usize = m.bodyAcceleration.at(6 * b);
    copy6(a, m.bodyAcceleration.at(6 * m.parent[b]));
    const joint: i32 = m.jointStart[b];
    // the first three dofs of a free body move along fixed axes
    const skipped: i32 = m.jointCount[b] > 0 && m.kind[joint] == FREE ? 3 : 0;
    const last: i32 = m.dofStart[b] + m.dofCount[b];
    for (let i: i32 = m.dofStart[b] + skipped; i < last; i++) addScaled(a, m.motionSubspaceRate.at(6 * i), m.velocity[i]);
    inertialForce(m.bodyForce.at(6 * b), m.bodyInertia.at(10 * b), a, m.bodyTwist.at(6 * b));
  }
  if (others == 0) return;
  // sums towards the root
  for (let b: i32 = m.bodies - 1; b > 0; b--) {
    const parent: i32 = m.parent[b];
    if (parent == 0) continue;
    const from: usize = m.bodyForce.at(6 * b);
    const to: usize = m.bodyForce.at(6 * parent);
    v128.store(to, f64x2.add(v128.load(to), v128.load(from)));
    v128.store(to, f64x2.add(v128.load(to, 16), v128.load(from, 16)), 16);
    v128.store(to, f64x2.add(v128.load(to, 32), v128.load(from, 32)), 32);
  }
  for (let i: i32 = 0; i < m.dofs; i++) {
    if (m.isLone[m.dofBody[i]] != 0) continue;
    const s: usize = m.motionSubspace.at(6 * i);
    const f: usize = m.bodyForce.at(6 * m.dofBody[i]);
    m.biasForce[i] =
      load<f64>(s) * load<f64>(f) +
      load<f64>(s, 8) * load<f64>(f, 8) +
      load<f64>(s, 16) * load<f64>(f, 16) +
      load<f64>(s, 24) * load<f64>(f, 24) +
      load<f64>(s, 32) * load<f64>(f, 32) +
      load<f64>(s, 40) * load<f64>(f, 40);
  }
}

/** Smooth forces: passive + actuator + external − bias. */
export function sumForces(m: Mechanism): void {
  const passive: usize = m.passiveForce.at(0);
  const actuator: usize = m.actuatorForce.at(0);
  const external: usize = m.externalForce.at(0);
  const bias: usize = m.biasForce.at(0);
  const out: usize = m.smoothForce.at(0);
  const end: usize = (<usize>m.dofs) << 3;
  let k: usize = 0;
  for (; k + 8 < end; k += 16) {
    const pushes: v128 = f64x2.add(f64x2.add(v128.load(passive + k), v128.load(actuator + k)), v128.load(external + k));
    v128.store(out + k, f64x2.sub(pushes, v128.load(bias + k)));
  }
  if (k < end)
    store<f64>(
      out + k,
      load<f64>(passive + k) + load<f64>(actuator + k) + load<f64>(external + k) - load<f64>(bias + k),
    );
}

@inline
function copy6(out: usize, a: usize): void {
  v128.store(out, v128.load(a));
  v128.store(out, v128.load(a, 16), 16);
  v128.store(out, v128.load(a, 32), 32);
}

/** out += scale · a. */
function addScaled(out: usize, a: usize, scale: f64): void {
  const lanes: v128 = f64x2.splat(scale);
  v128.store(out, f64x2.add(v128.load(out), f64x2.mul(v128.load(a), lanes)));
  v128.store(out, f64x2.add(v128.load(out, 16), f64x2.mul(v128.load(a, 16), lanes)), 16);
  v128.store(out, f64x2.add(v128.load(out, 32), f64x2.mul(v128.load(a, 32), lanes)), 32);
}

function crossMotion(out: usize, a: usize, b: usize): void {
  const wx: f64 = load<f64>(a);
  const wy: f64 = load<f64>(a, 8);
  const wz: f64 = load<f64>(a, 16);
  const vx: f64 = load<f64>(a, 24);
  const vy: f64 = load<f64>(a, 32);
  const vz: f64 = load<f64>(a, 40);
  const sx: f64 = load<f64>(b);
  const sy: f64 = load<f64>(b, 8);
  const sz: f64 = load<f64>(b, 16);
  const tx: f64 = load<f64>(b, 24);
  const ty: f64 = load<f64>(b, 32);
  const tz: f64 = load<f64>(b, 40);
  store<f64>(out, wy * sz - wz * sy);
  store<f64>(out, wz * sx - wx * sz, 8);
  store<f64>(out, wx * sy - wy * sx, 16);
  store<f64>(out, wy * tz - wz * ty + vy * sz - vz * sy, 24);
  store<f64>(out, wz * tx - wx * tz + vz * sx - vx * sz, 32);
  store<f64>(out, wx * ty - wy * tx + vx * sy - vy * sx, 40);
}

/** out = I a + v ×* (I v). */
@inline
function inertialForce(out: usize, i: usize, a: usize, v: usize): void {
  const xx: f64 = load<f64>(i);
  const yy: f64 = load<f64>(i, 8);
  const zz: f64 = load<f64>(i, 16);
  const xy: f64 = load<f64>(i, 24);
  const xz: f64 = load<f64>(i, 32);
  const yz: f64 = load<f64>(i, 40);
  const mx: f64 = load<f64>(i, 48);
  const my: f64 = load<f64>(i, 56);
  const mz: f64 = load<f64>(i, 64);
  const m: f64 = load<f64>(i, 72);
  const wx: f64 = load<f64>(v);
  const wy: f64 = load<f64>(v, 8);
  const wz: f64 = load<f64>(v, 16);
  const vx: f64 = load<f64>(v, 24);
  const vy: f64 = load<f64>(v, 32);
  const vz: f64 = load<f64>(v, 40);
  const hx: f64 = xx * wx + xy * wy + xz * wz + my * vz - mz * vy;
  const hy: f64 = xy * wx + yy * wy + yz * wz + mz * vx - mx * vz;
  const hz: f64 = xz * wx + yz * wy + zz * wz + mx * vy - my * vx;
  const px: f64 = m * vx - my * wz + mz * wy;
  const py: f64 = m * vy - mz * wx + mx * wz;
  const pz: f64 = m * vz - mx * wy + my * wx;
  const bx: f64 = load<f64>(a);
  const by: f64 = load<f64>(a, 8);
  const bz: f64 = load<f64>(a, 16);
  const ax: f64 = load<f64>(a, 24);
  const ay: f64 = load<f64>(a, 32);
  const az: f64 = load<f64>(a, 40);
  store<f64>(out, xx * bx + xy * by + xz * bz + my * az - mz * ay + (wy * hz - wz * hy) + (vy * pz - vz * py));
  store<f64>(out, xy * bx + yy * by + yz * bz + mz * ax - mx * az + (wz * hx - wx * hz) + (vz * px - vx * pz), 8);
  store<f64>(out, xz * bx + yz * by + zz * bz + mx * ay - my * ax + (wx * hy - wy * hx) + (vx * py - vy * px), 16);
  store<f64>(out, m * ax - my * bz + mz * by + (wy * pz - wz * py), 24);
  store<f64>(out, m * ay - mz * bx + mx * bz + (wz * px - wx * pz), 32);
  store<f64>(out, m * az - mx * by + my * bx + (wx * py - wy * px), 40);
}
