import { NexdynError } from '../../error.ts';
import type { Actuator, Transmission } from '../actuator.ts';
import { formatPath, type Place, placeBelow } from '../place.ts';
import type { Scene } from '../scene.ts';
import { findSceneShape } from '../shape-kinds.ts';
import type { SpatialTendon, TendonStation } from '../tendon.ts';
import { requireScalarJoint } from './couplings.ts';
import type { SceneNames } from './names.ts';

/** Checks tendons and actuators: what they name, and paths and gears that make sense. */
export function checkDrives(scene: Scene, names: SceneNames): void {
  scene.tendons?.forEach((tendon, i) => {
    const place = placeBelow(undefined, 'tendons', i);
    if (tendon.kind === 'spatial') checkPath(tendon, place, names);
    else {
      tendon.terms.forEach((term, k) => {
        requireScalarJoint(term.joint, placeBelow(place, 'terms', k, 'joint'), names);
      });
    }
  });
  scene.actuators?.forEach((actuator, i) => {
    checkActuator(actuator, placeBelow(undefined, 'actuators', i), names);
  });
}

function checkPath(tendon: SpatialTendon, place: Place, names: SceneNames): void {
  const { path } = tendon;
  path.forEach((station, k) => {
    const at = placeBelow(place, 'path', k);
    checkStation(station, at, names);
    checkNeighbours(path, k, at);
  });
  const wraps = path.some((station) => station.kind === 'wrap');
  if (tendon.armature && wraps) {
    const at = placeBelow(place, 'armature');
    throw new NexdynError('invalid-value', 'a tendon that wraps around shapes has no armature', {
      path: formatPath(at),
      hint: 'leave armature out, or let the tendon run through sites alone',
    });
  }
}

function checkStation(station: TendonStation, place: Place, names: SceneNames): void {
  if (station.kind === 'site') names.site.require(station.site, placeBelow(place, 'site'));
  if (station.kind !== 'wrap') return;
  const { kind } = names.shape.find(station.shape, placeBelow(place, 'shape'));
  names.site.require(station.sideSite, placeBelow(place, 'sideSite'));
  if (findSceneShape(kind)?.wrap) return;
  const reason = `a tendon wraps around spheres and cylinders, but '${station.shape}' is a ${kind}`;
  const hint = 'name a sphere or a cylinder';
  throw new NexdynError('invalid-value', reason, { path: formatPath(placeBelow(place, 'shape')), hint });
}

/** Every branch between pulleys runs from site to site, and a wrapped shape stands between two sites. */
function checkNeighbours(path: TendonStation[], k: number, place: Place): void {
  const station = path[k];
  const before = path[k - 1]?.kind ?? 'end';
  const after = path[k + 1]?.kind ?? 'end';
  const isBranchEnd = (kind: string) => kind === 'end' || kind === 'pulley';
  const previous = path[k - 1];
  if (station.kind === 'wrap' && (before !== 'site' || after !== 'site')) {
    failPath('a wrapped shape must stand between two sites', place);
  }
  if (station.kind === 'pulley' && isBranchEnd(after)) failPath('a pulley must be followed by a branch', place);
  if (station.kind === 'site' && isBranchEnd(before) && isBranchEnd(after)) {
    failPath('a branch needs at least two sites', place);
  }
  if (station.kind === 'site' && previous?.kind === 'site' && previous.site === station.site) {
    failPath(`the site '${station.site}' stands twice in a row`, place);
  }
}

function checkActuator(actuator: Actuator, place: Place, names: SceneNames): void {
  checkTransmission(actuator.transmission, placeBelow(place, 'transmission'), names);
  if (actuator.kind === 'muscle' && !actuator.lengthRange) checkMuscle(actuator, place, names);
  if (actuator.kind === 'dcMotor' && actuator.currentRate && !actuator.inductance) {
    const path = formatPath(placeBelow(place, 'currentRate'));
    const hint = 'give inductance as well, or remove currentRate';
    throw new NexdynError('invalid-value', 'without inductance nothing limits how fast the current changes', {
      path,
      hint,
    });
  }
  const damping = actuator.kind === 'general' ? actuator.bias?.[2] : 'damping' in actuator && actuator.damping;
  if (damping && 'dampingRatio' in actuator && actuator.dampingRatio) {
    const path = formatPath(placeBelow(place, 'dampingRatio'));
    const hint = 'remove one of the two';
    throw new NexdynError('invalid-value', 'damping and dampingRatio exclude each other', { path, hint });
  }
}

/** Without lengths of its own, a muscle needs limits of what it drives. */
function checkMuscle({ transmission }: Actuator, place: Place, names: SceneNames): void {
  const driven =
    transmission.kind === 'joint'
      ? names.joint.get(transmission.joint)
      : transmission.kind === 'tendon'
        ? names.tendon.get(transmission.tendon)
        : undefined;
  if (driven && 'limit' in driven.item && driven.item.limit) return;
  throw new NexdynError('missing-value', 'a muscle needs to know between which lengths it works', {
    path: formatPath(place),
    hint: 'give lengthRange, or a limit to the joint or tendon that it drives',
  });
}

function checkTransmission(transmission: Transmission, place: Place, names: SceneNames): void {
  let width = 1;
  if (transmission.kind === 'joint') {
    const { kind } = names.joint.find(transmission.joint, placeBelow(place, 'joint'));
    width = { free: 6, ball: 3, hinge: 1, slide: 1 }[kind];
  } else if (transmission.kind === 'tendon') {
    names.tendon.require(transmission.tendon, placeBelow(place, 'tendon'));
  } else if (transmission.kind === 'body') {
    names.body.require(transmission.body, placeBelow(place, 'body'));
    width = 6;
  } else if (transmission.kind === 'crank') {
    names.site.require(transmission.crankSite, placeBelow(place, 'crankSite'));
    names.site.require(transmission.sliderSite, placeBelow(place, 'sliderSite'));
  } else {
    names.site.require(transmission.site, placeBelow(place, 'site'));
    names.site.require(transmission.referenceSite, placeBelow(place, 'referenceSite'));
    width = 6;
  }
  // numbers beyond the degrees of freedom would have no effect
  const extra = (transmission.gear ?? []).findIndex((gear, i) => i >= width && gear !== 0);
  if (extra < 0) return;
  const reason = `this gear has ${width === 1 ? 'one number' : `${width} numbers`}; what follows must be 0`;
  const hint = 'a gear has a number for each degree of freedom';
  throw new NexdynError('invalid-value', reason, { path: formatPath(placeBelow(place, 'gear', extra)), hint });
}

function failPath(reason: string, place: Place): never {
  const hint = 'each branch of a spatial tendon begins and ends at a site';
  throw new NexdynError('invalid-value', reason, { path: formatPath(place), hint });
}
