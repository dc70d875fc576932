export { computeBiasForce, updateTwists } from './bias-force';
export { computeConfiguration } from './kinematics';
export { integratePositions } from './poses';
