/**
 * What moves without being touched. Frames that joints, equalities, tendons, drives or terms couple are one group; a soft body is one
 * node, together with the frames it is attached to. A group is touched where one of its contacts repels or one of its limits holds.
 * Nodes: first the movable frames, then the soft bodies.
 */
import type { IpcObjective } from './ipc-objective.ts';
import { ROW } from './terms/joint-rows.ts';

export class TouchingGroups {
  readonly count: number;
  readonly #objective: IpcObjective;
  /** Per soft vertex: its node. */
  readonly #nodeOfVertex: Int32Array;
  /** Per node: another one of its group, itself for one of them. */
  readonly #link: Int32Array;
  readonly #isTouched: Uint8Array;

  constructor(objective: IpcObjective, softBodyOf: ArrayLike<number>, softBodies: number) {
    const { moving } = objective.frames;
    this.#objective = objective;
    this.count = moving + softBodies;
    this.#nodeOfVertex = Int32Array.from(softBodyOf, (n) => moving + n);
    this.#link = new Int32Array(this.count);
    this.#isTouched = new Uint8Array(this.count);
  }

  /** A step begins: nothing is touched yet. */
  clear(): void {
    this.#isTouched.fill(0);
  }

  /** Finds the groups by the rows of joints at the poses evaluated last. */
  group(): void {
    const { frames, joints, carriers, added } = this.#objective;
    for (let n = 0; n < this.count; n++) this.#link[n] = n;
    if (!joints.isEmpty) {
      const { count, entryStart, group } = joints.rows;
      for (let r = 0; r < count; r++)
        for (let i = entryStart[r] + 1; i < entryStart[r + 1]; i++) this.#join(group[i - 1], group[i]);
    }
    for (const v of carriers.attached)
      if (carriers.frame[v] < frames.moving) this.#join(carriers.frame[v], this.#nodeOfVertex[v]);
    this.#joinTies();
    // a term may couple anything
    if (!added.isEmpty) for (let n = 1; n < this.count; n++) this.#join(0, n);
  }

  // bodies and soft bodies that attachments hold together
  #joinTies(): void {
    const { frames, model } = this.#objective;
    const { tie, clamp } = model.soft;
    for (let k = 0; k < tie.vertex.length; k++) {
      const node = this.#nodeOfVertex[tie.vertex[k]];
      const frame = tie.body[k] < 0 ? -1 : frames.ofBody[tie.body[k]];
      if (tie.body[k] < 0) this.#join(node, this.#nodeOfVertex[tie.support[4 * k]]);
      else if (frame < frames.moving) this.#join(frame, node);
    }
    for (let k = 0; k < clamp.edge.length; k++) {
      const frame = frames.ofBody[clamp.body[k]];
      if (frame < frames.moving) this.#join(frame, this.#nodeOfVertex[clamp.angle[k]]);
    }
  }

  /** Marks what the contacts of the poses placed last and the limits that hold touch. */
  mark(): void {
    const { contacts, surfaces, fields, joints } = this.#objective;
    for (let n = 0; n < contacts.count; n++) {
      this.#touch(surfaces.frameOf[contacts.part[4 * n]]);
      // a plane does not move
      if (contacts.kind[n] !== 0) this.#touch(surfaces.frameOf[contacts.part[4 * n + 3]]);
    }
    for (let n = 0; n < fields.count; n++) {
      const { samples, frame } = fields.pairs[fields.pair[n]];
      this.#touch(samples.frame);
      this.#touch(frame);
    }
    if (joints.isEmpty) return;
    const { rows } = joints;
    for (let r = 0; r < rows.count; r++) {
      if (rows.kind[r] !== ROW.limit || !joints.isLimitHeld(r)) continue;
      for (let i = rows.entryStart[r]; i < rows.entryStart[r + 1]; i++) this.#isTouched[rows.group[i]] = 1;
    }
  }

  /** Spreads the marks to whole groups; `isMarked` tells them per node. */
  spread(isMarked: Uint8Array): void {
    for (let n = 0; n < this.count; n++) if (this.#isTouched[n] === 1) this.#isTouched[this.find(n)] = 1;
    for (let n = 0; n < this.count; n++) isMarked[n] = this.#isTouched[this.find(n)];
  }

  /** The node that names the group of a node. */
  find(n: number): number {
    const link = this.#link;
    let root = n;
    while (link[root] !== root) root = link[root];
    while (link[n] !== root) {
      const next = link[n];
      link[n] = root;
      n = next;
    }
    return root;
  }

  #join(a: number, b: number): void {
    const one = this.find(a);
    const two = this.find(b);
    if (one < two) this.#link[two] = one;
    else this.#link[one] = two;
  }

  #touch(frame: number): void {
    const { moving, firstSoft } = this.#objective.frames;
    if (frame < moving) this.#isTouched[frame] = 1;
    else if (frame >= firstSoft) this.#isTouched[this.#nodeOfVertex[frame - firstSoft]] = 1;
  }
}
