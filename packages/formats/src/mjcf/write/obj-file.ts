/** A mesh as an OBJ file, where corners of one vertex have several places in a texture: MJCF itself has one for each vertex. */
export function writeObj(vertices: readonly number[], faces: readonly number[], places: readonly number[]): Uint8Array {
  const lines: string[] = [];
  for (let i = 0; i < vertices.length; i += 3) lines.push(`v ${vertices[i]} ${vertices[i + 1]} ${vertices[i + 2]}`);
  // each place once, numbered from 1 on
  const numbers = new Map<string, number>();
  const number = (corner: number): number => {
    const line = `vt ${places[2 * corner]} ${places[2 * corner + 1]}`;
    let known = numbers.get(line);
    if (known === undefined) {
      known = numbers.size + 1;
      numbers.set(line, known);
      lines.push(line);
    }
    return known;
  };
  const triangles: string[] = [];
  for (let c = 0; c < faces.length; c += 3) {
    triangles.push(`f ${[c, c + 1, c + 2].map((k) => `${faces[k]! + 1}/${number(k)}`).join(' ')}`);
  }
  return new TextEncoder().encode(`${[...lines, ...triangles].join('\n')}\n`);
}
