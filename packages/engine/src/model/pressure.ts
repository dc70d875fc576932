/** Pressure fields of hydroelastic shapes, and rigid surfaces of the shapes they may touch; built once, shared by equal shapes. */
import { NexdynError } from '../error.ts';
import {
  buildCompliantGeometry,
  buildRigidGeometry,
  type PressureGeometry,
  type UnplacedShape,
} from '../geometry/pressure-field/pressure-geometry.ts';
import { buildSoftField, type SoftField } from '../geometry/pressure-field/soft-field.ts';
import { SHAPE_TABLE } from '../geometry/shapes/shape-table.ts';
import { findFormulation } from '../scene/formulation-table.ts';
import type { ContactKinds } from '../scene/options.ts';
import { type CollisionGeometry, listTouching, selectShapeData } from './collision-geometry.ts';
import { NO_PRESSURE } from './compliance.ts';
import {
  type ModelOptions,
  type ModelPressure,
  type ModelShapes,
  type ModelSoftBodies,
  SOFT_CONTACT,
} from './model.ts';
import { bodyPath, quoteName, type SceneIndex } from './scene-index.ts';

/** Pressure at the deepest point where neither shape nor material says, Pa. */
const MODULUS = 1e7;
/** Depth at which the pressure of a plane is the modulus where the scene does not say, m. */
const THICKNESS = 0.1;
/** Least margin where the scene gives none, m. */
const LEAST_MARGIN = 1e-4;

export function compilePressure(
  index: SceneIndex,
  options: ModelOptions,
  shape: ModelShapes,
  geometry: CollisionGeometry,
  soft: ModelSoftBodies,
): ModelPressure {
  const { scene, shapes } = index;
  const { resolves } = findFormulation(options.formulation);
  if (!resolves.pressureFields) return NO_PRESSURE;
  const kinds = scene.options?.contactKinds ?? {};
  const touching = listTouching(scene, shape);
  const isCompliant = shapes.map((_, s) => touching[s] && needsField(shape, s, kinds));
  const isSoftCompliant = soft.name.map(
    (_, n) => resolves.softBodies && needsSoftField(soft, n, kinds, touching.includes(true)),
  );
  if (!isCompliant.includes(true) && !isSoftCompliant.includes(true)) return NO_PRESSURE;
  const share = new Map<string, PressureGeometry>();
  const describe = (s: number): UnplacedShape => describeShape(shape, geometry, s);
  return {
    isActive: true,
    compliant: shapes.map((_, s) =>
      isCompliant[s] ? buildShared(share, { index, shape, options }, s, describe(s)) : undefined,
    ),
    rigid: shapes.map((source, s) => {
      if (!touching[s] || shape.contact[s] === SOFT_CONTACT.hydroelastic) return undefined;
      const key = ['rigid', keyOf(shape, s), source.hydroelastic?.resolution].join();
      if (!share.has(key)) {
        const resolution = source.hydroelastic?.resolution;
        share.set(
          key,
          placeErrors(index, s, () => buildRigidGeometry(describe(s), resolution)),
        );
      }
      return share.get(key);
    }),
    soft: soft.name.map((_, n) => (isSoftCompliant[n] ? buildSoft(index, options, soft, n) : undefined)),
  };
}

// errors of geometry that knows no scene get their place in it
function placeErrors<T>(index: SceneIndex, s: number, build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof NexdynError) || error.path !== undefined) throw error;
    const { code, reason, hint } = error;
    const isResolution = code === 'too-large' && index.shapes[s].hydroelastic?.resolution !== undefined;
    const path = `${shapePath(index, s)}${isResolution ? '.hydroelastic.resolution' : ''}`;
    throw new NexdynError(code, reason, { path, ...(hint !== undefined && { hint }) });
  }
}

// floors have a field where they say so themselves; other shapes also where a kind of pairs asks for it
function needsField({ contact, kind }: ModelShapes, s: number, kinds: ContactKinds): boolean {
  if (contact[s] === SOFT_CONTACT.hydroelastic) return true;
  if (SHAPE_TABLE[kind[s]].isGround) return false;
  return kinds.rigidFloor === 'hydroelastic' || kinds.rigidRigid === 'hydroelastic';
}

function needsSoftField(
  { dimension, contact, groups, mask, name, touchesItself }: ModelSoftBodies,
  n: number,
  kinds: ContactKinds,
  hasShapes: boolean,
): boolean {
  if (dimension[n] < 3 || (groups[n] === 0 && mask[n] === 0)) return false;
  if (!hasShapes && name.length === 1 && touchesItself[n] === 0) return false;
  if (contact[n] === SOFT_CONTACT.hydroelastic) return true;
  return [kinds.softFloor, kinds.softRigid, kinds.softSoft].includes('hydroelastic');
}

function describeShape(shape: ModelShapes, geometry: CollisionGeometry, s: number): UnplacedShape {
  const kind = shape.kind[s];
  const asset = shape.asset[s];
  return {
    kind,
    size: shape.size.slice(3 * s, 3 * s + 3),
    ...selectShapeData(geometry, kind, asset),
  };
}

function keyOf(shape: ModelShapes, s: number): string {
  return [shape.kind[s], shape.asset[s], ...shape.size.subarray(3 * s, 3 * s + 3)].join();
}

function buildShared(
  share: Map<string, PressureGeometry>,
  { index, shape, options }: { index: SceneIndex; shape: ModelShapes; options: ModelOptions },
  s: number,
  unplaced: UnplacedShape,
): PressureGeometry {
  const source = index.shapes[s];
  const field = source.hydroelastic ?? {};
  const material = index.scene.materials?.[shape.material[s]];
  const compliant = {
    modulus: field.modulus ?? material?.hydroelasticModulus ?? MODULUS,
    resolution: field.resolution,
    thickness: field.thickness ?? THICKNESS,
    margin: field.margin ?? chooseMargin(options),
  };
  const key = [keyOf(shape, s), ...Object.values(compliant)].join();
  const known = share.get(key);
  if (known) return known;
  const subject = `the ${source.kind}${quoteName(source.name)}`;
  if (field.thickness !== undefined && !SHAPE_TABLE[shape.kind[s]].isEndless) {
    throw new NexdynError('invalid-value', `${subject} has a thickness: only planes have one`, {
      path: `${shapePath(index, s)}.hydroelastic.thickness`,
      hint: 'the pressure of a solid is the modulus at its deepest point',
    });
  }
  const built = placeErrors(index, s, () => buildCompliantGeometry(unplaced, compliant, subject));
  share.set(key, built);
  return built;
}

// what free fall gains in a step: how far the corners of a body that wobbles rise from a plane
function chooseMargin({ timestep, gravity }: ModelOptions): number {
  const fall = timestep * timestep * Math.sqrt(gravity[0] ** 2 + gravity[1] ** 2 + gravity[2] ** 2);
  return Math.max(LEAST_MARGIN, fall);
}

function shapePath(index: SceneIndex, s: number): string {
  const body = index.shapeBody[s];
  const place = index.shapes.slice(0, s).filter((_, k) => index.shapeBody[k] === body).length;
  const above = bodyPath(index, body);
  return `${above === '' ? '' : `${above}.`}shapes[${place}]`;
}

function buildSoft({ scene }: SceneIndex, options: ModelOptions, soft: ModelSoftBodies, n: number): SoftField {
  const source = scene.softBodies![n];
  const material = scene.materials?.find(({ name }) => name === source.material);
  const first = soft.vertexStart[n];
  const mesh = {
    vertices: soft.rest.slice(3 * first, 3 * soft.vertexStart[n + 1]),
    tetrahedra: soft.tetrahedron
      .slice(4 * soft.tetrahedronStart[n], 4 * soft.tetrahedronStart[n + 1])
      .map((v) => v - first),
  };
  const modulus = source.elasticity.hydroelasticModulus ?? material?.hydroelasticModulus ?? MODULUS;
  const margin = source.margin ?? chooseMargin(options);
  return buildSoftField(mesh, modulus, margin, `the soft body${quoteName(source.name)}`, {
    path: `softBodies[${n}].mesh`,
  });
}
