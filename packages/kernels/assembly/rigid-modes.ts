/** Pᵀ r and z + P y of the rigid motions of aggregates: twins of the engine's linear-algebra/two-level/prolongation.ts. */
import { Doubles, Integers } from './doubles';
import { sumLanes } from './lanes';

export function restrictRigid(
  out: Doubles,
  outCount: i32,
  start: Integers,
  aggregate: Integers,
  p: usize,
  r: usize,
  count: i32,
): void {
  memory.fill(out.at(0), 0, (<usize>outCount) << 3);
  for (let i: i32 = 0; i < count; i++, r += 24) {
    const u: v128 = f64x2.splat(load<f64>(r));
    const v: v128 = f64x2.splat(load<f64>(r, 8));
    const w: v128 = f64x2.splat(load<f64>(r, 16));
    const end: i32 = start[i + 1];
    for (let e: i32 = start[i]; e < end; e++, p += 144) {
      const o: usize = out.at(6 * aggregate[e]);
      addColumns(o, p, u, v, w);
      addColumns(o + 16, p + 16, u, v, w);
      addColumns(o + 32, p + 32, u, v, w);
    }
  }
}

@inline
function addColumns(o: usize, p: usize, u: v128, v: v128, w: v128): void {
  const sum: v128 = f64x2.add(
    f64x2.add(f64x2.mul(v128.load(p), u), f64x2.mul(v128.load(p, 48), v)),
    f64x2.mul(v128.load(p, 96), w),
  );
  v128.store(o, f64x2.add(v128.load(o), sum));
}

export function prolongRigid(z: usize, start: Integers, aggregate: Integers, p: usize, y: Doubles, count: i32): void {
  for (let i: i32 = 0; i < count; i++, z += 24) {
    const end: i32 = start[i + 1];
    for (let e: i32 = start[i]; e < end; e++, p += 144) {
      const o: usize = y.at(6 * aggregate[e]);
      const y0: v128 = v128.load(o);
      const y1: v128 = v128.load(o, 16);
      const y2: v128 = v128.load(o, 32);
      for (let c: usize = 0; c < 3; c++) {
        const m: usize = p + 48 * c;
        const sum: v128 = f64x2.add(
          f64x2.add(f64x2.mul(v128.load(m), y0), f64x2.mul(v128.load(m, 16), y1)),
          f64x2.mul(v128.load(m, 32), y2),
        );
        store<f64>(z + 8 * c, load<f64>(z + 8 * c) + sumLanes(sum));
      }
    }
  }
}
