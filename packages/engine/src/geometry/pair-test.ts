import type { ContactPoints } from './contact-points.ts';
import type { PlacedShape } from './placed-shape.ts';

/**
 * Appends the contact points of A and B with a gap of at most `reach` (m; may be Infinity: then the closest point at least).
 * Normals point from A to B. Allocates nothing once its scratch has grown. Never throws: shapes are checked when compiled.
 */
export type PairTest = (out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number) => void;
