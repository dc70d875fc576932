/**
 * Tetrahedra that fill convex cells with common vertices: each face is fanned out from its lowest vertex, each cell from its
 * lowest vertex over the faces that do not contain it. Two cells with a common face cut it in the same way. Cells whose vertices coincide
 * in part lose the faces that shrink to an edge.
 */
import { computeSixfoldVolume, type TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.ts';

/** Six times the volume below which a piece is nothing, over the cube of the size of the whole. */
const DEGENERATE_VOLUME = 1e-15;

export class ConvexCells {
  readonly #points: number[] = [];
  readonly #tetrahedra: number[] = [];
  readonly #known = new Map<string, number>();
  #size = 0;

  /** The number of a point; the same for the same place. */
  point(x: number, y: number, z: number): number {
    // −0 is 0
    const key = `${x + 0} ${y + 0} ${z + 0}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const number = this.#points.length / 3;
    this.#points.push(x + 0, y + 0, z + 0);
    this.#size = Math.max(this.#size, Math.abs(x), Math.abs(y), Math.abs(z));
    this.#known.set(key, number);
    return number;
  }

  /** A cell by its faces, each a list of vertices in order around it. */
  fill(faces: readonly (readonly number[])[]): void {
    const plain = faces.map((face) => face.filter((v, i) => face.indexOf(v) === i)).filter((face) => face.length > 2);
    if (plain.length === 0) return;
    const apex = Math.min(...plain.flat());
    for (const face of plain) {
      if (face.includes(apex)) continue;
      const start = face.indexOf(Math.min(...face));
      const at = (i: number): number => face[(start + i) % face.length];
      for (let i = 1; i + 1 < face.length; i++) this.#add(apex, at(0), at(i), at(i + 1));
    }
  }

  #add(a: number, b: number, c: number, d: number): void {
    const volume = computeSixfoldVolume(this.#points, [a, b, c, d], 0);
    if (Math.abs(volume) <= DEGENERATE_VOLUME * this.#size ** 3) return;
    this.#tetrahedra.push(a, b, volume > 0 ? c : d, volume > 0 ? d : c);
  }

  finish(): TetrahedralMesh {
    return { vertices: Float64Array.from(this.#points), tetrahedra: Int32Array.from(this.#tetrahedra) };
  }
}
