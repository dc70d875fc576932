/** One line of the results. */
export interface BenchRow {
  scene: string;
  formulation: 'mujoco' | 'sap' | 'ccp' | 'ipc';
  /** Solver of both engines, the peer's where `ccp` or `ipc` solves another problem; none where nothing is constrained. */
  solver: 'none' | 'newton' | 'cg';
  peer: string;
  /** oursMs / peerMs; below 1 NexDyn is faster. */
  ratio: number;
  /** Least time per step (or compilation), ms. */
  oursMs: number;
  peerMs: number;
  /** Target ratio. */
  target?: number;
  /** The native library, where there is one: its version, least time per step in ms, and oursMs over that. */
  native?: string;
  nativeMs?: number;
  nativeRatio?: number;
  /** Target of that ratio. */
  nativeTarget?: number;
  oursMedianMs: number;
  peerMedianMs: number;
  task: 'step' | 'compile' | 'detect' | 'linearize' | 'vjp';
  dofs: number;
  blocks: number;
  blockSteps: number;
  /** Largest difference of a joint position between the engines before timing, m or rad; none where they solve different problems. */
  difference?: number;
  family?: string;
  size?: number;
  /** Exponent p of time ~ sizeᵖ against the next smaller scene of the family. */
  oursGrowth?: number;
  peerGrowth?: number;
}

/** The row with the growth of both engines since the last smaller scene of its family. */
export function addGrowth(row: BenchRow, earlier: readonly BenchRow[]): BenchRow {
  const smaller = earlier.findLast((other) => other.family !== undefined && other.family === row.family);
  if (smaller?.size === undefined || row.size === undefined) return row;
  const scale = Math.log(row.size / smaller.size);
  return {
    ...row,
    oursGrowth: Math.log(row.oursMs / smaller.oursMs) / scale,
    peerGrowth: Math.log(row.peerMs / smaller.peerMs) / scale,
  };
}
