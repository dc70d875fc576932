export { addCoarseProduct } from './coarse-product';
export { multiplySparse, sweepBackward, sweepForward } from './sparse-sweeps';
export { prolongRigid, restrictRigid } from './rigid-modes';
export { addTetrahedronGradient } from './tetrahedron-gradient';
export { addTetrahedronHessian } from './tetrahedron-hessian';
