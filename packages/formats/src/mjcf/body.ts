/** The tree: worldbody, body, frame, and what stands in them. */
import type { Body, Vec3 } from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import { attachModel } from './attach.ts';
import { readBoolean, readKeyword, readNumber, readText, settingsOf } from './attributes.ts';
import { readCamera, readLight } from './camera.ts';
import { type DefaultClass, findClass } from './defaults.ts';
import { fail } from './failure.ts';
import { readComposite } from './flex/cable.ts';
import { readFlexcomp } from './flex/flexcomp.ts';
import { readGeom } from './geom.ts';
import { readInertial } from './inertial.ts';
import { readFreeJoint, readJoint } from './joint.ts';
import { composeFrames, type Frame, IDENTITY, readFrame } from './orientation.ts';
import { type OpenBody, openBody, type Reading } from './reading.ts';
import { readReplicate } from './replicate.ts';
import { checkAttributes, failUnknownElement } from './schema.ts';
import { readSite } from './site.ts';
import type { Loss } from './unsupported.ts';

/** Where the children of an element go, and what holds for them. */
export interface Scope {
  body: OpenBody;
  /** Frame of the element in the body. */
  frame: Frame;
  defaults: DefaultClass;
  /** What the body is: nothing moves the world, and a replicate is poured into its parent. */
  role: 'world' | 'body' | 'replicate';
  /** The parent of the body is the world. */
  topLevel: boolean;
}

const UNREAD: ReadonlyMap<string, Loss> = new Map<string, Loss>([
  ['plugin', { affects: 'physics', message: 'plugins are not supported' }],
]);

/** Reads the world. */
export function readWorld(section: XmlElement, reading: Reading): void {
  checkAttributes(section, 'worldbody');
  const defaults = reading.defaults.get('main')!;
  const { world } = reading.part;
  readChildren(section, { body: world, frame: IDENTITY, defaults, role: 'world', topLevel: true }, reading);
}

/** Reads everything inside a body, a frame or a replicate. */
export function readChildren(parent: XmlElement, scope: Scope, reading: Reading): void {
  for (const element of parent.children) {
    const { body } = scope;
    switch (element.name) {
      case 'body':
        body.bodies.push(readBody(element, scope, reading));
        break;
      case 'frame':
        readFrameElement(element, scope, reading);
        break;
      case 'replicate':
        readReplicate(element, scope, reading);
        break;
      case 'attach':
        attachModel(element, scope, reading);
        break;
      case 'geom':
        body.shapes.push(...readGeom(element, scope, reading));
        break;
      case 'site':
        body.sites.push(readSite(element, scope, reading));
        break;
      case 'camera':
        body.cameras.push(readCamera(element, scope, reading));
        break;
      case 'light': {
        const light = readLight(element, scope, reading);
        if (light) body.lights.push(light);
        break;
      }
      case 'joint':
        checkJointPlace(element, scope);
        body.joints.push(readJoint(element, scope, reading));
        break;
      case 'freejoint':
        checkJointPlace(element, scope);
        body.joints.push(readFreeJoint(element, scope, reading));
        break;
      case 'flexcomp':
        readFlexcomp(element, scope, reading);
        break;
      case 'composite':
        readComposite(element, scope, reading);
        break;
      case 'inertial':
        if (scope.role !== 'body')
          fail('invalid-mass', element, 'only a body can have an <inertial>', 'put it into a <body>');
        if (body.inertia) fail('invalid-mass', element, 'the body has a second <inertial>', 'keep one of them');
        body.inertia = readInertial(element, scope, reading);
        break;
      default: {
        const loss = UNREAD.get(element.name);
        if (loss) reading.unsupported.add(element, loss);
        else failUnknownElement(element, parent.name);
      }
    }
  }
}

function readBody(element: XmlElement, scope: Scope, reading: Reading): OpenBody {
  checkAttributes(element);
  const settings = settingsOf(element);
  const body = openBody();
  reading.origins.set(body, element);
  const name = readText(settings, 'name');
  if (name) body.name = name;
  setPose(body, composeFrames(scope.frame, readFrame(settings, reading.compiler)));
  if (readBoolean(settings, 'mocap')) body.mocap = true;
  const compensation = readNumber(settings, 'gravcomp');
  if (compensation) body.gravityCompensation = compensation;
  if (compensation !== undefined && compensation < 0) {
    const message = 'it adds to gravity; MuJoCo leaves it out unless another body has one above 0';
    reading.unsupported.add(element, { attribute: 'gravcomp', affects: 'physics', message });
  }
  const sleep = readKeyword(settings, 'sleep', ['auto', 'never', 'allowed', 'init']) ?? 'auto';
  if (sleep !== 'auto') body.sleep = sleep;
  for (const attribute of ['fuse', 'simple']) readKeyword(settings, attribute, ['auto', 'false']);
  const defaults = findClass(element, 'childclass', reading.defaults, scope.defaults);
  // children of a replicate in the world become children of the world
  const topLevel = scope.role !== 'body' && scope.topLevel;
  readChildren(element, { body, frame: IDENTITY, defaults, role: 'body', topLevel }, reading);
  finishInertia(body, reading);
  replaceLostMass(body, element, reading);
  if (body.mocap && (!topLevel || body.joints.length > 0)) {
    const hint = topLevel ? 'remove its joints' : 'make it a child of the world';
    fail('invalid-value', element, 'a mocap body has no joints and is a child of the world', hint);
  }
  return body;
}

/** Settles whether mass comes from the inertial or from the shapes. */
function finishInertia(body: OpenBody, { compiler, weightless }: Reading): void {
  const { inertiaFromShapes } = compiler;
  if (inertiaFromShapes === 'true' && body.shapes.some((shape) => !weightless.has(shape))) delete body.inertia;
  if (body.inertia) return;
  for (const shape of body.shapes) {
    if (inertiaFromShapes === 'false' || weightless.has(shape)) shape.mass = 0;
  }
  // MuJoCo places the least mass of a body without shapes at the body's own position once more
  const hasWeight = inertiaFromShapes !== 'false' && body.shapes.some((shape) => !weightless.has(shape));
  if (!hasWeight && (compiler.massRules.minimumMass ?? 0) > 0 && (body.position || body.orientation)) {
    const { position, orientation } = getPose(body);
    body.inertia = { kind: 'principal', mass: 0, center: position, orientation, moments: [0, 0, 0] };
  }
}

/** A body whose geoms are all left out still moves: as a ball of 0.1 m, with the mass that they name, or 1 kg. */
function replaceLostMass(body: OpenBody, element: XmlElement, { lostMass, unsupported }: Reading): void {
  const isCarried = body.bodies.some((child) => child.joints.length === 0);
  const isBare = body.shapes.length === 0 && !body.inertia && !isCarried;
  if (!lostMass.has(body) || !isBare || body.joints.length === 0) return;
  const mass = lostMass.get(body) || 1;
  const moment = 0.4 * mass * 0.1 ** 2;
  body.inertia = { kind: 'principal', mass, moments: [moment, moment, moment] };
  const message = `nothing is left that weighs: the body has ${mass} kg and the inertia of a ball of 0.1 m`;
  unsupported.add(element, { affects: 'physics', message });
}

function readFrameElement(element: XmlElement, scope: Scope, reading: Reading): void {
  checkAttributes(element);
  const settings = settingsOf(element);
  const frame = composeFrames(scope.frame, readFrame(settings, reading.compiler));
  const defaults = findClass(element, 'childclass', reading.defaults, scope.defaults);
  const { body } = scope;
  const before = {
    bodies: body.bodies.length,
    shapes: body.shapes.length,
    sites: body.sites.length,
    cameras: body.cameras.length,
    lights: body.lights.length,
    softBodies: body.softBodies.length,
  };
  readChildren(element, { ...scope, frame, defaults }, reading);
  const name = readText(settings, 'name');
  if (name) {
    // remember what stands in the frame, in case it is attached elsewhere
    const content = openBody();
    content.bodies = body.bodies.slice(before.bodies);
    content.shapes = body.shapes.slice(before.shapes);
    content.sites = body.sites.slice(before.sites);
    content.cameras = body.cameras.slice(before.cameras);
    content.lights = body.lights.slice(before.lights);
    content.softBodies = body.softBodies.slice(before.softBodies);
    reading.frames.set(name, content);
  }
}

function checkJointPlace(element: XmlElement, scope: Scope): void {
  if (scope.role === 'body') return;
  const where = scope.role === 'world' ? 'the world' : 'a replicate';
  fail('invalid-joint', element, `${where} cannot have joints`, 'put the joint into a <body>');
}

/** Writes a pose without default values. */
export function setPose(target: Pick<Body, 'position' | 'orientation'>, frame: Frame): void {
  const [x, y, z] = frame.position;
  if (x !== 0 || y !== 0 || z !== 0) target.position = [x, y, z] as Vec3;
  else delete target.position;
  const [w, a, b, c] = frame.orientation;
  if (w !== 1 || a !== 0 || b !== 0 || c !== 0) target.orientation = [w, a, b, c];
  else delete target.orientation;
}

/** The pose of an object of the scene. */
export function getPose(target: Pick<Body, 'position' | 'orientation'>): Frame {
  return { position: target.position ?? [0, 0, 0], orientation: target.orientation ?? [1, 0, 0, 0] };
}
