import { type FormulationId, JOINT, type Model, type Scene } from '@nexdyn/engine';
import type { SurfaceRepair } from '@nexdyn/engine/geometry';
import type { UnsupportedItem } from '@nexdyn/formats';

/** What `inspect --json` prints: sizes by the names MuJoCo users know, masses, the tree, unsupported elements. */
export interface SceneFacts {
  name: string;
  file: string;
  /** Length of the position vector. */
  nq: number;
  /** Degrees of freedom. */
  nv: number;
  /** Bodies, the world included. */
  nbody: number;
  njoint: number;
  /** Shapes. */
  ngeom: number;
  nsite: number;
  nmesh: number;
  /** Actuators. */
  nu: number;
  /** Actuators with a separate state. */
  na: number;
  ntendon: number;
  /** Equalities. */
  neq: number;
  nkey: number;
  nmocap: number;
  /** Soft bodies. */
  nsoft: number;
  /** kg. */
  totalMass: number;
  options: { timestep: number; gravity: number[]; integrator: string; formulation: string; disabled: string[] };
  keyframes: string[];
  /** In depth-first order, the world first. */
  bodies: BodyFacts[];
  softBodies: SoftBodyFacts[];
  unsupported: readonly UnsupportedItem[];
}

export interface SoftBodyFacts {
  name: string;
  /** kg. */
  mass: number;
  vertices: number;
  /** Of them, those that are pinned or follow a path. */
  held: number;
  tetrahedra: number;
  /** Of shells. */
  triangles?: number;
  /** Of rods. */
  edges?: number;
  /** What the repair of its surface changed. */
  repair?: SurfaceRepair;
}

export interface BodyFacts {
  name: string;
  /** Number of the parent; -1 for the world. */
  parent: number;
  /** kg. */
  mass: number;
  joints: { name: string; kind: string }[];
  /** Number of shapes. */
  shapes: number;
}

const JOINT_NAMES = Object.fromEntries(Object.entries(JOINT).map(([name, kind]) => [kind, name]));

/** Facts of a model in joint coordinates. */
export function collectFacts(
  model: Model,
  source: {
    file: string;
    scene: Scene;
    unsupported: readonly UnsupportedItem[];
    /** In place of that of the scene. */
    formulation?: FormulationId | undefined;
  },
): SceneFacts {
  const { size, options } = model;
  const softBodies = collectSoftBodies(model);
  return {
    name: model.name,
    file: source.file,
    nq: size.position,
    nv: size.velocity,
    nbody: size.body,
    njoint: size.joint,
    ngeom: size.shape,
    nsite: size.site,
    nmesh: size.mesh,
    nu: size.actuator,
    na: size.activation,
    ntendon: size.tendon,
    neq: size.equality,
    nkey: size.keyframe,
    nmocap: size.mocap,
    nsoft: size.softBody,
    totalMass: softBodies.reduce((sum, { mass }) => sum + mass, model.body.subtreeMass[0] ?? 0),
    options: {
      timestep: options.timestep,
      gravity: [...options.gravity],
      integrator: options.integrator,
      formulation: source.formulation ?? source.scene.options?.formulation ?? options.formulation,
      disabled: [...options.disabled],
    },
    keyframes: [...model.keyframe.name],
    bodies: Array.from({ length: size.body }, (_, body) => collectBody(model, body)),
    softBodies,
    unsupported: source.unsupported,
  };
}

function collectSoftBodies({ soft, size }: Model): SoftBodyFacts[] {
  return Array.from({ length: size.softBody }, (_, index) => {
    const start = soft.vertexStart[index]!;
    const end = start + soft.pointCount[index]!;
    const triangles = soft.triangleStart[index + 1]! - soft.triangleStart[index]!;
    const edges = soft.edgeStart[index + 1]! - soft.edgeStart[index]!;
    return {
      name: soft.name[index] ?? '',
      mass: soft.mass[index]!,
      vertices: end - start,
      held: soft.isHeld.subarray(start, end).reduce((sum, held) => sum + held, 0),
      tetrahedra: soft.tetrahedronStart[index + 1]! - soft.tetrahedronStart[index]!,
      ...(soft.repair[index] && { repair: soft.repair[index] }),
      ...(soft.dimension[index] === 2 && { triangles }),
      ...(soft.dimension[index] === 1 && { edges }),
    };
  });
}

function collectBody({ body, joint }: Model, index: number): BodyFacts {
  const start = body.jointStart[index] ?? 0;
  const joints = Array.from({ length: body.jointCount[index] ?? 0 }, (_, offset) => ({
    name: joint.name[start + offset] ?? '',
    kind: JOINT_NAMES[joint.kind[start + offset] ?? 0] ?? '',
  }));
  return {
    name: body.name[index] ?? '',
    parent: index === 0 ? -1 : (body.parent[index] ?? 0),
    mass: body.mass[index] ?? 0,
    joints,
    shapes: body.shapeCount[index] ?? 0,
  };
}
