/** How the step of a soft body ended; the numbers of minimize/solve-trace.ts. */
export const SOFT_OUTCOME = { converged: 0, iterationLimit: 1, stalled: 2 } as const;
