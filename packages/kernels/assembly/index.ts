export { turnConjugate } from './conjugate';
export { solveDense } from './dense-solve';
export { factorFronts, solveFronts } from './fronts';
export { assembleBlocks, isChained, prepareDense, prepareTrees } from './hessian';
export { multiplyMetric, solveMetric } from './metric';
export { factorPanel } from './panel-factor';
export { aimIsland, beginIsland, bendIsland, evaluateIsland, moveIsland } from './objective';
export { addTransposed, multiplyRows } from './rows';
export { factorTree, solveTree } from './tree-ldl';
