import type { Vec3 } from './pose.ts';

/** A point that a term looks at: of a body, or a vertex of a soft body. */
export interface SceneTermPoint {
  /** Body whose point it is; `world` for a point that does not move. */
  body?: string;
  /** Where, in the frame of the body, m. Default: 0 0 0. */
  at?: Vec3;
  /** Soft body whose vertex it is. */
  softBody?: string;
  /** Number of the vertex within the soft body. */
  vertex?: number;
}

/**
 * An energy that is added to the step. Its other fields depend on the kind: `springNetwork`, `magnet` and `wind` are built in;
 * `registerTerm` adds others.
 */
export interface SceneTerm {
  /** Kind of the term. */
  kind: string;
  /** Name in read-outs and recordings. Default: the kind and a number. */
  name?: string;
  /** Factor on the energy. Default: 1. */
  weight?: number;
  /** Parameters of the kind. */
  [parameter: string]: unknown;
}
