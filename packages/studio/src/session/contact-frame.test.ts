import { describe, expect, test } from 'vitest';
import {
  AREA_OFFSET,
  type ContactArrays,
  ContactPacker,
  classifyGap,
  FORCE_OFFSET,
  GAP_OFFSET,
  MARGIN_OFFSET,
  MODE_OFFSET,
  NORMAL_FORCE_OFFSET,
  POINT_WIDTH,
} from './contact-frame.ts';

/** A set with these gaps: contact i is between shapes i and 100 + i, at (i, 2i, 3i), with the normal (0, 0, 1) and no force. */
function makeSet(gaps: readonly number[]): ContactArrays {
  // storage of the engine is longer than what is in use
  const spare = 5;
  const n = gaps.length + spare;
  return {
    count: gaps.length,
    shape1: Int32Array.from({ length: n }, (_, i) => i),
    shape2: Int32Array.from({ length: n }, (_, i) => 100 + i),
    position: Float64Array.from({ length: 3 * n }, (_, k) => Math.floor(k / 3) * ((k % 3) + 1)),
    frame: Float64Array.from({ length: 9 * n }, (_, k) => [0, 0, 1, 1, 0, 0, 0, 1, 0][k % 9]!),
    gap: Float64Array.from({ length: n }, (_, i) => gaps[i] ?? -99),
    margin: Float64Array.from({ length: n }, () => 0.25),
    force: new Float64Array(6 * n).fill(99, 6 * gaps.length),
    mode: new Uint8Array(n).fill(1, gaps.length),
  };
}

const packContacts = (set: ContactArrays, most?: number) => new ContactPacker([], [0, 0, -9.81], most).pack(set);

describe('contacts for the page', () => {
  test('nothing touches: empty arrays and no worst gap', () => {
    const frame = packContacts(makeSet([]));
    expect(frame).toMatchObject({
      total: 0,
      worstGap: undefined,
      kinds: { penetrating: 0, touching: 0, near: 0 },
      normalForce: 0,
    });
    expect(frame.points.length + frame.shapes.length).toBe(0);
  });

  test('each contact comes with its shapes, point, normal, gap and margin, worst first', () => {
    const frame = packContacts(makeSet([0.5, -0.25, 0]));
    expect([...frame.shapes]).toEqual([1, 101, 2, 102, 0, 100]);
    const row = (rank: number): number[] => [...frame.points.subarray(POINT_WIDTH * rank, POINT_WIDTH * (rank + 1))];
    expect(row(0)).toEqual([1, 2, 3, 0, 0, 1, -0.25, 0.25, 0, 0, 0, 0, 0, 0, 0]);
    expect(row(1)).toEqual([2, 4, 6, 0, 0, 1, 0, 0.25, 0, 0, 0, 0, 0, 0, 0]);
    expect(row(2)).toEqual([0, 0, 0, 0, 0, 1, 0.5, 0.25, 0, 0, 0, 0, 0, 0, 0]);
    expect([GAP_OFFSET, MARGIN_OFFSET]).toEqual([6, 7]);
    expect(frame.worstGap).toBe(-0.25);
  });

  test('faces of a pressure field come with area and pressure, and are summed up', () => {
    const set = { ...makeSet([-0.1, -0.2]), area: Float64Array.of(0.5, 0.25), pressure: Float64Array.of(100, 400) };
    const frame = packContacts(set);
    expect(frame.patch).toEqual({ faces: 2, area: 0.75, pressure: 400 });
    expect([...frame.points.subarray(AREA_OFFSET, AREA_OFFSET + 2)]).toEqual([0.25, 400]);
  });

  test('gaps that differ by rounding alone keep the order of the engine', () => {
    const frame = packContacts(makeSet([-0.001 + 1e-15, -0.001, -0.001 - 1e-15, -0.002]));
    expect([...frame.shapes].filter((_, k) => k % 2 === 0)).toEqual([3, 0, 1, 2]);
    expect(frame.worstGap).toBe(-0.002);
  });

  test('a gap within a tenth of a millimetre is touching, on either side', () => {
    expect([-2e-4, -1e-4, 0, 1e-4, 2e-4].map(classifyGap)).toEqual([
      'penetrating',
      'touching',
      'touching',
      'touching',
      'near',
    ]);
  });

  test('beyond the limit the worst are sent, and the counts are those of all', () => {
    const gaps = Array.from({ length: 1000 }, (_, i) => ((i * 37) % 1000) / 1000 - 0.4);
    const frame = packContacts(makeSet(gaps), 50);
    expect(frame.total).toBe(1000);
    expect(frame.shapes.length).toBe(100);
    const sent = Array.from({ length: 50 }, (_, rank) => frame.points[POINT_WIDTH * rank + GAP_OFFSET]!);
    const worst = gaps.toSorted((a, b) => a - b).slice(0, 50);
    expect(sent).toEqual(worst.map(Math.fround));
    expect(frame.kinds.penetrating).toBe(gaps.filter((gap) => gap < -1e-4).length);
    expect(frame.kinds.penetrating + frame.kinds.touching + frame.kinds.near).toBe(1000);
  });

  test('forces come in world axes, with what each contact does, and are summed over all', () => {
    const set = makeSet([-0.001, -0.002, 0.01]);
    // normal 5 N with friction 1 N and 2 N along the tangents; normal 3 N; nothing
    set.force.set([5, 1, 2, 9, 9, 9], 0);
    set.force.set([3, 0, 0, 9, 9, 9], 6);
    set.mode.set([2, 1, 0]);
    const frame = packContacts(set);
    const read = (rank: number): number[] => [
      ...frame.points.subarray(POINT_WIDTH * rank + FORCE_OFFSET, POINT_WIDTH * rank + FORCE_OFFSET + 3),
      frame.points[POINT_WIDTH * rank + NORMAL_FORCE_OFFSET]!,
      frame.points[POINT_WIDTH * rank + MODE_OFFSET]!,
    ];
    expect(read(0)).toEqual([0, 0, 3, 3, 1]);
    expect(read(1)).toEqual([1, 2, 5, 5, 2]);
    expect(read(2)).toEqual([0, 0, 0, 0, 0]);
    expect(frame.modes).toEqual({ open: 1, stick: 1, slide: 1 });
    expect(frame.normalForce).toBe(8);
  });

  test('the force is that on the moving side; forces between moving bodies are no support', () => {
    const isFixed = { 0: true, 101: true, length: 200 } as unknown as ArrayLike<boolean>;
    const set = makeSet([0, 0, 0]);
    for (let i = 0; i < 3; i++) set.force.set([10 ** i, 0, 0, 0, 0, 0], 6 * i);
    set.mode.fill(1);
    // first: floor under a body; second: a body above a floor that comes second; third: two bodies
    const frame = new ContactPacker(isFixed, [0, 0, -9.81]).pack(set);
    const upward = [0, 1, 2].map((rank) => frame.points[POINT_WIDTH * rank + FORCE_OFFSET + 2]!);
    expect(upward).toEqual([1, -10, 100]);
    expect(frame.support).toEqual([0, 0, -9]);
  });

  test('between two moving bodies the force points up, whichever comes first; without gravity it is that on the second', () => {
    const set = makeSet([0]);
    set.force.set([-4, 1, 2, 0, 0, 0]);
    const read = (gravity: number[]): number[] => [
      ...new ContactPacker([], gravity).pack(set).points.subarray(FORCE_OFFSET, FORCE_OFFSET + 3),
    ];
    expect(read([0, 0, -9.81])).toEqual([-1, -2, 4]);
    expect(read([0, 0, 1.62])).toEqual([1, 2, -4]);
    expect(read([0, 0, 0])).toEqual([1, 2, -4]);
  });

  test('frames do not share their arrays, which are given away', () => {
    const packer = new ContactPacker([], [0, 0, -9.81]);
    const [one, two] = [packer.pack(makeSet([0])), packer.pack(makeSet([0]))];
    expect(one.points.buffer).not.toBe(two.points.buffer);
    expect(one.shapes.buffer).not.toBe(two.shapes.buffer);
  });
});
