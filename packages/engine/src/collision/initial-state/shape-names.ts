/** Shapes and soft bodies in messages; soft body s counts as shape `size.shape` + s. */
import type { Model } from '../../model/model.ts';

export function nameShape({ shape, body, soft, size }: Model, s: number): string {
  if (s >= size.shape)
    return soft.name[s - size.shape] ? `"${soft.name[s - size.shape]}"` : `soft body ${s - size.shape}`;
  const owner = body.name[shape.body[s]];
  return shape.name[s] ? `shape "${shape.name[s]}"` : owner ? `the shape of "${owner}"` : `shape ${s}`;
}

/** A length in millimetres. */
export function describeLength(x: number): string {
  return `${Number((1000 * x).toPrecision(4))} mm`;
}
