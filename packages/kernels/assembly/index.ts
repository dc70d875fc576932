export { collectSelfOverlaps } from './self-overlap';
export { factorTree, solveTree } from './tree-ldl';
