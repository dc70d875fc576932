/**
 * Where the numbers of environments that stay lie: one block of doubles, field after field, each with a row per environment.
 *   control | observed fields | reward | time | status | state
 * Everything that a caller reads after a step is one run between control and state.
 */
import { type Model, STATE_FIELDS, type StateFieldName } from '@nexdyn/engine/core';
import type { RecordedField } from '../environment.ts';
import { measureField } from '../readout-field.ts';

/** A field of the block. */
export interface BlockField {
  readonly name: string;
  /** Place of its first number, counted in doubles. */
  readonly offset: number;
  /** Numbers per environment. */
  readonly width: number;
}

/** All fields of a block. */
export interface BlockLayout {
  readonly environments: number;
  /** Controls of actuators: what the caller writes. */
  readonly control: BlockField;
  /** What was asked for, in that order. */
  readonly observed: readonly BlockField[];
  /** Sum of the rewards of the last call. */
  readonly reward: BlockField;
  /** s. */
  readonly time: BlockField;
  /** See RESIDENT_STATUS. */
  readonly status: BlockField;
  /** Fields of the state in the order of STATE_FIELDS. */
  readonly state: BlockField;
  /** Doubles in all. */
  readonly length: number;
}

/** The views of a block. */
export interface BlockViews {
  readonly control: Float64Array;
  readonly observed: readonly Float64Array[];
  readonly reward: Float64Array;
  readonly time: Float64Array;
  readonly status: Float64Array;
  readonly state: Float64Array;
}

/** Lays out a block for a number of environments. */
export function layOutBlock(model: Model, environments: number, observed: readonly RecordedField[]): BlockLayout {
  let length = 0;
  const place = (name: string, width: number): BlockField => {
    const offset = length;
    length += environments * width;
    return { name, offset, width };
  };
  const stateWidth = (Object.keys(STATE_FIELDS) as StateFieldName[]).reduce(
    (sum, name) => sum + STATE_FIELDS[name].length(model.size),
    0,
  );
  return {
    environments,
    control: place('control', model.size.actuator),
    observed: observed.map((name) => place(name, measureField(model, name))),
    reward: place('reward', 1),
    time: place('time', 1),
    status: place('status', 1),
    state: place('state', stateWidth),
    length,
  };
}

/** Rows of some environments in a block, from one on. */
export function viewBlock(layout: BlockLayout, buffer: ArrayBufferLike, first = 0, count?: number): BlockViews {
  const rows = count ?? layout.environments;
  const view = ({ offset, width }: BlockField): Float64Array =>
    new Float64Array(buffer, 8 * (offset + first * width), rows * width);
  return {
    control: view(layout.control),
    observed: layout.observed.map(view),
    reward: view(layout.reward),
    time: view(layout.time),
    status: view(layout.status),
    state: view(layout.state),
  };
}

/** Copies all rows but the controls. */
export function copyResults(to: BlockViews, from: BlockViews): void {
  for (const [i, view] of to.observed.entries()) view.set(from.observed[i]!);
  to.reward.set(from.reward);
  to.time.set(from.time);
  to.status.set(from.status);
  to.state.set(from.state);
}
