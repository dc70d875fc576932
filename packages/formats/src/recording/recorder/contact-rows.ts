/** Every contact of every frame with its force, of the step that led to the frame: rows that come and go. */
import type { Simulation } from '@nexdyn/engine';
import type { RaggedColumns } from '../recording.ts';

/** Rows so far, for a checkpoint. */
export interface SavedRows {
  splits: Float64Array;
  rows: Float64Array;
}

/** Columns of a row, in their order. */
const COLUMNS = [
  // shapes by number; soft bodies are counted after all shapes
  { name: 'contactShape', unit: '', width: 2, labels: ['first', 'second'] },
  { name: 'contactPosition', unit: 'm', width: 3, labels: ['x', 'y', 'z'] },
  // from the first shape to the second
  { name: 'contactNormal', unit: '1', width: 3, labels: ['x', 'y', 'z'] },
  { name: 'contactGap', unit: 'm', width: 1 },
  // of the first shape on the second, world axes
  { name: 'contactForce', unit: 'N', width: 3, labels: ['x', 'y', 'z'] },
  { name: 'contactTorque', unit: 'N m', width: 3, labels: ['x', 'y', 'z'] },
] as const;

const WIDTH = COLUMNS.reduce((sum, { width }) => sum + width, 0);

export class ContactRows {
  #splits = [0];
  #rows = new Float64Array(64 * WIDTH);

  /** Adds the contacts of the last step, those without force aside. */
  add({ formulation, solvedContacts }: Pick<Simulation, 'formulation' | 'solvedContacts'>): void {
    let count = this.#splits.at(-1)!;
    const contacts = solvedContacts;
    for (let i = 0; formulation.usesContacts && i < contacts.count; i++) {
      const { force } = contacts;
      if (force.subarray(6 * i, 6 * i + 6).every((value) => value === 0)) continue;
      if ((count + 1) * WIDTH > this.#rows.length) this.#grow();
      const at = count++ * WIDTH;
      const row = this.#rows;
      row[at] = contacts.shape1[i]!;
      row[at + 1] = contacts.shape2[i]!;
      row.set(contacts.position.subarray(3 * i, 3 * i + 3), at + 2);
      row.set(contacts.frame.subarray(9 * i, 9 * i + 3), at + 5);
      row[at + 8] = contacts.gap[i]!;
      for (let k = 0; k < 3; k++) {
        row[at + 9 + k] = along(contacts.frame, 9 * i + k, force, 6 * i);
        row[at + 12 + k] = along(contacts.frame, 9 * i + k, force, 6 * i + 3);
      }
    }
    this.#splits.push(count);
  }

  #grow(): void {
    const grown = new Float64Array(2 * this.#rows.length);
    grown.set(this.#rows);
    this.#rows = grown;
  }

  save(): SavedRows {
    return { splits: Float64Array.from(this.#splits), rows: this.#rows.slice(0, this.#splits.at(-1)! * WIDTH) };
  }

  load({ splits, rows }: SavedRows): void {
    this.#splits = Array.from(splits);
    this.#rows = new Float64Array(Math.max(64 * WIDTH, 2 * rows.length));
    this.#rows.set(rows);
  }

  finish(): RaggedColumns {
    const count = this.#splits.at(-1)!;
    let start = 0;
    const columns = COLUMNS.map((column) => {
      const { name, unit, width } = column;
      const data = new Float64Array(count * width);
      for (let row = 0; row < count; row++) {
        const from = row * WIDTH + start;
        data.set(this.#rows.subarray(from, from + width), row * width);
      }
      start += width;
      return { name, unit, width, data, ...('labels' in column && { labels: [...column.labels] }) };
    });
    return { name: 'contact', splits: Float64Array.from(this.#splits), columns };
  }
}

// of three numbers along the rows of a frame, its component k
function along(frame: Float64Array, f: number, numbers: Float64Array, n: number): number {
  return frame[f]! * numbers[n]! + frame[f + 3]! * numbers[n + 1]! + frame[f + 6]! * numbers[n + 2]!;
}
