import { findSceneShape } from '../scene/shape-kinds.ts';
import type { SpatialTendon, Tendon } from '../scene/tendon.ts';
import { DEFAULT_SOLIMP, DEFAULT_SOLREF } from './constraint-defaults.ts';
import { repeat } from './joints.ts';
import { type ModelTendons, STATION } from './model.ts';
import type { SceneIndex } from './scene-index.ts';

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
  for (const source of sources) {
    if (source.kind === 'spatial') addPath(stations, source, index);
    else {
      for (const { joint, coefficient } of source.terms) {
        addStation(stations, STATION.joint, index.number.joint(joint), coefficient);
      }
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

function addPath(stations: Stations, source: SpatialTendon, index: SceneIndex): void {
  for (const station of source.path) {
    switch (station.kind) {
      case 'site':
        addStation(stations, STATION.site, index.number.site(station.site), 0);
        break;
      case 'pulley':
        addStation(stations, STATION.pulley, -1, station.divisor);
        break;
      case 'wrap': {
        const shape = index.number.shape(station.shape);
        const side = station.sideSite === undefined ? -1 : index.number.site(station.sideSite);
        const wrap = findSceneShape(index.shapes[shape].kind)?.wrap ?? 'cylinder';
        addStation(stations, STATION[wrap], shape, side);
      }
    }
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
    stiffnessPowers: new Float64Array(2 * count),
    damping: get((source) => source.damping),
    dampingPowers: new Float64Array(2 * count),
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
    const { springLength, limit, actuatorForceRange, mujoco, stiffnessPowers, dampingPowers } = sources[t];
    if (stiffnessPowers) tendon.stiffnessPowers.set(stiffnessPowers, 2 * t);
    if (dampingPowers) tendon.dampingPowers.set(dampingPowers, 2 * t);
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
