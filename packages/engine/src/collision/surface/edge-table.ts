/** Edges of triangles, numbered as they are met: one number for both directions. */
export class EdgeTable {
  /** Two points per edge. */
  readonly ends: number[] = [];
  /** Per edge: the first triangle that has it, −1 where none does. */
  readonly owner: number[] = [];
  readonly #pointCount: number;
  readonly #known = new Map<number, number>();

  constructor(pointCount: number) {
    this.#pointCount = pointCount;
  }

  get count(): number {
    return this.owner.length;
  }

  /** An edge of no triangle. */
  addLoose(p: number, q: number): void {
    this.ends.push(p, q);
    this.owner.push(-1);
  }

  /** The number of the edge from p to q of a triangle. */
  find(p: number, q: number, triangle: number): number {
    const key = Math.min(p, q) * this.#pointCount + Math.max(p, q);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const number = this.count;
    this.#known.set(key, number);
    this.ends.push(p, q);
    this.owner.push(triangle);
    return number;
  }
}
