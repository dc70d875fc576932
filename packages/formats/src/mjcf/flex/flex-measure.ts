/**
 * Stiffness of a net of springs as constants of a continuum. With springs of k N/m on all edges, a uniform strain ε stores
 *   W = ½ k Σ l² (n·ε n)²,  averaged over directions n:  (2 ε:ε + (tr ε)²)/15 in space, /8 in the plane,
 * so that with S = k Σ l² over the volume V or area A
 *   solids  μ = λ = S/15:  E = S/6, ν = 1/4        sheets  μ = λ = S/8:  E t = S/3, ν = 1/3        lines  E A = k l.
 */
import type { FlexMesh } from './flex-points.ts';

export interface FlexSize {
  /** Volume, area or length, m³, m² or m. */
  measure: number;
  /** Σ l² over the edges, m²; of lines the mean length squared per edge. */
  squares: number;
  edgeCount: number;
}

/** Constants that k N/m on every edge amounts to: E, E t or E A, and ν. */
export function spreadSprings(dim: 1 | 2 | 3, size: FlexSize, k: number): { stiffness: number; poissonRatio: number } {
  if (dim === 1) return { stiffness: (k * size.measure) / size.edgeCount, poissonRatio: 0 };
  const share = (k * size.squares) / size.measure;
  return dim === 2 ? { stiffness: share / 3, poissonRatio: 1 / 3 } : { stiffness: share / 6, poissonRatio: 1 / 4 };
}

/** Measures a mesh; tetrahedra that are inside out are turned round. */
export function measureFlex({ dim, points, elements }: FlexMesh): FlexSize {
  const width = dim + 1;
  const seen = new Set<number>();
  const count = points.length / 3;
  let measure = 0;
  let squares = 0;
  const along = (a: number, b: number): number[] => [0, 1, 2].map((c) => points[3 * b + c]! - points[3 * a + c]!);
  for (let e = 0; e < elements.length; e += width) {
    const own = elements.slice(e, e + width);
    for (let i = 0; i < width; i++)
      for (let j = i + 1; j < width; j++) {
        const [a, b] = [Math.min(own[i]!, own[j]!), Math.max(own[i]!, own[j]!)];
        if (seen.has(a * count + b)) continue;
        seen.add(a * count + b);
        squares += along(a, b).reduce((sum, value) => sum + value * value, 0);
      }
    const first = along(own[0]!, own[1]!);
    if (dim === 1) {
      measure += Math.hypot(...first);
      continue;
    }
    const second = along(own[0]!, own[2]!);
    const normal = [
      first[1]! * second[2]! - first[2]! * second[1]!,
      first[2]! * second[0]! - first[0]! * second[2]!,
      first[0]! * second[1]! - first[1]! * second[0]!,
    ];
    if (dim === 2) {
      measure += 0.5 * Math.hypot(...normal);
      continue;
    }
    const third = along(own[0]!, own[3]!);
    const volume = (normal[0]! * third[0]! + normal[1]! * third[1]! + normal[2]! * third[2]!) / 6;
    if (volume < 0) [elements[e + 1], elements[e + 2]] = [own[2]!, own[1]!];
    measure += Math.abs(volume);
  }
  return { measure, squares, edgeCount: seen.size };
}
