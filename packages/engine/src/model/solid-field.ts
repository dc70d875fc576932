/** Fields that a few numbers of the scene describe, drawn and weighed by their distance alone: bowls, bolts, nuts and gears. */
import type { MassProperties } from '../geometry/mass-properties.ts';
import { triangleMass } from '../geometry/mesh-mass.ts';
import type { SignedDistanceField } from '../geometry/signed-distance/field.ts';
import type { TracedSurface } from '../geometry/signed-distance/trace-surface.ts';
import type { SignedDistanceAsset, SolidFieldAsset } from '../scene/asset.ts';
import { FIELD_BUILDERS } from './field-builders.ts';

export function isSolidField(source: SignedDistanceAsset): source is SolidFieldAsset {
  const { kind } = source;
  return kind === 'bowl' || kind === 'bolt' || kind === 'nut' || kind === 'gear';
}

const known = /* @__PURE__ */ new Map<string, SignedDistanceField>();
/** Fields that are kept; a scene has few. */
const MOST_KNOWN = 64;

/** The field of an asset; those of equal numbers are one, so that it is weighed and drawn once. */
export function findSolidField(source: SolidFieldAsset, path: string): SignedDistanceField {
  const { name, ...numbers } = source;
  const key = JSON.stringify(numbers, Object.keys(numbers).sort());
  let field = known.get(key);
  if (!field) {
    field = createField(source, `signed-distance field '${name}'`, path);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, field);
  }
  return field;
}

function createField(source: SolidFieldAsset, subject: string, path: string): SignedDistanceField {
  const { createBowlField, createBoltField, createNutField, createGearField } = FIELD_BUILDERS.require();
  switch (source.kind) {
    case 'bowl':
      return createBowlField(source.radius, source.height, source.halfThickness, subject, { path });
    case 'bolt':
      return createBoltField(source.radius, subject, { path });
    case 'nut':
      return createNutField(source.radius, subject, { path });
    case 'gear':
      return createGearField(source, subject, { path });
  }
}

const weighed = /* @__PURE__ */ new WeakMap<SignedDistanceField, MassProperties>();

/** Mass properties at density one, of the solid or of its surface. */
export function solidFieldMass(source: SolidFieldAsset, path: string, isShell: boolean): MassProperties {
  const field = findSolidField(source, path);
  if (isShell) {
    const { vertices, triangles } = traceSolidField(source, path);
    return triangleMass(vertices, triangles, 'shell');
  }
  let mass = weighed.get(field);
  if (!mass) {
    mass = FIELD_BUILDERS.require().integrateField(field);
    weighed.set(field, mass);
  }
  return mass;
}

/** Triangles of its surface. */
export function traceSolidField(source: SolidFieldAsset, path: string): TracedSurface {
  const subject = `signed-distance field '${source.name}'`;
  // a wall may be too thin for the tracer
  if (source.kind === 'bowl')
    return FIELD_BUILDERS.require().triangulateBowl(source.radius, source.height, source.halfThickness);
  return FIELD_BUILDERS.require().traceSurface(findSolidField(source, path), subject, { path });
}
