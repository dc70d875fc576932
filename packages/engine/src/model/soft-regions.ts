/** Named regions of a soft body: the vertices listed, and those in a box of its frame at rest. */
import { NexdynError } from '../error.ts';
import { untransformPoint } from '../linear-algebra/pose.ts';
import type { SoftBody } from '../scene/soft-body.ts';
import { writePose } from './frames.ts';
import { includeMiddles } from './middle-vertices.ts';
import type { SoftShape } from './soft-shapes.ts';

/** A named part of a soft body. */
export interface SoftRegion {
  readonly name: string;
  /** Numbered within the body, ascending. */
  readonly vertices: Int32Array;
}

export function compileRegions(body: SoftBody, shape: SoftShape, n: number): SoftRegion[] {
  const known = new Set<string>();
  return (body.regions ?? []).map((region, k) => {
    const path = `softBodies[${n}].regions[${k}]`;
    if (known.has(region.name)) {
      const hint = 'regions of a soft body have different names';
      throw new NexdynError('duplicate-name', `there are two regions '${region.name}'`, { path: `${path}.name`, hint });
    }
    known.add(region.name);
    const inside = new Set(region.vertices ?? []);
    for (const v of inside) {
      if (Number.isInteger(v) && v >= 0 && v < shape.pointCount) continue;
      const reason = `there is no vertex ${v} in a mesh of ${shape.pointCount} vertices`;
      const hint = `vertices are numbered from 0 to ${shape.pointCount - 1}`;
      throw new NexdynError('unknown-reference', reason, { path: `${path}.vertices`, hint });
    }
    const { ends } = shape;
    const firstMiddle = shape.vertices.length / 3 - ends.length / 2;
    if (ends.length > 0) for (const v of includeMiddles([...inside], ends, firstMiddle)) inside.add(v);
    if (region.box) for (const v of findInBox(body, shape, region.box)) inside.add(v);
    if (inside.size === 0) {
      const hint = 'give vertices, or a box in the frame of the soft body that contains some';
      throw new NexdynError('invalid-value', `the region '${region.name}' has no vertex`, { path, hint });
    }
    return { name: region.name, vertices: Int32Array.from(inside).sort() };
  });
}

function findInBox(
  body: SoftBody,
  { vertices, pointCount }: SoftShape,
  box: { low: number[]; high: number[] },
): number[] {
  const pose = { position: new Float64Array(3), orientation: new Float64Array(4) };
  writePose(body, pose.position, pose.orientation, 0);
  const local = new Float64Array(3);
  const found: number[] = [];
  // faces of a box through vertices include them
  const slack = 1e-9 * Math.max(...box.high.map((high, k) => high - box.low[k]));
  for (let v = 0; v < pointCount; v++) {
    untransformPoint(local, 0, pose, 0, vertices, 3 * v);
    if (local.every((x, k) => x >= box.low[k] - slack && x <= box.high[k] + slack)) found.push(v);
  }
  return found;
}
