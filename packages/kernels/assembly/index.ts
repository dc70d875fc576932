export { prepareDense } from './dense-hessian';
export { solveDense } from './dense-solve';
export {
  factorFrontColumns,
  factorFronts,
  factorSubtree,
  openFront,
  solveFronts,
  solvePanelRows,
  writeRestRows,
} from './fronts';
export { multiplyMetric, solveMetric } from './metric';
export { factorPanel } from './panel-factor';
export { minimizeIsland } from './newton';
export { aimIsland, beginIsland, differentiateIslandAlongLine, evaluateIsland, followIsland, moveIsland } from './objective';
export { addTransposed, multiplyRows } from './rows';
export { assembleBlocks } from './sparse-hessian';
export { isChained, prepareTrees } from './tree-hessian';
export { factorTree, solveTree } from './tree-ldl';
