/** The faces of all pairs that touch by pressure, one pair after the other. */
import { ContactFaces } from '../../geometry/pressure-field/contact-faces.ts';

export class FaceRuns {
  readonly faces: ContactFaces = new ContactFaces();
  /** Pairs in use. */
  count = 0;
  /** Per pair: the two colliders, its first face, the number of its faces. */
  records: Int32Array = new Int32Array(4 * 16);

  clear(): void {
    this.faces.clear();
    this.count = 0;
  }

  /** Faces from `start` on belong to colliders a and b; their normals point from a to b. */
  add(a: number, b: number, start: number): void {
    const o = 4 * this.count++;
    if (o === this.records.length) {
      const records = new Int32Array(2 * o);
      records.set(this.records);
      this.records = records;
    }
    this.records[o] = a;
    this.records[o + 1] = b;
    this.records[o + 2] = start;
    this.records[o + 3] = this.faces.count - start;
  }

  /** Turns the normals of the faces from `start` on. */
  flip(start: number): void {
    const { normal, count } = this.faces;
    for (let i = 3 * start; i < 3 * count; i++) normal[i] = -normal[i];
  }
}

/** One number for the two items of a face, the same while they touch. */
export function faceFeature(item: Int32Array, i: number): number {
  return (Math.imul(item[2 * i], 0x9e3779b1) + item[2 * i + 1]) | 0;
}
