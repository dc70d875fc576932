import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { longTest, takeCases } from '../../../../scripts/long-run.ts';
import { NexdynError } from '../error.ts';
import { type JsonSchema, sceneJsonSchema } from './json-schema.ts';
import { formatPath, type Place, placeBelow } from './place.ts';
import { sceneSchema } from './scene-schema.ts';
import type { SchemaNode } from './schema.ts';
import { checkSchema } from './schema-check.ts';
import { validateScene } from './validate.ts';

/** A scene with every kind and every field of the format. */
const fullScene: unknown = JSON.parse(readFileSync(new URL('./full-scene.json', import.meta.url), 'utf8'));
const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** A field that stands somewhere in a scene: `Interface.field`, or `Interface.field.inner` for objects written in place. */
interface Occurrence {
  field: string;
  node: SchemaNode;
  place: Place;
}

function listOccurrences(node: SchemaNode, value: unknown, owner: string, place?: Place): Occurrence[] {
  switch (node.type) {
    case 'reference':
      return listOccurrences(node.target(), value, owner, place);
    case 'tagged':
      return listOccurrences(node.members.get((value as { kind: string }).kind)!, value, owner, place);
    case 'array':
      return (value as unknown[]).flatMap((item, i) => listOccurrences(node.items, item, owner, placeBelow(place, i)));
    case 'object':
      return [...node.fields].flatMap(([key, { schema }]) => {
        const content = (value as Record<string, unknown>)[key];
        if (content === undefined) return [];
        const field = `${node.name ?? owner}.${key}`;
        const below = placeBelow(place, key);
        return [{ field, node: schema, place: below }, ...listOccurrences(schema, content, field, below)];
      });
    default:
      return [];
  }
}

const occurrences = listOccurrences(sceneSchema, fullScene, '');

/** What a judge says of the full scene with another value at one place. */
function judgeWith<T>(place: Place, value: unknown, judge: (scene: unknown) => T): T {
  const keys: (string | number)[] = [];
  for (let at: Place | undefined = place; at; at = at.parent) keys.unshift(at.key);
  let target = fullScene as Record<string | number, unknown>;
  for (const key of keys.slice(0, -1)) target = target[key] as Record<string | number, unknown>;
  const original = target[place.key];
  target[place.key] = value;
  try {
    return judge(fullScene);
  } finally {
    target[place.key] = original;
  }
}

function findPath(value: unknown): string | undefined {
  try {
    checkSchema(sceneSchema, value);
  } catch (error) {
    if (error instanceof NexdynError && error.code === 'invalid-value') return error.path;
    throw error;
  }
  return undefined;
}

/** Bad values, with where inside them the fault is, and good values at the edge. */
interface Rule {
  bad: [value: unknown, below?: number][];
  good: unknown[];
}

const noNumber: [unknown][] = [[Number.NaN], [Infinity], [-Infinity], ['1'], [null], [true], [[1]]];

function numberRule(good: number[], bad: number[]): Rule {
  return { good, bad: [...noNumber, ...bad.map((value): [number] => [value])] };
}

/** A list of so many numbers whose entries follow a rule for one number. */
function listRule(item: Rule, count: number | undefined, fill: number): Rule {
  const list = (length: number, value: unknown, at: number) =>
    Array.from({ length }, (_, i) => (i === at ? value : fill));
  const length = count ?? 3;
  const last = length - 1;
  const badItems = item.bad.map(([value]): [unknown, number] => [list(length, value, last), last]);
  const badLengths: [unknown][] = count === undefined ? [] : [[list(count - 1, fill, 0)], [list(count + 1, fill, 0)]];
  return {
    good: item.good.map((value) => list(length, value, last)),
    bad: [...badItems, ...badLengths, [1], [{}], [null]],
  };
}

const any = numberRule([-1e300, 0, 1e300], []);
const amount = numberRule([0, 1e9], [-1e-12]);
const positive = numberRule([1e-12, 1e9], [0, -1e-12]);
const share = numberRule([0, 0.5, 1], [-1e-12, 1 + 1e-12]);
const count = numberRule([0, 1, 1000], [-1, 0.5]);
const iterations = numberRule([1, 1000], [0, -1, 1.5]);
const vec3 = listRule(any, 3, 1);
const nonzero3: Rule = { good: [[0, 0, 1e-9]], bad: [...vec3.bad, [[0, 0, 0]]] };
const nonzero4: Rule = { good: [[0, 0, 0, 1]], bad: [...listRule(any, 4, 1).bad, [[0, 0, 0, 0]]] };
const range: Rule = {
  good: [
    [-1, 1],
    [0, 1e-12],
  ],
  bad: [[[1, -1]], [[1, 1]], [[0]], [[0, 1, 2]], [[Number.NaN, 1], 0], [[0, Infinity], 1], [[0, '1'], 1], [null]],
};
const solref: Rule = {
  good: [
    [0.02, 1],
    [-100, -1],
    [-100, 0],
    [0, 0],
  ],
  bad: [[[0.02, -1]], [[-0.02, 1]], [[0.02, 0]], [[0.02]], [[Number.NaN, 1], 0]],
};

/** What holds for each numeric field; a star stands for any beginning. */
const rules: [Rule, string[]][] = [
  [
    amount,
    ['MuscleActuator.force', 'MuscleActuator.scale', 'MuscleActuator.passiveForce', 'MuscleActuator.stretchForce'],
  ],
  [amount, ['ActivationDynamics.smoothing']],
  [positive, ['CrankTransmission.rodLength', 'MuscleActuator.maxVelocity', 'ActivationDynamics.fallTimeConstant']],
  [range, ['MuscleActuator.lengthRange']],
  [
    { good: [[0, 1]], bad: [[[1, 1]], [[2, 1]], [[-1, 1], 0], [[1]]] },
    ['MuscleActuator.operatingRange', 'MuscleActuator.activeRange'],
  ],
  [amount, ['*Sensor.cutoff', '*Sensor.noise', '*Sensor.delay', '*Sensor.interval', '*Sensor.phase']],
  [numberRule([1, 100_000], [0, -1, 1.5, 100_001]), ['*Sensor.samples']],
  [numberRule([1, 10_000], [0, -1, 1.5, 10_001]), ['ContactSensor.count']],
  [iterations, ['UserSensor.dimension']],
  [positive, ['LessonSlider.step', 'Lesson.duration']],
  [count, ['LessonQuestion.correct']],
  [{ good: [[1], [1, 2]], bad: [[[]], [[1, 2, 3]]] }, ['LessonCheck.values']],
  [count, ['VertexSensor.vertex']],
  [
    { good: [[1, 1000]], bad: [[[0, 1], 0], [[1, 1001], 1], [[1.5, 1], 0], [[1]], [[1, 2, 3]]] },
    ['TactileSensor.cells', 'TouchGridSensor.cells'],
  ],
  [listRule(positive, 2, 1), ['TactileSensor.size']],
  [listRule(numberRule([1e-3, 3.14], [0, -1, 3.15]), 2, 1), ['TouchGridSensor.angles']],
  [share, ['TouchGridSensor.foveation']],
  [numberRule([1, 6], [0, 1.5, 7]), ['TouchGridSensor.channels']],
  [
    {
      good: [
        [1, 1],
        [1, 1, 1],
      ],
      bad: [[[1]], [[1, 0], 1], [[1, 1, 1, 1]]],
    },
    ['Site.size'],
  ],
  [vec3, ['SceneOptions.magneticField']],
  [any, ['SignedDistanceBowl.height', 'SignedDistanceGear.angle']],
  [
    positive,
    [
      'SceneOptions.timestep',
      'SceneOptions.accuracy',
      'SceneOptions.maxStepTime',
      'SleepOptions.tolerance',
      'MujocoOptions.impedanceRatio',
      'SapOptions.frictionRegularization',
      'SapOptions.pcgTolerance',
      'SapOptions.stiffness',
      'SapOptions.stictionVelocity',
      'PenaltyOptions.stiffness',
      'PenaltyOptions.slipSpeed',
      'IpcOptions.barrierDistance',
      'IpcOptions.signedDistanceCovering',
      'IpcOptions.barrierStiffness',
      'IpcOptions.frictionVelocity',
      'IpcOptions.tolerance',
      'IpcOptions.jointPenalty',
      'IpcOptions.jointTolerance',
      'IpcOptions.jointAngleTolerance',
      'MassRules.totalMass',
      'Material.stiffness',
      'Material.hydroelasticModulus',
      'HydroelasticField.modulus',
      'HydroelasticField.resolution',
      'HydroelasticField.thickness',
      'SignedDistanceGrid.spacing',
      'SignedDistanceMesh.spacing',
      'SignedDistanceTorus.majorRadius',
      'SignedDistanceTorus.minorRadius',
      'SignedDistanceGear.diameter',
      'SignedDistanceGear.thickness',
      'SignedDistanceBowl.radius',
      'SignedDistanceBowl.halfThickness',
      'SignedDistanceBolt.radius',
      'SignedDistanceNut.radius',
      'SphereShape.radius',
      'CapsuleShape.radius',
      'CapsuleShape.halfLength',
      'CylinderShape.radius',
      'CylinderShape.halfLength',
      'Site.radius',
      'SurfaceTetMesh.resolution',
      'SphereTetMesh.radius',
      'SphereTetMesh.resolution',
      'PolylineMesh.radius',
      'TriangleShellMesh.thickness',
      'GridShellMesh.thickness',
      'SurfaceShellMesh.thickness',
      'Elasticity.strainLimit',
      'OrthotropicElasticity.shearModulus',
      'Elasticity.youngsModulus',
      'FiberElasticity.youngsModulus',
      'Plasticity.yieldStress',
      'SoftAttachment.breakForce',
      'Elasticity.density',
      'Elasticity.vertexMass',
      'Elasticity.hydroelasticModulus',
      'DistanceEquality.distance',
      '*Tendon.width',
      'TendonPulley.divisor',
      'ActivationDynamics.timeConstant',
      'ContactPair.stiffness',
    ],
  ],
  [
    amount,
    [
      'Elasticity.stretchStiffness',
      'Medium.density',
      'Medium.viscosity',
      'ContactOverride.margin',
      'MujocoOptions.tolerance',
      'MujocoOptions.lineSearchTolerance',
      'MujocoOptions.noslipTolerance',
      'SapOptions.absoluteTolerance',
      'SapOptions.relativeTolerance',
      'SapOptions.nearRigid',
      'SapOptions.nearRigidJoint',
      'SapOptions.lineSearchTolerance',
      'SapOptions.dissipation',
      'SapOptions.huntCrossley',
      'CcpOptions.tolerance',
      'PenaltyOptions.dissipation',
      'PenaltyOptions.tolerance',
      'CcpOptions.recoverySpeed',
      'CcpOptions.bounceSpeed',
      'CcpOptions.compliance',
      'CcpOptions.relaxation',
      'CcpOptions.envelope',
      'SapOptions.envelope',
      'IpcOptions.separation',
      'MassRules.minimumMass',
      'MassRules.minimumInertia',
      'Material.friction',
      'Material.spinFriction',
      'Material.rollFriction',
      'Material.dissipation',
      'Material.density',
      'HeightFieldAsset.baseDepth',
      'SignedDistanceGear.innerDiameter',
      '*Shape.mass',
      '*Shape.density',
      '*Shape.margin',
      'HydroelasticField.margin',
      '*Shape.gap',
      '*Shape.friction',
      '*Shape.spinFriction',
      '*Shape.rollFriction',
      'MujocoContactParameters.solmix',
      '*Joint.stiffness',
      '*Joint.damping',
      '*Joint.armature',
      '*Joint.frictionLoss',
      'JointLimit.margin',
      '*Inertia.mass',
      'Elasticity.bendingStiffness',
      'Elasticity.twistStiffness',
      'Elasticity.massDamping',
      'Elasticity.viscosity',
      'Plasticity.hardening',
      'Elasticity.stiffnessDamping',
      'SoftSpring.stiffness',
      'SoftSpring.damping',
      'SoftBody.margin',
      'WeldEquality.torqueScale',
      '*Tendon.stiffness',
      '*Tendon.damping',
      '*Tendon.armature',
      '*Tendon.frictionLoss',
      '*Tendon.limit.margin',
      'PositionActuator.damping',
      '*Actuator.dampingRatio',
      'PositionActuator.timeConstant',
      'ContactPair.margin',
      'ContactPair.gap',
      'ContactPair.dissipation',
    ],
  ],
  [
    any,
    [
      'SceneTerm.weight',
      '*Joint.reference',
      '*Joint.springReference',
      'MujocoContactParameters.adhesion',
      'Body.gravityCompensation',
      '*Tendon.terms.coefficient',
      'PositionActuator.stiffness',
      'VelocityActuator.gain',
      'PidActuator.integral',
      'MotorController.integral',
      'AdhesionActuator.gain',
      'Cogging.amplitude',
      'Cogging.poles',
      'Cogging.phase',
      'WindingHeat.coefficient',
      'WindingHeat.reference',
      'WindingHeat.ambient',
      'Keyframe.time',
      'LessonSlider.minimum',
      'LessonSlider.maximum',
      'LessonSlider.value',
      'Skin.inflate',
      'SceneView.azimuth',
      'SceneView.elevation',
    ],
  ],
  [positive, ['Camera.extent', 'SceneView.extent', 'SceneView.meanSize', 'SceneView.near', 'SceneView.far']],
  [
    amount,
    [
      'Camera.eyeDistance',
      'Light.exponent',
      'Light.bulbRadius',
      'Light.intensity',
      'Light.range',
      'Appearance.emission',
    ],
  ],
  [
    share,
    [
      'Appearance.specular',
      'Appearance.shininess',
      'Appearance.reflectance',
      'Appearance.metallic',
      'Appearance.roughness',
      'Texture.markDensity',
      'SceneView.haze',
    ],
  ],
  [numberRule([1e-3, 3.14], [0, -1, 3.15]), ['Camera.fieldOfView', 'SceneView.fieldOfView', 'Light.cutoff']],
  [iterations, ['Texture.width', 'Texture.height']],
  [listRule(iterations, 2, 2), ['Camera.resolution', 'Texture.gridSize', 'SceneView.pictureSize']],
  [listRule(positive, 2, 1), ['Camera.sensorSize', 'Camera.focalLength', 'Appearance.textureRepeat']],
  [listRule(any, 2, 1), ['Camera.principalPoint']],
  [
    listRule(amount, 3, 1),
    [
      'Light.ambient',
      'Light.diffuse',
      'Light.specular',
      'Light.attenuation',
      'Headlight.ambient',
      'Headlight.diffuse',
      'Headlight.specular',
    ],
  ],
  [listRule(share, 3, 0.5), ['Texture.color1', 'Texture.color2', 'Texture.markColor']],
  [listRule(share, 4, 0.5), ['SceneView.hazeColor']],
  [listRule(any, undefined, 1), ['MeshAsset.textureCoordinates', 'Skin.textureCoordinates']],
  [listRule(amount, undefined, 1), ['SkinBone.weights']],
  [listRule(count, undefined, 0), ['SkinBone.vertices']],
  [{ good: [Array(9).fill(-1)], bad: [[Array(8).fill(0)], [[]]] }, ['Skin.vertices']],
  [{ good: [[0, 1, 2]], bad: [[[0, 1]], [[0, 1, -2], 2], [[0, 1, 0.5], 2]] }, ['Skin.faces']],
  [
    positive,
    [
      'DcMotorActuator.resistance',
      'DcMotorActuator.motorConstant',
      'DcMotorActuator.inductance',
      'BristleFriction.stiffness',
      'BristleFriction.stribeckVelocity',
      'WindingHeat.resistance',
      'WindingHeat.capacity',
    ],
  ],
  [
    amount,
    [
      '*Actuator.delay',
      'PidActuator.stiffness',
      'PidActuator.damping',
      'PidActuator.integralLimit',
      'PidActuator.slewRate',
      'MotorController.stiffness',
      'MotorController.damping',
      'MotorController.integralLimit',
      'MotorController.slewRate',
      'MotorController.voltageLimit',
      'DcMotorActuator.currentRate',
      'BristleFriction.damping',
      'BristleFriction.coulomb',
      'BristleFriction.static',
    ],
  ],
  [numberRule([1, 20], [0, 0.5, 100_001]), ['*Actuator.samples']],
  [share, ['Material.restitution', 'ContactPair.restitution']],
  [numberRule([0, 0.4999], [-0.01, 0.5, 0.6]), ['Elasticity.poissonRatio']],
  [numberRule([0, 0.9999], [-0.01, 1]), ['OrthotropicElasticity.poissonRatio']],
  [
    iterations,
    [
      'SapOptions.iterations',
      'SapOptions.lineSearchIterations',
      'CcpOptions.iterations',
      'PenaltyOptions.iterations',
      'CcpOptions.coulombIterations',
      'IpcOptions.iterations',
      'IpcOptions.jointRounds',
    ],
  ],
  [
    count,
    [
      'MujocoOptions.iterations',
      'MujocoOptions.lineSearchIterations',
      'MujocoOptions.noslipIterations',
      'SapOptions.pcgIterations',
    ],
  ],
  [numberRule([-1, 0, 7], [-2, 0.5]), ['IpcOptions.frictionPasses']],
  [numberRule([1, 2.5, 10], [0, 0.999, -1]), ['IpcOptions.jointPenaltyGrowth']],
  [numberRule([2, 1000], [1, 0, 2.5]), ['HeightFieldAsset.rows', 'HeightFieldAsset.columns']],
  [numberRule([4, 1000], [3, 0, 4.5]), ['MeshAsset.hullVertices']],
  [numberRule([3, 100], [2, 0, 3.5]), ['SignedDistanceGear.teeth']],
  [numberRule([0, 0xffffffff], [-1, 0x100000000, 0.5]), ['*.collisionGroups', '*.collisionMask']],
  [numberRule([0, 5], [-1, 6, 0.5]), ['*.layer']],
  [numberRule([-3, 0, 3], [0.5]), ['MujocoContactParameters.priority', 'SoftBody.priority']],
  [numberRule([1, 3, 4, 6], [0, 2, 5]), ['MujocoContactParameters.condim']],
  [numberRule([4, 6, 8, 32], [0, 2, 5, 34]), ['MujocoOptions.pyramidEdges']],
  [numberRule([1], [0, 2]), ['Scene.version']],
  [
    vec3,
    [
      'SceneOptions.gravity',
      'Medium.wind',
      'SignedDistanceGrid.origin',
      '*Shape.position',
      '*Shape.surfaceVelocity',
      '*Shape.surfaceSpin',
      'Site.position',
      'Body.position',
      '*Joint.anchor',
      '*Inertia.center',
      'SoftBody.position',
      'SoftBody.velocity',
      'SoftRegionBox.low',
      'SoftRegionBox.high',
      '*Equality.anchor',
      'WeldEquality.relativePose.position',
      'DistanceEquality.point1',
      'DistanceEquality.point2',
      'GeneralActuator.gain',
      'GeneralActuator.bias',
      'Camera.position',
      'Light.position',
      'SceneView.center',
      'SkinBone.bindPosition',
    ],
  ],
  [nonzero3, ['Light.direction', '*Joint.axis', 'OrthotropicElasticity.warp', 'FiberElasticity.direction']],
  [
    nonzero4,
    [
      '*Shape.orientation',
      'Site.orientation',
      'Camera.orientation',
      'SkinBone.bindOrientation',
      'Body.orientation',
      'SoftBody.orientation',
      '*Inertia.orientation',
      'WeldEquality.relativePose.orientation',
    ],
  ],
  [listRule(share, 4, 0.5), ['*.color']],
  [listRule(positive, 3, 1), ['EllipsoidShape.radii', 'BoxShape.halfSize', 'BoxTetMesh.halfSize']],
  [
    listRule(positive, 2, 1),
    ['HeightFieldAsset.halfSize', 'GridShellMesh.size', 'OrthotropicElasticity.youngsModulus'],
  ],
  [listRule(amount, 2, 1), ['PlaneShape.halfSize', '*Joint.springDamper']],
  [listRule(amount, 3, 1), ['PrincipalInertia.moments']],
  [listRule(amount, 5, 1), ['*Shape.fluid', 'ContactOverride.friction', 'ContactPair.friction']],
  [
    listRule(any, 2, 1),
    ['*Joint.stiffnessPowers', '*Joint.dampingPowers', '*Tendon.stiffnessPowers', '*Tendon.dampingPowers'],
  ],
  [listRule(any, 6, 1), ['TensorInertia.tensor']],
  [listRule(any, 5, 1), ['*Equality.coefficients', '*.solimp', '*.solimpLimit', '*.solimpFriction']],
  [listRule(iterations, 3, 2), ['BoxTetMesh.cells']],
  [listRule(iterations, 2, 2), ['GridShellMesh.cells']],
  [listRule(numberRule([2, 9], [1, 0, 2.5]), 3, 2), ['SignedDistanceGrid.counts']],
  [solref, ['*.solref', '*.solrefLimit', '*.solrefFriction']],
  [
    range,
    [
      'JointLimit.range',
      '*Tendon.limit.range',
      '*.actuatorForceRange',
      '*.controlRange',
      '*.forceRange',
      'ActivationDynamics.range',
    ],
  ],
  [
    {
      good: [
        [1, 1],
        [0, 1],
      ],
      bad: [[[1, 0.5]], [[1]], [[Number.NaN, 1], 0]],
    },
    ['*Tendon.springLength'],
  ],
  [
    { good: [[0], [0, 1e-12, 1]], bad: [[[]], [[0, 1, 1], 2], [[0, 2, 1], 2], [[0, Number.NaN], 1]] },
    ['DrivenVertices.times'],
  ],
  [
    { good: [[1], [1, 2, 3, 4, 5, 6]], bad: [[[]], [[1, 2, 3, 4, 5, 6, 7]], [[Infinity], 0], [3]] },
    ['*Transmission.gear'],
  ],
  [
    listRule(any, undefined, 1),
    [
      'HeightFieldAsset.heights',
      'SignedDistanceGrid.values',
      'DrivenVertices.displacements',
      'DrivenVertices.twist',
      'Keyframe.position',
      'Keyframe.velocity',
      'Keyframe.activation',
      'Keyframe.control',
      'Keyframe.mocapPosition',
      'Keyframe.mocapOrientation',
    ],
  ],
  [
    { good: [Array(12).fill(-1)], bad: [[Array(11).fill(0)], [[]], [[...Array(12).fill(0), Number.NaN], 12]] },
    ['MeshAsset.vertices', 'GivenTetMesh.vertices'],
  ],
  [
    listRule(count, undefined, 0),
    [
      'MeshAsset.faces',
      'MeshAsset.edges',
      'SoftBody.pinned',
      'DrivenVertices.vertices',
      'SoftAttachment.vertices',
      'SoftSpring.vertices',
      'SoftRegion.vertices',
    ],
  ],
  [{ good: [[0, 1, 2, 3]], bad: [[[0, 1, 2]], [[0, 1, 2, -1], 3], [[0, 1, 2, 0.5], 3]] }, ['GivenTetMesh.tetrahedra']],
  [{ good: [Array(9).fill(-1)], bad: [[Array(8).fill(0)], [[]]] }, ['TriangleShellMesh.vertices']],
  [{ good: [[0, 0, 0, 1, 0, 0]], bad: [[[0, 0, 0]], [[]]] }, ['PolylineMesh.points']],
  [{ good: [[0, 1, 2]], bad: [[[0, 1]], [[0, 1, -2], 2], [[0, 1, 0.5], 2]] }, ['TriangleShellMesh.triangles']],
];

function matches(pattern: string, field: string): boolean {
  return pattern.startsWith('*') ? field.endsWith(pattern.slice(1)) : field === pattern;
}

describe('the schema of a scene', () => {
  test('the full scene is sound and has every field of every interface', () => {
    expect(validateScene(fullScene)).toBe(fullScene);
    const present = new Set(occurrences.map(({ field }) => field));
    const schema = sceneJsonSchema() as { $defs: Record<string, { properties: JsonSchema; oneOf?: unknown }> };
    const declared = Object.entries(schema.$defs)
      .filter(([, definition]) => !definition.oneOf)
      .flatMap(([name, definition]) => Object.keys(definition.properties).map((key) => `${name}.${key}`));
    expect(declared.filter((field) => !present.has(field))).toEqual([]);
    expect(declared.length).toBeGreaterThan(400);
  });

  test('every numeric field has a rule below, and every rule a field', () => {
    const isNumeric = ({ node }: Occurrence) =>
      node.type === 'number' ||
      node.type === 'numbers' ||
      (node.type === 'choice' && typeof node.values[0] === 'number');
    const patterns = rules.flatMap(([, fields]) => fields);
    const numeric = [...new Set(occurrences.filter(isNumeric).map(({ field }) => field))];
    expect(numeric.filter((field) => !patterns.some((pattern) => matches(pattern, field)))).toEqual([]);
    expect(patterns.filter((pattern) => !numeric.some((field) => matches(pattern, field)))).toEqual([]);
  });

  const cases = rules.flatMap(([rule, patterns]) => takeCases(patterns, 3).map((pattern) => ({ pattern, rule })));
  test.each(cases)('bounds of $pattern', ({ pattern, rule }) => {
    const seen = new Set<string>();
    for (const { field, place } of occurrences) {
      if (!matches(pattern, field) || seen.has(field)) continue;
      seen.add(field);
      for (const value of rule.good) expect(judgeWith(place, value, findPath)).toBeUndefined();
      for (const [value, below] of rule.bad) {
        const at = below === undefined ? place : placeBelow(place, below);
        expect({ value, path: judgeWith(place, value, findPath) }).toEqual({ value, path: formatPath(at) });
      }
    }
    expect(seen.size).toBeGreaterThan(0);
  });
});

/** Enough of JSON Schema to judge by the published file alone. */
function accepts(schema: JsonSchema, value: unknown, definitions: Record<string, JsonSchema>): boolean {
  const recur = (part: unknown, content: unknown) => accepts(part as JsonSchema, content, definitions);
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  const tests: Record<string, (keyword: never) => boolean> = {
    $ref: (name: string) => recur(definitions[name.slice('#/$defs/'.length)], value),
    type: (type: string) =>
      type === 'array'
        ? Array.isArray(value)
        : type === 'object'
          ? isRecord
          : type === 'number'
            ? Number.isFinite(value)
            : type === 'integer'
              ? Number.isInteger(value)
              : typeof value === type,
    const: (wanted: unknown) => value === wanted,
    enum: (wanted: unknown[]) => wanted.includes(value),
    minimum: (bound: number) => !((value as number) < bound),
    maximum: (bound: number) => !((value as number) > bound),
    exclusiveMinimum: (bound: number) => !((value as number) <= bound),
    exclusiveMaximum: (bound: number) => !((value as number) >= bound),
    minLength: (bound: number) => typeof value !== 'string' || value.length >= bound,
    minItems: (bound: number) => !Array.isArray(value) || value.length >= bound,
    maxItems: (bound: number) => !Array.isArray(value) || value.length <= bound,
    items: (item: JsonSchema) => !Array.isArray(value) || value.every((content) => recur(item, content)),
    required: (keys: string[]) => !isRecord || keys.every((key) => Object.hasOwn(value, key)),
    properties: (fields: Record<string, JsonSchema>) =>
      !isRecord || Object.entries(value).every(([key, content]) => !fields[key] || recur(fields[key], content)),
    additionalProperties: (isOpen: boolean) =>
      isOpen || !isRecord || Object.keys(value).every((key) => key in (schema['properties'] as object)),
    not: (part: JsonSchema) => !recur(part, value),
    anyOf: (parts: JsonSchema[]) => parts.some((part) => recur(part, value)),
    oneOf: (parts: JsonSchema[]) => parts.filter((part) => recur(part, value)).length === 1,
    $schema: () => true,
    $defs: () => true,
    title: () => true,
    description: () => true,
  };
  return Object.entries(schema).every(([keyword, argument]) => {
    const check = tests[keyword];
    if (!check) throw new Error(`unknown keyword ${keyword}`);
    return check(argument as never);
  });
}

describe('the published JSON Schema', () => {
  const published = JSON.parse(readFileSync(`${root}docs/schema/scene.schema.json`, 'utf8')) as JsonSchema;
  const judge = (value: unknown) => accepts(published, value, published['$defs'] as Record<string, JsonSchema>);

  longTest('judges every bound as the engine does, the order of numbers apart', () => {
    expect(judge(fullScene)).toBe(true);
    let compared = 0;
    for (const [rule, patterns] of rules) {
      if (patterns.some((pattern) => /ange$|springLength|times$/.test(pattern))) continue;
      const place = occurrences.find(({ field }) => matches(patterns[0], field))!.place;
      for (const value of rule.good) expect(judgeWith(place, value, judge)).toBe(true);
      for (const [value] of rule.bad)
        expect({ value, sound: judgeWith(place, value, judge) }).toEqual({ value, sound: false });
      compared += rule.good.length + rule.bad.length;
    }
    expect(compared).toBeGreaterThan(200);
  });

  test('is up to date, with a description of every field', () => {
    expect(execFileSync(process.execPath, [`${root}scripts/schema.mjs`, '--check'], { encoding: 'utf8' })).toBe('');
  });
});

describe('the gallery', () => {
  test('is up to date', () => {
    for (const script of ['gallery', 'lessons'])
      expect(execFileSync(process.execPath, [`${root}scripts/${script}.mjs`, '--check'], { encoding: 'utf8' })).toBe(
        '',
      );
  });

  test.each(readdirSync(`${root}scenes`).filter((file) => file.endsWith('.json')))(
    '%s is sound and introduces itself',
    (file) => {
      const scene = validateScene(JSON.parse(readFileSync(`${root}scenes/${file}`, 'utf8')));
      expect(scene.$schema).toBe('../docs/schema/scene.schema.json');
      expect(scene.name?.length).toBeGreaterThan(5);
      expect(scene.description).toMatch(/^[A-Z][^\n]{40,140}\.$/);
    },
  );
});
