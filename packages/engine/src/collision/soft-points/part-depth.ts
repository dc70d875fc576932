/**
 * The deepest point of a segment or triangle in a convex rigid shape, by the signed distance φ(x) of points and its gradient g(x), outside
 * positive. φ is convex, so that on a segment it has one lowest value, between places where it falls and rises. A bracket [a, b] shrinks by
 *   tangents   f(s) ≥ max(f_a + f_a′ (s − a), f_b + f_b′ (s − b))   where they cross; exact at a kink
 *   secant     s = a − f_a′ (b − a)/(f_b′ − f_a′)                   exact on a parabola
 * in turns. On a triangle f(t) = min over s of φ, along lines parallel to a side, is convex again and has the gradient of its lowest point.
 * At a kink, where a segment crosses the edge of a box, the gradients of both sides mix to the one that is square to the segment,
 *   g = (f_b′ g_a − f_a′ g_b)/(f_b′ − f_a′),     φ(x) ≥ φ_min + g·(x − x_min),
 * so that the shape is behind the plane with normal g/|g| at the distance φ_min/|g|, the gap along that normal.
 * Symbols: φ, f m; s, t shares of a way; g unit vector, shorter at kinks. Sources: Kelley, The cutting-plane method for solving convex programs
 * (1960); Rockafellar, Convex analysis (1970), theorem 25.1 and section 23.
 */

/** φ at a point, m, and its gradient: writes the gradient to out[0..3) and φ to out[3]. */
export type MeasureDistance = (point: Float64Array, out: Float64Array) => void;

/** Most trials of a search; part of the length of a way up to which a value counts as the lowest and a slope as none. */
const MOST_TRIALS = 40;
const EXACT = 1e-10;
/** Weight of a corner below which a point belongs to the border. */
const END = 1e-6;
/** How near to a kink its gradients are taken, share of the way. */
const NEAR = 1e-6;

// a sample of f: gradient, value, slope
const VALUE = 3;
const SLOPE = 4;

/** The lowest point of a convex function on [0, 1]. */
class Valley {
  /** Where the function is asked for. */
  trial = 0;
  /** The lowest point: place, and gradient and value there; above the limit a value that is not above it. */
  place = 0;
  readonly lowest: Float64Array = new Float64Array(5);
  /** Samples at both ends; a search overwrites them. */
  readonly start: Float64Array = new Float64Array(5);
  readonly end: Float64Array = new Float64Array(5);

  /** Gives the lowest point the gradient that `start` and `end` mix to, without slope. */
  mix(): void {
    const { start, end, lowest } = this;
    const share = end[SLOPE] / (end[SLOPE] - start[SLOPE]);
    for (let c = 0; c < 3; c++) lowest[c] = share * start[c] + (1 - share) * end[c];
  }

  /** `evaluate` samples the function at `trial`. False where the lowest place is an end, or is above the limit. */
  descend(evaluate: (out: Float64Array) => void, length: number, limit: number): boolean {
    const { start, end, lowest } = this;
    const exact = EXACT * length;
    if (!(start[SLOPE] < -exact && end[SLOPE] > exact)) {
      this.place = start[VALUE] <= end[VALUE] ? 0 : 1;
      lowest.set(this.place === 0 ? start : end);
      return false;
    }
    let a = 0;
    let b = 1;
    for (let n = 1; ; n++) {
      const rise = end[SLOPE] - start[SLOPE];
      const crossing = (start[VALUE] - end[VALUE] - start[SLOPE] * a + end[SLOPE] * b) / rise;
      const bound = start[VALUE] + start[SLOPE] * (crossing - a);
      if (bound > limit) {
        lowest[VALUE] = bound;
        return false;
      }
      let s = n % 2 === 1 ? crossing : a - (start[SLOPE] * (b - a)) / rise;
      if (!(s > a && s < b)) s = 0.5 * (a + b);
      this.trial = s;
      evaluate(lowest);
      const isFlat = Math.abs(lowest[SLOPE]) <= exact;
      if (isFlat || lowest[VALUE] - bound <= exact || n === MOST_TRIALS) {
        this.place = s;
        if (!isFlat) this.mix();
        return true;
      }
      if (lowest[SLOPE] < 0) a = s;
      else b = s;
      (lowest[SLOPE] < 0 ? start : end).set(lowest);
    }
  }
}

export class PartDepth {
  /** φ up to which points are looked for, m. */
  limit: number = Infinity;
  /** Of the lowest point that was found last: φ, its gradient, and the weights of the corners. Above the limit, φ is at least that. */
  distance = 0;
  readonly gradient: Float64Array = new Float64Array(3);
  readonly weights: Float64Array = new Float64Array(3);
  readonly #measure: MeasureDistance;
  readonly #along = new Valley();
  readonly #across = new Valley();
  // the line at hand: its start, its direction and a point on it, m
  readonly #origin = new Float64Array(3);
  readonly #way = new Float64Array(3);
  readonly #point = new Float64Array(3);
  // the triangle at hand: a corner and the sides from there
  readonly #corner = new Float64Array(3);
  readonly #u = new Float64Array(3);
  readonly #w = new Float64Array(3);
  /** Where the lowest point of the line at hand is, 0 to 1. */
  #place = 0;

  constructor(measure: MeasureDistance) {
    this.#measure = measure;
  }

  /** The segment from x[a] to x[b]. False where its lowest point is an end, or above the limit. */
  findOnSegment(x: Float64Array, a: number, b: number): boolean {
    for (let c = 0; c < 3; c++) {
      this.#origin[c] = x[a + c];
      this.#way[c] = x[b + c] - x[a + c];
    }
    const isInside = this.#descendLine(this.limit);
    const { lowest, place } = this.#along;
    this.#take(lowest);
    this.weights[0] = 1 - place;
    this.weights[1] = place;
    this.weights[2] = 0;
    return isInside && Math.min(place, 1 - place) > END;
  }

  /** The triangle x[a], x[b], x[c]. False where its lowest point is on an edge, or above the limit. */
  findOnTriangle(x: Float64Array, a: number, b: number, c: number): boolean {
    const u = this.#u;
    const w = this.#w;
    for (let k = 0; k < 3; k++) {
      this.#corner[k] = x[a + k];
      u[k] = x[b + k] - x[a + k];
      w[k] = x[c + k] - x[a + k];
    }
    const across = this.#across;
    across.trial = 0;
    this.#sampleLine(across.start);
    across.trial = 1;
    this.#sampleLine(across.end);
    const isBetween = across.descend(this.#sampleLine, Math.sqrt(Math.max(dot(u, u), dot(w, w))), this.limit);
    this.weights[0] = 1 - across.place;
    this.weights[1] = across.place * (1 - this.#place);
    this.weights[2] = across.place * this.#place;
    const isInside = isBetween && Math.min(this.weights[0], this.weights[1], this.weights[2]) > END;
    if (isInside && isShort(across.lowest)) this.#mixNear();
    this.#take(across.lowest);
    return isInside;
  }

  // samples of lines whose lowest point is an end are not square to them: those next to the kink are
  #mixNear(): void {
    const across = this.#across;
    const { place } = across;
    across.trial = place * (1 - NEAR);
    this.#sampleLine(across.start);
    across.trial = place + NEAR * (1 - place);
    this.#sampleLine(across.end);
    if (across.start[SLOPE] < 0 && across.end[SLOPE] > 0) across.mix();
  }

  #take(lowest: Float64Array): void {
    this.distance = lowest[VALUE];
    for (let c = 0; c < 3; c++) this.gradient[c] = lowest[c];
  }

  // the lowest point inside the line at hand
  #descendLine(limit: number): boolean {
    const along = this.#along;
    along.trial = 0;
    this.#samplePoint(along.start);
    along.trial = 1;
    this.#samplePoint(along.end);
    return along.descend(this.#samplePoint, Math.sqrt(dot(this.#way, this.#way)), limit);
  }

  readonly #samplePoint = (out: Float64Array): void => {
    const s = this.#along.trial;
    for (let c = 0; c < 3; c++) this.#point[c] = this.#origin[c] + s * this.#way[c];
    this.#measure(this.#point, out);
    out[SLOPE] = dot(out, this.#way);
  };

  // the line at the share t of the way from the first corner to the side across
  readonly #sampleLine = (out: Float64Array): void => {
    const t = this.#across.trial;
    const u = this.#u;
    const w = this.#w;
    for (let c = 0; c < 3; c++) {
      this.#origin[c] = this.#corner[c] + t * u[c];
      this.#way[c] = t * (w[c] - u[c]);
    }
    const along = this.#along;
    this.#descendLine(Infinity);
    this.#place = along.place;
    out.set(along.lowest);
    const toU = dot(out, u);
    const toW = dot(out, w);
    // the gradient of a point inside is square to the line; from the corner all ways are open
    out[SLOPE] = t === 0 ? Math.min(toU, toW) : (1 - this.#place) * toU + this.#place * toW;
  };
}

// whether a gradient is one of a kink
function isShort(g: Float64Array): boolean {
  return dot(g, g) < 1 - 1e-6;
}

function dot(a: Float64Array, b: Float64Array): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
