export { addCoarseProduct } from './coarse-product';
export { multiplySparse, sweepBackward, sweepForward } from './sparse-sweeps';
export { prolongRigid, restrictRigid } from './rigid-modes';
export { addDeferredForces, addGradientPiece, addTetrahedronGradient } from './tetrahedron-gradient';
export { addDeferredBlocks, addHessianPiece, addTetrahedronHessian } from './tetrahedron-hessian';
