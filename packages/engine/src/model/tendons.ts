import { NexdynError } from '../error.ts';
import type { SpatialTendon, Tendon } from '../scene/tendon.ts';
import { DEFAULT_SOLIMP, DEFAULT_SOLREF } from './constraint-defaults.ts';
import { repeat } from './joints.ts';
import { type ModelTendons, STATION } from './model.ts';
import { quoteName, type SceneIndex } from './scene-index.ts';

/** Station lists of all tendons, one after another. */
interface Stations {
  kind: number[];
  object: number[];
  parameter: number[];
}

/** The tendons of a scene. Spring lengths that the scene leaves out are NaN until `fillTendonRestLengths`. */
export function compileTendons(index: SceneIndex): ModelTendons {
  const sources = index.scene.tendons ?? [];
  const stations: Stations = { kind: [], object: [], parameter: [] };
  const starts: number[] = [0];
  for (let t = 0; t < sources.length; t++) {
    const source = sources[t];
    const path = `tendons[${t}]`;
    if (source.kind === 'fixed') {
      for (let i = 0; i < source.terms.length; i++) {
        const joint = index.number.joint(source.terms[i].joint, () => `${path}.terms[${i}].joint`);
        const { kind } = index.joints[joint];
        if (kind !== 'hinge' && kind !== 'slide') {
          throw new NexdynError('invalid-value', `tendon${quoteName(source.name)} pulls a ${kind} joint`, {
            path: `${path}.terms[${i}].joint`,
            hint: 'a fixed tendon adds up positions of hinge and slide joints',
          });
        }
        addStation(stations, STATION.joint, joint, source.terms[i].coefficient);
      }
    } else {
      addPath(stations, source, index, `${path}.path`);
    }
    starts.push(stations.kind.length);
  }
  return writeTendons(sources, starts, stations);
}

function addStation(stations: Stations, kind: number, object: number, parameter: number): void {
  stations.kind.push(kind);
  stations.object.push(object);
  stations.parameter.push(parameter);
}

function addPath(stations: Stations, source: SpatialTendon, index: SceneIndex, path: string): void {
  checkPath(source, path);
  for (let i = 0; i < source.path.length; i++) {
    const station = source.path[i];
    const at = `${path}[${i}]`;
    switch (station.kind) {
      case 'site':
        addStation(
          stations,
          STATION.site,
          index.number.site(station.site, () => `${at}.site`),
          0,
        );
        break;
      case 'pulley':
        addStation(stations, STATION.pulley, -1, station.divisor);
        break;
      case 'wrap': {
        const shape = index.number.shape(station.shape, () => `${at}.shape`);
        const { kind } = index.shapes[shape];
        if (kind !== 'sphere' && kind !== 'cylinder') {
          throw new NexdynError('invalid-value', `tendon${quoteName(source.name)} wraps around a ${kind}`, {
            path: `${at}.shape`,
            hint: 'tendons wrap around spheres and cylinders',
          });
        }
        const { sideSite } = station;
        const side = sideSite === undefined ? -1 : index.number.site(sideSite, () => `${at}.sideSite`);
        addStation(stations, STATION[kind], shape, side);
      }
    }
  }
}

// every branch is at least two stations long, begins and ends at a site, and has sites on both sides of a shape
function checkPath(source: SpatialTendon, path: string): void {
  const fail = (i: number, reason: string): never => {
    throw new NexdynError('invalid-value', `tendon${quoteName(source.name)}: ${reason}`, {
      path: source.path.length > 0 ? `${path}[${i}]` : path,
      hint: 'each branch of a path runs from site to site, with a site before and after every shape',
    });
  };
  const { length } = source.path;
  const kindAt = (i: number) => source.path[i]?.kind ?? 'pulley';
  if (length < 2) fail(0, 'a path has at least two stations');
  if (kindAt(length - 1) === 'pulley') fail(length - 1, 'the path ends at a pulley');
  for (let i = 0; i < length; i++) {
    const kind = kindAt(i);
    const before = kindAt(i - 1);
    const after = kindAt(i + 1);
    if (kind === 'wrap' && !(before === 'site' && after === 'site')) fail(i, 'a shape is not between two sites');
    if (kind === 'site' && before === 'pulley' && after === 'pulley') fail(i, 'a site is alone in its branch');
    if (kind === 'pulley' && after === 'pulley') fail(i, 'a branch is empty');
  }
}

function writeTendons(sources: readonly Tendon[], starts: readonly number[], stations: Stations): ModelTendons {
  const count = sources.length;
  const get = (read: (source: Tendon) => number | undefined) =>
    Float64Array.from(sources, (source) => read(source) ?? 0);
  const tendon: ModelTendons = {
    name: sources.map((source) => source.name ?? ''),
    stationStart: Int32Array.from(starts.slice(0, count)),
    stationCount: Int32Array.from(sources, (_, t) => starts[t + 1] - starts[t]),
    stationKind: Uint8Array.from(stations.kind),
    stationObject: Int32Array.from(stations.object),
    stationParameter: Float64Array.from(stations.parameter),
    stiffness: get((source) => source.stiffness),
    damping: get((source) => source.damping),
    armature: get((source) => source.armature),
    frictionLoss: get((source) => source.frictionLoss),
    springLength: new Float64Array(2 * count).fill(Number.NaN),
    limited: Uint8Array.from(sources, (source) => (source.limit ? 1 : 0)),
    range: new Float64Array(2 * count),
    margin: get((source) => source.limit?.margin),
    solrefLimit: repeat(DEFAULT_SOLREF, count),
    solimpLimit: repeat(DEFAULT_SOLIMP, count),
    solrefFriction: repeat(DEFAULT_SOLREF, count),
    solimpFriction: repeat(DEFAULT_SOLIMP, count),
    actuatorForceLimited: Uint8Array.from(sources, (source) => (source.actuatorForceRange ? 1 : 0)),
    actuatorForceRange: new Float64Array(2 * count),
  };
  for (let t = 0; t < count; t++) {
    const { springLength, limit, actuatorForceRange, mujoco } = sources[t];
    if (springLength) tendon.springLength.set(springLength, 2 * t);
    if (limit) tendon.range.set(limit.range, 2 * t);
    if (actuatorForceRange) tendon.actuatorForceRange.set(actuatorForceRange, 2 * t);
    if (mujoco?.solrefLimit) tendon.solrefLimit.set(mujoco.solrefLimit, 2 * t);
    if (mujoco?.solimpLimit) tendon.solimpLimit.set(mujoco.solimpLimit, 5 * t);
    if (mujoco?.solrefFriction) tendon.solrefFriction.set(mujoco.solrefFriction, 2 * t);
    if (mujoco?.solimpFriction) tendon.solimpFriction.set(mujoco.solimpFriction, 5 * t);
  }
  return tendon;
}
