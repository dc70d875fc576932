export { computeBiasForce, updateTwists } from './bias-force';
export { correctCones, moveCones, scaleCones, stepCones } from './cone-path';
export { computeConfiguration } from './kinematics';
export { integratePositions } from './poses';
