/** Words of MJCF for what contacts and rays are measured by, and ours, in the order of MuJoCo. */

/** Words of contact rows. */
export const CONTACT_DATA = {
  found: 'found',
  force: 'force',
  torque: 'torque',
  dist: 'distance',
  pos: 'position',
  normal: 'normal',
  tangent: 'tangent',
  linvel: 'linearVelocity',
  angvel: 'angularVelocity',
} as const;

/** Words of rays. */
export const RAY_DATA = {
  dist: 'distance',
  dir: 'direction',
  origin: 'origin',
  point: 'point',
  normal: 'normal',
  depth: 'depth',
} as const;

/** What becomes of many contacts. */
export const REDUCE = {
  none: 'none',
  mindist: 'leastDistance',
  maxforce: 'largestForce',
  netforce: 'netForce',
} as const;
