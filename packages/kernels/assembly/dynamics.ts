export { computeBiasForce, sumForces, updateTwists } from './bias-force';
export { testBoxBox } from './box-box';
export { sweepBoxes } from './box-sweep';
export { correctCones, moveCones, scaleCones, stepCones } from './cone-path';
export { addPyramids } from './contact-pyramids';
export { writeContact } from './contact-rows';
export { computeConfiguration } from './kinematics';
export { integratePositions } from './poses';
export { multiplyAllRows } from './row-product';
