/**
 * The compiled twins (packages/kernels) as the engine calls them: arrays go in as addresses, their `byteOffset` in the memory
 * they share. A *record* is an array of 32-bit integers with sizes and addresses in a fixed order. Each gives the same bits as
 * its twin in TypeScript: sums that are not over neighbours in memory are taken in the same order.
 */
export interface CompiledFunctions {
  /** See tree-ldl.ts. */
  factorTree(n: number, factor: number, inverseDiagonal: number, rowStart: number, column: number): number;
  solveTree(n: number, x: number, factor: number, inverseDiagonal: number, rowStart: number, column: number): void;
  /** See block-cholesky/panel-factor.ts. */
  factorPanel(panel: number, inverse: number, columns: number, rows: number): number;
  /** See dense-cholesky.ts. */
  solveDense(x: number, factor: number, inverseDiagonal: number, n: number): void;
  /** See block-cholesky/front-record.ts. */
  factorFronts(record: number, first: number, end: number): number;
  factorSubtree(record: number, piece: number): void;
  openFront(record: number, front: number): void;
  factorFrontColumns(record: number, column: number): number;
  solvePanelRows(record: number, piece: number): void;
  writeRestRows(record: number, piece: number): void;
  solveFronts(record: number): void;
  /** See objective/compiled-newton.ts. */
  minimizeIsland(island: number, newton: number): number;
  /** See objective/island-record.ts. */
  beginIsland(record: number): number;
  evaluateIsland(record: number): number;
  aimIsland(record: number): void;
  followIsland(record: number, beta: number): void;
  differentiateIslandAlongLine(record: number, alpha: number): number;
  moveIsland(record: number, alpha: number): number;
  multiplyRows(record: number, out: number, x: number): void;
  addTransposed(record: number, out: number, scale: number, f: number): void;
  multiplyMetric(record: number, out: number, x: number): void;
  solveMetric(record: number, d: number, factor: number, inverseDiagonal: number): void;
  /** See objective/hessian-record.ts. */
  isChained(record: number): number;
  prepareTrees(record: number, target: number): number;
  prepareDense(record: number, target: number): number;
  assembleBlocks(record: number, target: number): void;
}

/** The second module, which pages load where a scene has many bodies. See dynamics/mechanism-record.ts, objective/cone-path.ts, objective/smoothed-cones.ts. */
export interface CompiledDynamics {
  scaleCones(record: number): void;
  stepCones(record: number): void;
  correctCones(record: number, target: number): void;
  moveCones(record: number, alpha: number): void;
  linearizeSmoothed(record: number, smoothing: number): void;
  findSmoothedImpulses(record: number): void;
  moveSmoothed(record: number, alpha: number): void;
  measureSmoothed(record: number): void;
  /** See minimize/conjugate-step.ts. */
  turnConjugate(record: number): number;
  /** See objective/compiled-descent.ts. */
  descendIsland(island: number, descent: number): number;
  /** See objective/matrix-free-hessian.ts and minimize/preconditioned-cg.ts. */
  addCurvature(record: number, out: number, x: number, scratch: number): void;
  dotVectors(a: number, b: number, n: number): number;
  stepGradients(n: number, alpha: number, x: number, p: number, r: number, q: number, z: number): void;
  turnGradients(n: number, beta: number, p: number, z: number): void;
  computeConfiguration(record: number): void;
  updateTwists(record: number): void;
  computeBiasForce(record: number): void;
  sumForces(record: number): void;
  integratePositions(record: number, h: number): void;
  /** See contact/contact-record.ts. */
  writeContact(
    record: number,
    value: number,
    column: number,
    columns: number,
    dimension: number,
    contact: number,
  ): void;
  /** See formulation/mujoco/pyramid-record.ts. */
  addPyramids(record: number, first: number, count: number): number;
  /** See collision/box-sweep.ts. */
  sweepBoxes(record: number): number;
  /** See collision/box-pair-record.ts. */
  testBoxBox(record: number, a: number, b: number, reach: number, first: number): number;
  /** See linear-algebra/rows-record.ts. */
  multiplyAllRows(record: number, count: number, out: number, x: number): void;
}

/** The third module, which comes with soft bodies. */
export interface CompiledSoft {
  /** See two-level/coarse-product.ts. */
  addCoarseProduct(record: number): void;
  /** See block-sparse-matrix.ts. */
  multiplySparse(out: number, x: number, values: number, start: number, high: number, count: number): void;
  /** See two-level/triangular-sweeps.ts. */
  sweepForward(
    z: number,
    residual: number,
    values: number,
    start: number,
    high: number,
    count: number,
    inverse: number,
    r: number,
  ): void;
  sweepBackward(
    z: number,
    right: number,
    values: number,
    start: number,
    high: number,
    count: number,
    inverse: number,
    r: number,
  ): number;
  /** See two-level/prolongation.ts. */
  restrictRigid(
    out: number,
    outCount: number,
    start: number,
    aggregate: number,
    values: number,
    r: number,
    count: number,
  ): void;
  prolongRigid(z: number, start: number, aggregate: number, values: number, y: number, count: number): void;
  /** See soft/tetrahedron-record.ts. */
  addTetrahedronGradient(record: number, x: number, gradient: number, first: number): number;
  addTetrahedronHessian(record: number, x: number, values: number, first: number): number;
  /** See soft/tetrahedron-pieces.ts. */
  addGradientPiece(records: number, piece: number): void;
  addHessianPiece(records: number, piece: number): void;
  addDeferredForces(record: number): void;
  addDeferredBlocks(record: number): void;
}

/** The fourth module, which comes with `ipc`. See formulation/ipc/terms/pair-blocks.ts. */
export interface CompiledBarrier {
  expandPairBlocks(record: number, slide: number, withCurvature: number): void;
  writeTwoWays(record: number, q: number, r: number, s: number): void;
  addPairBlocks(record: number, ofA: number, ofB: number, between: number, isTurned: number): void;
}
