import { listFormulations } from '@nexdyn/engine';

/**
 * Order in which fields are written, whatever object they are in: what a thing is, where it is, what it does, what it
 * contains. A field that is not listed follows the listed ones, in alphabetical order.
 */
const FIELDS = [
  // identity
  ['$schema', 'format', 'version', 'kind', 'name', 'description'],
  // choices
  ['options', 'massRules', 'timestep', 'gravity', 'integrator', 'formulation', 'coordinates', 'solver', 'variant'],
  ['contactModel', 'cone', 'model', 'active', 'weight', 'mocap', 'gravityCompensation'],
  // references
  [
    'joint',
    'tendon',
    'site',
    'shape',
    'body',
    'body1',
    'body2',
    'shape1',
    'shape2',
    'site1',
    'site2',
    'joint1',
    'joint2',
  ],
  ['tendon1', 'tendon2', 'referenceSite', 'sideSite', 'heightField', 'field', 'mesh', 'material'],
  // place and size
  ['position', 'orientation', 'anchor', 'axis', 'point1', 'point2', 'relativePose', 'origin', 'radius', 'majorRadius'],
  [
    'minorRadius',
    'halfLength',
    'radii',
    'halfSize',
    'size',
    'baseDepth',
    'cells',
    'resolution',
    'spacing',
    'counts',
    'rows',
    'columns',
  ],
  // mass and elasticity
  [
    'mass',
    'density',
    'vertexMass',
    'shell',
    'center',
    'moments',
    'tensor',
    'inertia',
    'strict',
    'element',
    'elasticity',
    'youngsModulus',
    'poissonRatio',
    'shearModulus',
    'warp',
    'direction',
  ],
  [
    'orthotropic',
    'strainLimit',
    'stretchStiffness',
    'bendingStiffness',
    'twistStiffness',
    'massDamping',
    'stiffnessDamping',
    'viscosity',
    'fibers',
    'plasticity',
    'yieldStress',
    'hardening',
  ],
  // motion and forces
  [
    'velocity',
    'limit',
    'range',
    'reference',
    'springReference',
    'stiffness',
    'damping',
    'springDamper',
    'springLength',
  ],
  [
    'armature',
    'frictionLoss',
    'coefficient',
    'coefficients',
    'distance',
    'torqueScale',
    'divisor',
    'transmission',
    'inParent',
    'gear',
  ],
  [
    'gain',
    'bias',
    'activation',
    'early',
    'dampingRatio',
    'timeConstant',
    'controlRange',
    'forceRange',
    'actuatorForceRange',
    'actuatorGravityCompensation',
  ],
  // sensors
  ['actuator', 'object', 'first', 'second', 'softBody', 'vertex', 'count', 'data', 'reduce', 'dimension'],
  ['cutoff', 'noise', 'delay', 'samples', 'interval', 'interpolation'],
  // contact
  [
    'contact',
    'selfContact',
    'collisionGroups',
    'collisionMask',
    'margin',
    'gap',
    'friction',
    'spinFriction',
    'rollFriction',
    'priority',
  ],
  [
    'hydroelastic',
    'hydroelasticModulus',
    'modulus',
    'thickness',
    'dissipation',
    'restitution',
    'surfaceVelocity',
    'surfaceSpin',
    'contactOverride',
    'contactKinds',
    'start',
    'fastBodies',
    'rigidFloor',
    'rigidRigid',
    'softFloor',
    'softRigid',
    'softSoft',
    ...listFormulations().map(({ id }) => id),
    'fluid',
  ],
  // picture
  ['color', 'layer', 'width'],
  // contents
  ['materials', 'meshes', 'heightFields', 'signedDistanceFields', 'joints', 'shapes', 'sites', 'bodies', 'softBodies'],
  ['equalities', 'tendons', 'actuators', 'sensors', 'contactPairs', 'contactExcludes', 'keyframes', 'terms', 'path'],
  // long lists
  [
    'time',
    'control',
    'mocapPosition',
    'mocapOrientation',
    'times',
    'vertices',
    'faces',
    'edges',
    'tetrahedra',
    'triangles',
    'heights',
    'values',
    'displacements',
    'twist',
    'points',
    'closed',
  ],
  ['pinned', 'driven', 'attachments', 'springs', 'clamp', 'breakForce'],
  ['repair', 'regions', 'box', 'low', 'high'],
].flat();

const RANK: ReadonlyMap<string, number> = /* @__PURE__ */ new Map(FIELDS.map((field, rank) => [field, rank]));

/** Compares two field names by the order in which they are written. */
export function compareFields(a: string, b: string): number {
  const difference = (RANK.get(a) ?? FIELDS.length) - (RANK.get(b) ?? FIELDS.length);
  return difference || (a < b ? -1 : a > b ? 1 : 0);
}
