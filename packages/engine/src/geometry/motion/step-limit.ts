/**
 * The part of a step that all candidates allow: the least time of impact. Each query looks only at times before the least one
 * found so far, so that most end after one measurement.
 */
import type { CandidateFinder, CandidateList, Surface } from './candidate-finder.ts';
import {
  ADVANCE_DEFAULTS,
  type AdvanceOptions,
  createTimeOfImpact,
  type TimeOfImpact,
} from './conservative-advancement.ts';
import { MovingStencil } from './moving-stencil.ts';
import type { PosePaths } from './pose-path.ts';
import { advanceEdgeEdge, advancePointEdge, advancePointPoint, advancePointTriangle } from './primitive-approach.ts';

/** Kinds of candidates; the lists of the finder have these names. */
export type CandidateKind = 'pointTriangle' | 'edgeEdge' | 'pointEdge' | 'pointPoint';

type AdvanceFunction = (
  out: TimeOfImpact,
  stencil: MovingStencil,
  separation: number,
  options: Readonly<AdvanceOptions>,
) => boolean;

interface KindPlan {
  readonly kind: CandidateKind;
  readonly advance: AdvanceFunction;
  /** Vertices of the first and of the second primitive. */
  readonly widthA: number;
  readonly widthB: number;
}

const KINDS: readonly KindPlan[] = [
  { kind: 'pointTriangle', advance: advancePointTriangle, widthA: 1, widthB: 3 },
  { kind: 'edgeEdge', advance: advanceEdgeEdge, widthA: 2, widthB: 2 },
  { kind: 'pointEdge', advance: advancePointEdge, widthA: 1, widthB: 2 },
  { kind: 'pointPoint', advance: advancePointPoint, widthA: 1, widthB: 1 },
];

/** What limits a step. */
export interface StepLimit {
  /** Up to this time of the paths all candidates are farther apart than the separation, in [0, 1]. */
  time: number;
  /** The candidate that limits it: its kind and its place in the list of that kind; −1 where the whole path is free. */
  kind: CandidateKind;
  candidate: number;
  /** Its status: `capped` where it was not decided up to the next contact. */
  status: TimeOfImpact['status'];
  /** Queries, measurements in all of them, most measurements in one, and queries that were capped. */
  queries: number;
  iterations: number;
  mostIterations: number;
  capped: number;
}

export function createStepLimit(): StepLimit {
  return {
    time: 1,
    kind: 'pointTriangle',
    candidate: -1,
    status: 'free',
    queries: 0,
    iterations: 0,
    mostIterations: 0,
    capped: 0,
  };
}

const stencil = /* @__PURE__ */ new MovingStencil();
const impact = /* @__PURE__ */ createTimeOfImpact();
const query: AdvanceOptions = /* @__PURE__ */ { ...ADVANCE_DEFAULTS };

/** The limit that the candidates of `finder` set, kept farther apart than `separation` plus their radii (m). */
export function limitStep(
  out: StepLimit,
  finder: CandidateFinder,
  paths: PosePaths,
  separation: number,
  options: Readonly<AdvanceOptions> = ADVANCE_DEFAULTS,
): void {
  query.start = options.start;
  query.end = options.end;
  query.fraction = options.fraction;
  query.rest = options.rest;
  query.limit = options.limit;
  out.time = options.end;
  out.candidate = -1;
  out.status = 'free';
  out.queries = 0;
  out.iterations = 0;
  out.mostIterations = 0;
  out.capped = 0;
  stencil.paths = paths;
  for (const plan of KINDS) limitKind(out, finder.surfaces, finder[plan.kind], plan, separation);
}

function limitKind(
  out: StepLimit,
  surfaces: readonly Surface[],
  list: CandidateList,
  plan: KindPlan,
  separation: number,
): void {
  for (let k = 0; k < list.count; k++) {
    if (!(out.time > query.start)) return;
    const a = surfaces[list.values[4 * k]];
    const b = surfaces[list.values[4 * k + 2]];
    stencil.a = a.body;
    stencil.b = b.body;
    fillPoints(a, list.values[4 * k + 1], plan.widthA, 0);
    fillPoints(b, list.values[4 * k + 3], plan.widthB, 3 * plan.widthA);
    const isLimited = plan.advance(impact, stencil, separation + a.mesh.radius + b.mesh.radius, query);
    out.queries++;
    out.iterations += impact.iterations;
    out.mostIterations = Math.max(out.mostIterations, impact.iterations);
    if (impact.status === 'capped') out.capped++;
    if (!isLimited) continue;
    out.time = impact.time;
    out.kind = plan.kind;
    out.candidate = k;
    out.status = impact.status;
    query.end = impact.time;
  }
}

/** The vertices of primitive i, a vertex, an edge or a triangle by its width, to the stencil at o. */
function fillPoints({ mesh }: Surface, i: number, width: number, o: number): void {
  const { vertices } = mesh;
  const { local } = stencil;
  for (let c = 0; c < width; c++) {
    const v = 3 * (width === 1 ? i : width === 2 ? mesh.edges[2 * i + c] : mesh.triangles[3 * i + c]);
    local[o + 3 * c] = vertices[v];
    local[o + 3 * c + 1] = vertices[v + 1];
    local[o + 3 * c + 2] = vertices[v + 2];
  }
}
