/** An icosahedron whose triangles are divided in four, again and again, with all vertices on the unit sphere. */
export function icosphere(level: number): { vertices: number[]; triangles: number[] } {
  const t = (1 + Math.sqrt(5)) / 2;
  const size = Math.hypot(1, t);
  const vertices = [-1, t, 0, 1, t, 0, -1, -t, 0, 1, -t, 0, 0, -1, t, 0, 1, t, 0, -1, -t, 0, 1, -t, t, 0, -1, t, 0, 1];
  vertices.push(-t, 0, -1, -t, 0, 1);
  for (let i = 0; i < vertices.length; i++) vertices[i]! /= size;
  let triangles = [0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11, 1, 5, 9, 5, 11, 4, 11, 10, 2, 10, 7, 6, 7, 1, 8];
  triangles.push(3, 9, 4, 3, 4, 2, 3, 2, 6, 3, 6, 8, 3, 8, 9, 4, 9, 5, 2, 4, 11, 6, 2, 10, 8, 6, 7, 9, 8, 1);
  for (let k = 0; k < level; k++) {
    const middles = new Map<string, number>();
    const middle = (a: number, b: number): number => {
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      const known = middles.get(key);
      if (known !== undefined) return known;
      const sum = [0, 1, 2].map((c) => vertices[3 * a + c]! + vertices[3 * b + c]!);
      const norm = Math.hypot(...sum);
      const made = vertices.length / 3;
      for (const value of sum) vertices.push(value / norm);
      middles.set(key, made);
      return made;
    };
    const next: number[] = [];
    for (let f = 0; f < triangles.length; f += 3) {
      const [a, b, c] = triangles.slice(f, f + 3) as [number, number, number];
      const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
      next.push(a, ab, ca, b, bc, ab, c, ca, bc, ab, bc, ca);
    }
    triangles = next;
  }
  return { vertices, triangles };
}
