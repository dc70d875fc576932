/**
 * Convex hull of points that stops at a number of vertices: what MuJoCo's `maxhullvert` asks of qhull (its option TA).
 *
 * Quickhull from a large tetrahedron: the next vertex is the point furthest above its facet; the facets that it sees go, and new ones
 * join it to the horizon. Points of facets that went are handed to a new facet that they are above: the first that a walk from
 * neighbour to neighbour finds. So the vertices are those of qhull, unless points are equally far: qhull joins facets of one plane to
 * polygons, here they stay triangles, and of equal points another may be first.
 *
 * Barber, Dobkin, Huhdanpaa, The quickhull algorithm for convex hulls (1996). Distances in m, tolerances are qhull's for doubles.
 */
import { type ErrorPlace, NexdynError } from '../error.ts';
import { computeConvexHull } from './convex-hull.ts';

/** Least share of the largest tetrahedron that points of extreme coordinates may span; below it all points are looked at. */
const NARROW = 3e-2;
const EPSILON = 2 ** -52;

interface Facet {
  /** Points by falling age: the newest first. */
  readonly corner: readonly number[];
  /** Across from each corner. */
  readonly neighbor: Facet[];
  readonly normal: readonly [number, number, number];
  readonly offset: number;
  /** Points above, the furthest last. */
  outside: number[];
  furthest: number;
  isVisible: boolean;
  isNew: boolean;
  visit: number;
  replacement?: Facet | undefined;
  before?: Facet | undefined;
  after?: Facet | undefined;
}

/**
 * Triangles of the hull after it has reached a number of vertices: three point numbers each, counter-clockwise from outside.
 *
 * @param vertices x, y, z of each point, m
 * @param most stop at this many vertices, at least 4
 */
export function computeLimitedHull(
  vertices: ArrayLike<number>,
  most: number,
  subject = 'the point set',
  place: ErrorPlace = {},
): Int32Array {
  const hull = new LimitedHull(Float64Array.from(vertices));
  const first = hull.findTetrahedron();
  if (!first) {
    throw new NexdynError('invalid-mesh', `${subject} has no convex hull: its vertices are in one plane`, {
      hint: 'a hull needs at least four points that are not in one plane',
      ...place,
    });
  }
  // the exact hull of the vertices: growing with tolerances may leave facets that are not quite convex
  const chosen = hull.grow(first, most).sort((a, b) => a - b);
  const own = Float64Array.from({ length: 3 * chosen.length }, (_, i) => vertices[chosen[(i - (i % 3)) / 3] + (i % 3)]);
  return computeConvexHull(own, subject, place).map((i) => chosen[i] / 3);
}

class LimitedHull {
  private readonly p: Float64Array;
  private readonly width: number;
  private readonly extremes: number[] = [];
  /** A point nearer than this to a plane may be in it. */
  private readonly rounding: number;
  private readonly leastVisible: number;
  private readonly leastOutside: number;
  private readonly inside = [0, 0, 0];
  /** Sentinel at the end of the list. */
  private readonly tail: Facet = makeFacet([], [], [0, 0, 0], 0);
  private first: Facet = this.tail;
  private firstNew: Facet | undefined;
  /** Facets per vertex. */
  private readonly uses = new Map<number, number>();
  private visits = 0;
  private searchesAll = false;
  private isBlunt = false;

  constructor(points: Float64Array) {
    this.p = points;
    let width = 0;
    let largest = 0;
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      let low = 0;
      let high = 0;
      for (let i = 0; i < points.length; i += 3) {
        if (points[high + k] < points[i + k]) high = i;
        else if (points[low + k] > points[i + k]) low = i;
      }
      const reach = Math.max(points[high + k], -points[low + k]);
      width = Math.max(width, points[high + k] - points[low + k]);
      largest = Math.max(largest, reach);
      sum += reach;
      this.extremes.push(low, high);
    }
    this.width = width;
    this.rounding = EPSILON * (3 * Math.min(Math.sqrt(3) * largest, sum) * 1.01 + largest);
    this.leastVisible = 2 * this.rounding;
    this.leastOutside = 2 * this.leastVisible;
  }

  /** The ends in x, then the points that add the largest area seen along z and the largest volume. */
  findTetrahedron(): number[] | undefined {
    const { p, extremes, width } = this;
    if (p.length < 12) return undefined;
    let [low, high] = [extremes[0], extremes[0]];
    for (const i of extremes) {
      if (p[high] < p[i]) high = i;
      if (p[low] > p[i]) low = i;
    }
    const simplex = [low, high];
    let before = p[high] - p[low];
    if (!(before > 0)) return undefined;
    while (simplex.length < 4) {
      let best = -1;
      let most = -1;
      const offer = (i: number): void => {
        const size = simplex.includes(i) ? -1 : Math.abs(this.measure(simplex, i));
        if (size <= most) return;
        most = size;
        best = i;
      };
      extremes.forEach(offer);
      const target = before * width;
      const nearZero = 1e3 * EPSILON * target;
      if (best < 0 || most <= nearZero || most < NARROW * target) {
        for (let i = 0; i < p.length && !(most > nearZero && most > 10 * NARROW * target); i += 3) {
          if (!extremes.includes(i)) offer(i);
        }
      }
      if (!(most > nearZero)) return undefined;
      simplex.push(best);
      before = most;
    }
    return simplex;
  }

  // twice the area in x and y, or six times the volume, with one more point
  private measure(simplex: readonly number[], i: number): number {
    const { p } = this;
    const d = (n: number, k: number): number => p[simplex[n] + k] - p[i + k];
    if (simplex.length === 2) return d(0, 0) * d(1, 1) - d(0, 1) * d(1, 0);
    return (
      d(0, 0) * (d(1, 1) * d(2, 2) - d(1, 2) * d(2, 1)) -
      d(1, 0) * (d(0, 1) * d(2, 2) - d(0, 2) * d(2, 1)) +
      d(2, 0) * (d(0, 1) * d(1, 2) - d(0, 2) * d(1, 1))
    );
  }

  /** Vertices, as places in the points. */
  grow(simplex: readonly number[], most: number): number[] {
    this.startList(simplex);
    this.partitionAll(simplex);
    for (let facet = this.findNext(); facet && this.uses.size < most; facet = this.findNext()) {
      this.addPoint(facet, facet.outside.pop()!);
    }
    return [...this.uses.keys()];
  }

  private startList(simplex: readonly number[]): void {
    for (let k = 0; k < 3; k++) {
      for (const i of [...simplex].reverse()) this.inside[k] += this.p[i + k];
      this.inside[k] /= 4;
    }
    const newest = [...simplex].reverse();
    const facets = newest.map((apart) => this.makePlane(newest.filter((i) => i !== apart)));
    facets.forEach((facet, n) => {
      facet.neighbor.push(...facets.filter((_, m) => m !== n));
      this.append(facet);
      this.use(facet, 1);
    });
  }

  private partitionAll(simplex: readonly number[]): void {
    const threshold = 2 * this.leastOutside;
    let rest: number[] = [];
    for (let i = 0; i < this.p.length; i += 3) if (!simplex.includes(i)) rest.push(i);
    for (let facet = this.first; facet !== this.tail; facet = facet.after!) {
      const left: number[] = [];
      let best = -1;
      for (const i of rest) {
        const distance = this.measureDistance(i, facet);
        if (distance < threshold) left.push(i);
        else if (best < 0) {
          best = i;
          facet.furthest = distance;
        } else if (distance > facet.furthest) {
          facet.outside.push(best);
          best = i;
          facet.furthest = distance;
        } else facet.outside.push(i);
      }
      if (best >= 0) facet.outside.push(best);
      rest = left;
    }
    this.searchesAll = true;
    this.firstNew = undefined;
    for (const i of rest) this.partition(i, this.first);
    this.searchesAll = false;
  }

  // the facet with the furthest point of all
  private findNext(): Facet | undefined {
    let best: Facet | undefined;
    for (let facet = this.first; facet !== this.tail; facet = facet.after!) {
      if (facet.outside.length > 0 && (!best || facet.furthest > best.furthest)) best = facet;
    }
    return best;
  }

  private addPoint(start: Facet, point: number): void {
    const visible = this.findVisible(start, point);
    if (!visible) return;
    this.makeCone(visible, point);
    this.searchesAll = false;
    this.isBlunt = false;
    for (const gone of visible) {
      if (gone.outside.length === 0) continue;
      let to = gone.replacement;
      while (to?.isVisible) to = to.replacement;
      for (const i of gone.outside) this.partition(i, to ?? this.firstNew!);
    }
    for (const gone of visible) {
      this.remove(gone);
      this.use(gone, -1);
    }
    for (let facet = this.firstNew!; facet !== this.tail; facet = facet.after!) facet.isNew = false;
    this.firstNew = undefined;
  }

  // undefined where rounding leaves no simple horizon: the point is left out
  private findVisible(start: Facet, point: number): Facet[] | undefined {
    const visit = ++this.visits;
    const visible = [start];
    start.visit = visit;
    start.isVisible = true;
    for (let n = 0; n < visible.length; n++) {
      for (const neighbor of visible[n].neighbor) {
        if (neighbor.visit === visit) continue;
        neighbor.visit = visit;
        if (this.measureDistance(point, neighbor) <= this.leastVisible) continue;
        neighbor.isVisible = true;
        visible.push(neighbor);
      }
    }
    // every corner of the horizon ends two of its edges
    const ends = visible.flatMap(({ corner, neighbor }) =>
      neighbor.flatMap((other, k) => (other.isVisible ? [] : corner.filter((_, n) => n !== k))),
    );
    if (ends.length > 0 && ends.length === 2 * new Set(ends).size) return visible;
    for (const facet of visible) facet.isVisible = false;
    return undefined;
  }

  private makeCone(visible: readonly Facet[], point: number): void {
    const cone: Facet[] = [];
    for (const gone of visible) {
      gone.neighbor.forEach((beyond) => {
        if (beyond.isVisible) return;
        const shared = beyond.corner.filter((i) => gone.corner.includes(i));
        const facet = this.makePlane([point, ...shared]);
        facet.isNew = true;
        facet.neighbor.push(beyond, this.tail, this.tail);
        beyond.neighbor[beyond.corner.findIndex((i) => !shared.includes(i))] = facet;
        gone.replacement = facet;
        cone.push(facet);
        this.append(facet);
        this.use(facet, 1);
      });
    }
    this.firstNew = cone[0];
    // across from a corner lies the other facet of the cone at the corner that is left
    const at = new Map<number, Facet[]>();
    for (const facet of cone) {
      for (const i of facet.corner.slice(1)) at.set(i, [...(at.get(i) ?? []), facet]);
    }
    for (const facet of cone) {
      for (const k of [1, 2]) {
        facet.neighbor[k] = at.get(facet.corner[3 - k])!.find((other) => other !== facet)!;
      }
    }
  }

  private partition(point: number, start: Facet): void {
    const [best, distance] = this.searchesAll ? this.searchNew(point, start) : this.search(point, start);
    if (distance < this.leastOutside) return;
    if (best.outside.length === 0) {
      best.outside.push(point);
      best.furthest = distance;
      if (best.isNew) return;
      this.remove(best);
      this.append(best);
      best.isNew = this.firstNew !== undefined;
    } else if (best.furthest < distance) {
      best.outside.push(point);
      best.furthest = distance;
    } else best.outside.splice(-1, 0, point);
  }

  // walk up from a new facet; stop at the first that the point is above
  private search(point: number, start: Facet): [Facet, number] {
    const visit = ++this.visits;
    let best = start;
    let height = this.measureDistance(point, start);
    if (height >= this.leastOutside) return [best, height];
    start.visit = visit;
    for (let facet: Facet | undefined = start; facet; ) {
      const at: Facet = facet;
      facet = undefined;
      for (const neighbor of at.neighbor) {
        if (!neighbor.isNew || neighbor.visit === visit) continue;
        neighbor.visit = visit;
        const distance = this.measureDistance(point, neighbor);
        if (distance <= height) continue;
        best = neighbor;
        height = distance;
        if (distance >= this.leastOutside) return [best, height];
        facet = neighbor;
        break;
      }
    }
    if (!this.isBlunt && height < -this.rounding) {
      if (this.hasSharpCone()) {
        this.searchesAll = true;
        return this.searchNew(point, best);
      }
      this.isBlunt = true;
    }
    return this.searchHorizon(point, best, height);
  }

  // all new facets, from one of them around
  private searchNew(point: number, start: Facet): [Facet, number] {
    const threshold = 2 * this.leastOutside;
    let best = start;
    let height = -Infinity;
    const test = (facet: Facet): boolean => {
      const distance = this.measureDistance(point, facet);
      if (distance > height) {
        best = facet;
        height = distance;
      }
      return distance === height && distance >= threshold;
    };
    for (let facet = start; facet !== this.tail; facet = facet.after!) if (test(facet)) return [best, height];
    for (let facet = this.firstNew ?? start; facet !== start && facet !== this.tail; facet = facet.after!) {
      if (test(facet)) return [best, height];
    }
    return this.searchHorizon(point, best, height);
  }

  // climb from the best facet over all its neighbours
  private searchHorizon(point: number, start: Facet, startHeight: number): [Facet, number] {
    const visit = ++this.visits;
    const reach = 2 * this.rounding + this.leastVisible;
    let best = start;
    let height = startHeight;
    let least = height - reach;
    start.visit = visit;
    let waiting: Facet[] = [];
    for (let facet: Facet | undefined = start; facet; facet = waiting.pop()) {
      for (const neighbor of facet.neighbor) {
        if (neighbor.visit === visit) continue;
        neighbor.visit = visit;
        const distance = this.measureDistance(point, neighbor);
        if (distance > height) {
          least = distance - reach;
          if (distance > height + reach) waiting = [];
          best = neighbor;
          height = distance;
        } else if (distance < least) continue;
        waiting.push(neighbor);
      }
    }
    return [best, height];
  }

  // whether the normals of the new facets are in more than one octant
  private hasSharpCone(): boolean {
    const [x, y, z] = this.firstNew!.normal.map((n) => n > 0);
    for (let facet = this.firstNew!; facet !== this.tail; facet = facet.after!) {
      const { normal } = facet;
      if (normal[0] > 0 !== x || normal[1] > 0 !== y || normal[2] > 0 !== z) return true;
    }
    return false;
  }

  private measureDistance(i: number, { normal, offset }: Facet): number {
    const { p } = this;
    return offset + p[i] * normal[0] + p[i + 1] * normal[1] + p[i + 2] * normal[2];
  }

  private makePlane(corner: readonly number[]): Facet {
    const { p, inside } = this;
    const [a, b, c] = corner;
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    let [nx, ny, nz] = [vy * uz - vz * uy, ux * vz - uz * vx, vx * uy - vy * ux];
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    // corners on a line: no point is above
    if (!(length > 0)) return makeFacet(corner, [], [0, 0, 0], 0);
    nx /= length;
    ny /= length;
    nz /= length;
    const offset = -(p[a] * nx + p[a + 1] * ny + p[a + 2] * nz);
    if (offset + inside[0] * nx + inside[1] * ny + inside[2] * nz > 0) {
      return makeFacet(corner, [], [-nx, -ny, -nz], -offset);
    }
    return makeFacet(corner, [], [nx, ny, nz], offset);
  }

  private use({ corner }: Facet, count: 1 | -1): void {
    for (const i of corner) {
      const now = (this.uses.get(i) ?? 0) + count;
      if (now > 0) this.uses.set(i, now);
      else this.uses.delete(i);
    }
  }

  private append(facet: Facet): void {
    const { tail } = this;
    facet.before = tail.before;
    facet.after = tail;
    if (tail.before) tail.before.after = facet;
    else this.first = facet;
    tail.before = facet;
  }

  private remove(facet: Facet): void {
    if (this.firstNew === facet) this.firstNew = facet.after;
    if (this.first === facet) this.first = facet.after!;
    if (facet.before) facet.before.after = facet.after;
    facet.after!.before = facet.before;
  }
}

function makeFacet(
  corner: readonly number[],
  neighbor: Facet[],
  normal: [number, number, number],
  offset: number,
): Facet {
  return { corner, neighbor, normal, offset, outside: [], furthest: 0, isVisible: false, isNew: false, visit: 0 };
}
