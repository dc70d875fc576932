/** Names of numbers that can be plotted, as in `joint:2:position` or `body:cart:x`: the same in every formulation. */

/** A number of a scene over time. */
export interface Quantity {
  /** By which it is asked for. */
  key: string;
  /** What it is called in a legend. */
  label: string;
  /** SI; empty for pure numbers. */
  unit: string;
}

/** One thing of a scene in the tree of parts. */
export interface ScenePart {
  /** By which it is asked for, as in `body:3`; numbers are those of every formulation. */
  id: string;
  kind: 'body' | 'joint' | 'shape' | 'soft body' | 'actuator' | 'sensor' | 'term';
  label: string;
  children: ScenePart[];
}

/** One line about a part. */
export interface PartFact {
  label: string;
  /** One number or several; text as it is. */
  value: number | number[] | string;
  unit: string;
  /** Numbers of the line that can be plotted. */
  plots: Quantity[];
}
