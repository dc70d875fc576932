/** What the test of two boxes sees of the shapes of a scene and of its contact points, in the order of the engine's collision/box-pair-record.ts. */
import { Doubles, Integers } from './doubles';

@unmanaged
export class BoxPair {
  // shapes
  position: Doubles;
  rotation: Doubles;
  size: Doubles;
  // contact points
  pointPosition: Doubles;
  pointNormal: Doubles;
  pointGap: Doubles;
  pointFeature: Integers;
  /** Axes of B in the frame of A; centres of B and A in the frame of the other; the best pair of edges. */
  turn: Doubles;
  centerB: Doubles;
  centerA: Doubles;
  edgeAxis: Doubles;
  /** Points on A and B and the normal, in the frame of A. */
  onA: Doubles;
  onB: Doubles;
  normal: Doubles;
  /** Corners of the patch, twice as many as it can have; how far they are beyond a side; labels. */
  x: Doubles;
  y: Doubles;
  z: Doubles;
  beyond: Doubles;
  label: Integers;
}
