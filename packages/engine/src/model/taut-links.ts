/**
 * Links that swing faster than body coordinates resolve, because they carry much. There the forces of joints push along the directions of the
 * start of the step: a link b of mass m and length l under a pull T swings at up to ω = 2 √(T/(m l)) in a chain, and from h ω of about 1.4 on a
 * chain that hangs at rest begins to tremble and gains energy. What is compared, for chains of equal rods 3/4 (h ω)², is
 *   a = h² T r/I,   T = |g| Σ m of b and of all it carries
 * r the farthest from its joint of its centres and of the joints it carries, m; I half the trace of its inertia there, kg m². Bodies without a
 * joint belong to the one that carries them. Links that only slide do not swing. Trees that float hang from nothing, and touch more exactly in
 * body coordinates, whose bodies go straight in a step.
 */
import { JOINT, type Model } from './model.ts';
import type { RestDynamics } from './rest-dynamics.ts';

/** Largest a of links that body coordinates resolve; chains tremble from 1.5 on. */
const LARGEST = 1;

/** The first body of a mechanism in joint coordinates that weight alone makes swing too fast; 0 where there is none. */
export function findTautLink({ body, joint, size, options }: Model, rest: RestDynamics): number {
  const weight = options.timestep ** 2 * Math.hypot(...options.gravity);
  if (weight === 0) return 0;
  const { bodyCenter, jointAnchor } = rest();
  const place = (from: Float64Array, o: number): number[] => [from[o], from[o + 1], from[o + 2]];
  const group = new Int32Array(size.body);
  const floats = new Uint8Array(size.body);
  const anchors: (number[] | undefined)[] = [];
  const [inertia, reach, mass] = [0, 1, 2].map(() => new Float64Array(size.body)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  for (let b = 1; b < size.body; b++) {
    const first = body.jointStart[b];
    const kinds = [...joint.kind.subarray(first, first + body.jointCount[b])];
    const parent = group[body.parent[b]];
    group[b] = kinds.length > 0 ? b : parent;
    if (kinds.length > 0) {
      const turn = kinds.findIndex((kind) => kind === JOINT.hinge || kind === JOINT.ball);
      const anchor = place(jointAnchor, 3 * (first + Math.max(turn, 0)));
      floats[b] = kinds.includes(JOINT.free) ? 1 : floats[parent];
      anchors[b] = turn < 0 || floats[b] === 1 ? undefined : anchor;
      extend(parent, anchor);
    }
    const g = group[b];
    const arm = extend(g, place(bodyCenter, 3 * b));
    const moments = body.inertiaMoments;
    inertia[g] += 0.5 * (moments[3 * b] + moments[3 * b + 1] + moments[3 * b + 2]) + body.mass[b] * arm * arm;
  }
  for (let b = size.body - 1; b > 0; b--) {
    mass[b] += body.mass[b];
    mass[body.parent[b]] += mass[b];
  }
  for (let b = 1; b < size.body; b++) {
    if (anchors[b] && weight * mass[b] * reach[b] > LARGEST * inertia[b]) return b;
  }
  return 0;

  // how far a place is from the joint of a link, which reaches at least as far
  function extend(link: number, [x, y, z]: number[]): number {
    const anchor = anchors[link];
    if (!anchor) return 0;
    const distance = Math.hypot(x! - anchor[0]!, y! - anchor[1]!, z! - anchor[2]!);
    reach[link] = Math.max(reach[link], distance);
    return distance;
  }
}
