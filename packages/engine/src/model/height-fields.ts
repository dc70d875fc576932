import type { Scene } from '../scene/scene.ts';
import type { ModelHeightFields } from './model.ts';

/** The height fields of a scene. */
export function compileHeightFields(scene: Scene): ModelHeightFields {
  const sources = scene.heightFields ?? [];
  const count = sources.length;
  const field: ModelHeightFields = {
    name: sources.map((source) => source.name),
    rows: new Int32Array(count),
    columns: new Int32Array(count),
    halfSize: new Float64Array(2 * count),
    baseDepth: new Float64Array(count),
    dataStart: new Int32Array(count),
    heights: new Float64Array(sources.reduce((sum, source) => sum + source.heights.length, 0)),
  };
  let start = 0;
  for (let h = 0; h < count; h++) {
    const { rows, columns, heights, halfSize, baseDepth } = sources[h];
    field.rows[h] = rows;
    field.columns[h] = columns;
    field.halfSize.set(halfSize, 2 * h);
    field.baseDepth[h] = baseDepth;
    field.dataStart[h] = start;
    field.heights.set(heights, start);
    start += heights.length;
  }
  return field;
}
