/** `fromto`: the frame of something long by its two ends. */
import type { Vec3 } from '@nexdyn/engine';
import { locate, readVector, type Settings } from './attributes.ts';
import { fail } from './failure.ts';
import { type Frame, rotationFromZ } from './orientation.ts';

/** A segment: the frame at its middle, z pointing from the second end to the first, and half its length. */
export interface Segment {
  frame: Frame;
  halfLength: number;
}

/** Reads `fromto`, or undefined where there is none. */
export function readSegment(settings: Settings): Segment | undefined {
  const ends = readVector(settings, 'fromto', 6) as [number, number, number, number, number, number] | undefined;
  if (!ends) return undefined;
  // a position of zero counts as none
  if (readVector(settings, 'pos', 3)?.some((x) => x !== 0)) {
    fail('invalid-value', locate(settings, 'fromto'), "'fromto' and 'pos' exclude each other", 'remove one of them');
  }
  const [ax, ay, az, bx, by, bz] = ends;
  const along: Vec3 = [ax - bx, ay - by, az - bz];
  const length = Math.hypot(...along);
  if (length < 1e-14)
    fail('invalid-value', locate(settings, 'fromto'), "the two ends of 'fromto' are the same point", 'move one end');
  const position: Vec3 = [(ax + bx) / 2, (ay + by) / 2, (az + bz) / 2];
  const orientation = rotationFromZ([along[0] / length, along[1] / length, along[2] / length]);
  return { frame: { position, orientation }, halfLength: length / 2 };
}
