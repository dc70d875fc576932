import { type Model, SHAPE } from '@nexdyn/engine';

const KINDS = Object.fromEntries(Object.entries(SHAPE).map(([name, kind]) => [kind, spell(name)]));

/** What to call each shape: its name, else its body's where it is the only one, else what it is and whose, as in `box of crate`. */
export function labelShapes({ shape, body, size, soft }: Model): string[] {
  const rigid = Array.from({ length: size.shape }, (_, index) => {
    const kind = KINDS[shape.kind[index]!] ?? 'shape';
    const owner = body.name[shape.body[index]!];
    const isAlone = shape.body[index] !== 0 && body.shapeCount[shape.body[index]!] === 1;
    return shape.name[index] || (owner ? (isAlone ? owner : `${kind} of ${owner}`) : `${kind} ${index}`);
  });
  // soft bodies are numbered after the shapes
  return [...rigid, ...Array.from({ length: size.softBody }, (_, n) => soft.name[n] || `soft body ${n}`)];
}

/** `convexMesh` as `convex mesh`. */
function spell(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
