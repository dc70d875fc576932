import type { Simulation } from '@nexdyn/engine';
import type { Recording } from '@nexdyn/formats';
import { labelPositions, labelVelocities } from '@nexdyn/formats';

/** How far a state is from a recorded one. */
export interface StateDifference {
  quantity: 'position' | 'velocity';
  /** The number that differs most, by name. */
  name: string;
  recorded: number;
  found: number;
}

/** The numbers that differ most from a frame of a recording; empty where positions and velocities are the same. */
export function listDifferences(simulation: Simulation, recording: Recording, frame: number): StateDifference[] {
  const { model, state } = simulation;
  const labels = { position: labelPositions(model), velocity: labelVelocities(model) };
  return (['position', 'velocity'] as const).flatMap((quantity) => {
    const column = recording.columns.find(({ name }) => name === quantity);
    const found = state[quantity];
    if (column?.width !== found.length) return [];
    const recorded = column.data.subarray(frame * column.width, (frame + 1) * column.width);
    // a recording with too few frames
    if (recorded.length < found.length) return [];
    let worst = -1;
    const distance = (i: number): number => Math.abs(found[i]! - recorded[i]!);
    for (let i = 0; i < found.length; i++) {
      // a number that is not one differs from everything
      if (!Object.is(found[i], recorded[i]) && (worst < 0 || !(distance(i) <= distance(worst)))) worst = i;
    }
    if (worst < 0) return [];
    return [{ quantity, name: labels[quantity][worst]!.name, recorded: recorded[worst]!, found: found[worst]! }];
  });
}
