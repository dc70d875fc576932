/** <geom>: shapes. */
import {
  DEFAULT_FRICTION,
  type MujocoContactParameters,
  type Shape,
  type ShapeCommon,
  type Vec3,
} from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import {
  findSetting,
  locate,
  readBoolean,
  readInteger,
  readKeyword,
  readNumber,
  readPartial,
  readSize,
  readText,
  type Settings,
} from './attributes.ts';
import { type Scope, setPose } from './body.ts';
import { readColor } from './color.ts';
import { findClass, withDefaults } from './defaults.ts';
import { fail, suggestName } from './failure.ts';
import { readSegment } from './from-to.ts';
import { composeFrames, type Frame, readFrame } from './orientation.ts';
import { findPlugin, useField } from './plugin.ts';
import { fitPrimitive } from './primitive-fit.ts';
import { findPrimitive, PRIMITIVE_NAMES, type PrimitiveName } from './primitive-types.ts';
import type { Reading } from './reading.ts';
import { checkAttributes } from './schema.ts';
import { readSolimp, readSolref } from './solver-parameters.ts';

const TYPES: readonly (PrimitiveName | 'hfield' | 'mesh' | 'sdf')[] = [...PRIMITIVE_NAMES, 'hfield', 'mesh', 'sdf'];

/** Reads a geom; none comes back where its geometry is not supported. */
export function readGeom(element: XmlElement, scope: Scope, reading: Reading): Shape[] {
  checkAttributes(element);
  const settings = withDefaults(element, findClass(element, 'class', reading.defaults, scope.defaults));
  for (const child of element.children) {
    if (child.name === 'plugin' && readText(settings, 'type') === 'sdf') continue;
    reading.unsupported.add(child, { affects: 'physics', message: 'plugins are not supported' });
  }
  const geometry = readGeometry(settings, reading);
  if (!geometry) {
    reading.lostMass.set(scope.body, (reading.lostMass.get(scope.body) ?? 0) + (readNumber(settings, 'mass') ?? 0));
    return [];
  }
  if ('field' in geometry.shape && scope.role !== 'world' && !scope.body.inertia) {
    const message = 'it weighs as the solid it is; MuJoCo takes the mass of a mesh about the origin of the geom';
    reading.unsupported.add(element, { affects: 'physics', message });
  }
  const common: ShapeCommon = {};
  const name = readText(settings, 'name');
  if (name) common.name = name;
  setPose(common, composeFrames(scope.frame, geometry.frame));
  readMass(common, settings);
  readContact(common, settings, reading);
  // a mesh may have a material for geoms without one
  const mesh = reading.meshMaterials.get(readText(settings, 'mesh') ?? '');
  const source = readText(settings, 'material') || !mesh ? settings : mesh;
  const color = readColor(settings, reading, source);
  if (color) common.color = color;
  const look = readText(source, 'material');
  if (look) common.appearance = look;
  const layer = readInteger(settings, 'group') ?? 0;
  if (layer !== 0) common.layer = Math.min(5, Math.max(0, layer));
  const shape = { ...geometry.shape, ...common } as Shape;
  reading.origins.set(shape, element);
  const [lowest, highest] = reading.compiler.inertiaLayers;
  if (layer < lowest || layer > highest) reading.weightless.add(shape);
  return [shape];
}

interface Geometry {
  shape: Record<string, unknown> & { kind: Shape['kind'] };
  frame: Frame;
}

function readGeometry(settings: Settings, reading: Reading): Geometry | undefined {
  const type = readKeyword(settings, 'type', TYPES) ?? 'sphere';
  const { element } = settings;
  const meshName = readText(settings, 'mesh');
  if (type === 'sdf') return readSolid(settings, meshName, reading);
  if (type === 'hfield') return readTerrain(settings, reading);
  const frame = readFrame(settings, reading.compiler);
  if (meshName !== undefined) {
    const mesh = findAsset(settings, 'mesh', meshName, reading.meshes);
    if (!mesh) {
      reading.unsupported.add(element, { affects: 'physics', message: `its mesh '${meshName}' is not supported` });
      return undefined;
    }
    if (type === 'mesh') return { shape: { kind: 'convexMesh', mesh: mesh.name }, frame };
    const scale = readNumber(settings, 'fitscale') ?? 1;
    const fit = fitPrimitive(mesh, findPrimitive(type), reading.compiler.fitBoundingBox);
    if (!fit)
      fail(
        'invalid-value',
        locate(settings, 'mesh'),
        `a ${type} cannot be fitted to a mesh`,
        "remove 'type', or choose box, sphere, capsule, cylinder or ellipsoid",
      );
    const size = fit.size.map((value) => value * scale) as Vec3;
    return { shape: findPrimitive(type).shape(size), frame: composeFrames(frame, fit.frame) };
  }
  if (type === 'mesh')
    fail('missing-value', element, "a geom of type 'mesh' needs the attribute 'mesh'", 'write mesh="..."');
  return readPrimitive(type, settings, frame);
}

function readPrimitive(type: PrimitiveName, settings: Settings, own: Frame): Geometry {
  const size = readPartial<Vec3>(settings, 'size', [0, 0, 0]) ?? [0, 0, 0];
  const at = locate(settings, 'size');
  if (type === 'plane') {
    if (size[2] <= 0)
      fail(
        'invalid-value',
        at,
        'a plane needs three sizes: half x, half y and a positive grid spacing',
        'as in size="1 1 0.1"',
      );
    if (size[0] < 0 || size[1] < 0)
      fail('invalid-value', at, 'the half sizes of a plane cannot be negative', 'a size of 0 is an endless plane');
  }
  const segment = readSegment(settings);
  const { needed, shape, lengthAt } = findPrimitive(type);
  let frame = own;
  if (segment) {
    if (lengthAt === undefined) {
      const hint = 'a capsule, cylinder, box or ellipsoid can';
      fail('invalid-value', locate(settings, 'fromto'), `a ${type} cannot have 'fromto'`, hint);
    }
    frame = segment.frame;
    // the length runs along z; what is across is round or square
    for (let i = 1; i < lengthAt; i++) size[i] = size[0];
    size[lengthAt] = segment.halfLength;
  }
  for (let i = 0; i < needed; i++) {
    if (size[i]! > 0) continue;
    const given = findSetting(settings, 'size');
    const reason = given ? `size ${i + 1} of a ${type} must be positive, got ${size[i]}` : `a ${type} needs a size`;
    fail(given ? 'invalid-value' : 'missing-value', at, reason, `a ${type} has ${needed} of them`);
  }
  return { shape: shape(size), frame };
}

function readTerrain(settings: Settings, reading: Reading): Geometry | undefined {
  const name = readText(settings, 'hfield');
  if (!name)
    fail(
      'missing-value',
      settings.element,
      "a geom of type 'hfield' needs the attribute 'hfield'",
      'write hfield="..."',
    );
  const asset = findAsset(settings, 'hfield', name, reading.heightFields);
  if (!asset) {
    const message = `its height field '${name}' is not supported`;
    reading.unsupported.add(settings.element, { affects: 'physics', message });
    return undefined;
  }
  return { shape: { kind: 'heightField', heightField: asset.name }, frame: readFrame(settings, reading.compiler) };
}

/** The solid of a plugin, which the geom names or its mesh. */
function readSolid(settings: Settings, mesh: string | undefined, reading: Reading): Geometry | undefined {
  const { element } = settings;
  const plugin = findPlugin(element, reading) ?? reading.meshPlugins.get(mesh ?? '');
  const field = plugin && useField(plugin, reading);
  if (!field) {
    const message = plugin
      ? `its plugin '${plugin.name}' is not supported; the geom is left out`
      : 'signed-distance geoms of meshes are not supported; the geom is left out';
    reading.unsupported.add(element, { affects: 'physics', message });
    return undefined;
  }
  return { shape: { kind: 'signedDistance', field: field.name }, frame: readFrame(settings, reading.compiler) };
}

function findAsset<T>(settings: Settings, attribute: string, name: string, assets: Map<string, T>): T {
  if (!assets.has(name)) {
    const hint = suggestName(name, assets.keys(), `assets of the kind ${attribute}`);
    fail('unknown-reference', locate(settings, attribute), `there is no ${attribute} '${name}'`, hint);
  }
  return assets.get(name)!;
}

function readMass(common: ShapeCommon, settings: Settings): void {
  const mass = readNumber(settings, 'mass');
  if (mass !== undefined) {
    if (mass < 0)
      fail('invalid-mass', locate(settings, 'mass'), `the mass is negative: ${mass}`, 'give kilograms, 0 or more');
    common.mass = mass;
  }
  const density = readNumber(settings, 'density');
  if (density !== undefined) {
    if (density < 0)
      fail('invalid-mass', locate(settings, 'density'), `the density is negative: ${density}`, 'give kg/m³, 0 or more');
    if (density !== 1000 && mass === undefined) common.density = density;
  }
  if (readBoolean(settings, 'shellinertia')) common.shell = true;
}

function readContact(common: ShapeCommon, settings: Settings, reading: Reading): void {
  const groups = readInteger(settings, 'contype');
  if (groups !== undefined && groups !== 1) common.collisionGroups = groups >>> 0;
  const mask = readInteger(settings, 'conaffinity');
  if (mask !== undefined && mask !== 1) common.collisionMask = mask >>> 0;
  const margin = readSize(settings, 'margin');
  if (margin) common.margin = margin;
  const gap = readSize(settings, 'gap');
  if (gap) common.gap = gap;
  const friction = readPartial<Vec3>(settings, 'friction', [...DEFAULT_FRICTION]);
  if (friction) {
    if (friction.some((value) => value < 0)) {
      fail('invalid-value', locate(settings, 'friction'), 'friction cannot be negative', 'give 0 or more');
    }
    if (friction[0] !== DEFAULT_FRICTION[0]) common.friction = friction[0];
    if (friction[1] !== DEFAULT_FRICTION[1]) common.spinFriction = friction[1];
    if (friction[2] !== DEFAULT_FRICTION[2]) common.rollFriction = friction[2];
  }
  const surface = readPartial<number[]>(settings, 'surfacevel', [0, 0, 0, 0, 0, 0]);
  if (surface?.slice(0, 3).some((value) => value !== 0)) common.surfaceVelocity = surface.slice(0, 3) as Vec3;
  if (surface?.slice(3).some((value) => value !== 0)) common.surfaceSpin = surface.slice(3) as Vec3;
  if (readKeyword(settings, 'fluidshape', ['none', 'ellipsoid']) === 'ellipsoid') {
    const plain: [number, number, number, number, number] = [0.5, 0.25, 1.5, 1, 1];
    common.fluid = readPartial(settings, 'fluidcoef', plain) ?? plain;
  }
  const parameters = readContactParameters(settings, reading);
  if (parameters) common.mujoco = parameters;
}

/** condim, solref and the like, or undefined where all is as by default. */
function readContactParameters(settings: Settings, reading: Reading): MujocoContactParameters | undefined {
  const result: MujocoContactParameters = {};
  const condim = readCondim(settings);
  if (condim !== undefined && condim !== 3) result.condim = condim;
  const priority = readInteger(settings, 'priority');
  if (priority) result.priority = priority;
  const solmix = readSize(settings, 'solmix');
  if (solmix !== undefined && solmix !== 1) result.solmix = solmix;
  const adhesion = readNumber(settings, 'adhesion');
  if (adhesion) result.adhesion = adhesion;
  const solref = readSolref(settings, 'solref', reading.unsupported);
  if (solref) result.solref = solref;
  const solimp = readSolimp(settings, 'solimp');
  if (solimp) result.solimp = solimp;
  return Object.keys(result).length > 0 ? result : undefined;
}

/** The dimension of a contact, or undefined. */
export function readCondim(settings: Settings): 1 | 3 | 4 | 6 | undefined {
  const condim = readInteger(settings, 'condim');
  if (condim === undefined || condim === 1 || condim === 3 || condim === 4 || condim === 6) return condim;
  fail('invalid-value', locate(settings, 'condim'), `'condim' cannot be ${condim}`, 'one of: 1, 3, 4, 6');
}
