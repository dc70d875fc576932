/**
 * Mass properties at density one of the solid of distances on a grid: cells around the samples, each filled by the share that a
 * plane at the sampled distance would cut off.
 */
import { createMassProperties, type MassProperties } from './mass-properties.ts';

export function gridMass(
  origin: readonly number[],
  spacing: number,
  counts: readonly number[],
  values: readonly number[],
): MassProperties {
  const sum = createMassProperties();
  const second = new Float64Array(6);
  const cell = spacing * spacing * spacing;
  for (let k = 0, n = 0; k < counts[2]; k++) {
    for (let j = 0; j < counts[1]; j++) {
      for (let i = 0; i < counts[0]; i++, n++) {
        const share = Math.min(1, Math.max(0, 0.5 - values[n] / spacing));
        if (share === 0) continue;
        const m = share * cell;
        const x = origin[0] + i * spacing;
        const y = origin[1] + j * spacing;
        const z = origin[2] + k * spacing;
        sum.mass += m;
        sum.center[0] += m * x;
        sum.center[1] += m * y;
        sum.center[2] += m * z;
        second[0] += m * (x * x + (spacing * spacing) / 12);
        second[1] += m * (y * y + (spacing * spacing) / 12);
        second[2] += m * (z * z + (spacing * spacing) / 12);
        second[3] += m * x * y;
        second[4] += m * x * z;
        second[5] += m * y * z;
      }
    }
  }
  if (sum.mass === 0) return sum;
  const [x, y, z] = sum.center.map((value) => value / sum.mass);
  sum.center.set([x, y, z]);
  const xx = second[0] - sum.mass * x * x;
  const yy = second[1] - sum.mass * y * y;
  const zz = second[2] - sum.mass * z * z;
  sum.tensor.set([yy + zz, zz + xx, xx + yy]);
  sum.tensor[3] = sum.mass * x * y - second[3];
  sum.tensor[4] = sum.mass * x * z - second[4];
  sum.tensor[5] = sum.mass * y * z - second[5];
  return sum;
}
