export { factorTree, solveTree } from './tree-ldl';
