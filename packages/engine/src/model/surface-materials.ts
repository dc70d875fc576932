/**
 * Compiles the materials of all surfaces, one record per distinct material, and copies the explicit pairs and `contactOverride`
 * of the scene, so that a scene changed after compiling changes nothing. collision/pair-material.ts mixes two records.
 */
import type { Material } from '../scene/material.ts';
import type { Scene } from '../scene/scene.ts';
import { DEFAULT_SOLIMP, DEFAULT_SOLREF } from './constraint-defaults.ts';
import { frozenCopy } from './frozen-copy.ts';
import type { ModelShapes, ModelSoftBodies } from './model.ts';
import { MATERIAL, type ModelSurfaces } from './model-surfaces.ts';

/** The defaults of shapes: soft bodies have no such fields. */
const SOFT_CONDIM = 3;
const SOFT_SOLMIX = 1;

export function compileSurfaces(scene: Scene, shape: ModelShapes, soft: ModelSoftBodies): ModelSurfaces {
  return {
    ...compileRecords(scene, shape, soft),
    explicit: frozenCopy(scene.contactPairs ?? []),
    override: frozenCopy(scene.options?.contactOverride),
  };
}

/** The distinct materials of all surfaces, and which of them each surface has. */
export function compileRecords(
  { materials }: Scene,
  shape: ModelShapes,
  soft: ModelSoftBodies,
): Pick<ModelSurfaces, 'number' | 'record'> {
  const shapes = shape.kind.length;
  const count = shapes + soft.name.length;
  const table = new RecordTable(count);
  const number = new Int32Array(count);
  const record = new Float64Array(MATERIAL.stride);
  for (let c = 0; c < count; c++) {
    if (c < shapes) writeShape(record, shape, c, materials?.[shape.material[c]]);
    else writeSoftBody(record, soft, c - shapes);
    // margins are not part of the record, but contacts of one number share them
    const margin = c < shapes ? shape.margin[c] : soft.margin[c - shapes];
    number[c] = table.add(record, margin, c < shapes ? shape.gap[c] : 0);
  }
  return { number, record: table.records.slice(0, MATERIAL.stride * table.count) };
}

/** Distinct records, numbered in the order in which they come; equal ones are found by a hash of their numbers. */
class RecordTable {
  count = 0;
  readonly records: Float64Array;
  readonly #margins: Float64Array;
  readonly #byHash = new Map<number, number[]>();

  constructor(most: number) {
    this.records = new Float64Array(MATERIAL.stride * most);
    this.#margins = new Float64Array(2 * most);
  }

  /** The number of a record with its margin and gap. */
  add(record: Float64Array, margin: number, gap: number): number {
    const margins = this.#margins;
    let hash = margin + 3 * gap;
    for (let k = 0; k < MATERIAL.stride; k++) hash = 1.37 * hash + record[k];
    const alike = this.#byHash.get(hash);
    const found = alike?.find((n) => margins[2 * n] === margin && margins[2 * n + 1] === gap && this.#has(n, record));
    if (found !== undefined) return found;
    if (alike) alike.push(this.count);
    else this.#byHash.set(hash, [this.count]);
    margins[2 * this.count] = margin;
    margins[2 * this.count + 1] = gap;
    this.records.set(record, MATERIAL.stride * this.count);
    return this.count++;
  }

  #has(n: number, record: Float64Array): boolean {
    for (let k = 0; k < MATERIAL.stride; k++) if (this.records[MATERIAL.stride * n + k] !== record[k]) return false;
    return true;
  }
}

function writeShape(out: Float64Array, shape: ModelShapes, s: number, material: Material | undefined): void {
  for (let k = 0; k < 3; k++) out[MATERIAL.friction + k] = shape.friction[3 * s + k];
  for (let k = 0; k < 2; k++) out[MATERIAL.solref + k] = shape.solref[2 * s + k];
  for (let k = 0; k < 5; k++) out[MATERIAL.solimp + k] = shape.solimp[5 * s + k];
  out[MATERIAL.condim] = shape.condim[s];
  out[MATERIAL.priority] = shape.priority[s];
  out[MATERIAL.solmix] = shape.solmix[s];
  out[MATERIAL.adhesion] = shape.adhesion[s];
  out[MATERIAL.stiffness] = material?.stiffness ?? 0;
  out[MATERIAL.dissipation] = material?.dissipation ?? -1;
  out[MATERIAL.restitution] = material?.restitution ?? 0;
}

function writeSoftBody(out: Float64Array, soft: ModelSoftBodies, n: number): void {
  out.fill(0);
  out.set(soft.friction.subarray(3 * n, 3 * n + 3), MATERIAL.friction);
  out.set(DEFAULT_SOLREF, MATERIAL.solref);
  out.set(DEFAULT_SOLIMP, MATERIAL.solimp);
  out[MATERIAL.condim] = SOFT_CONDIM;
  out[MATERIAL.priority] = soft.priority[n];
  out[MATERIAL.solmix] = SOFT_SOLMIX;
  out[MATERIAL.stiffness] = soft.stiffness[n];
  out[MATERIAL.dissipation] = soft.dissipation[n];
  out[MATERIAL.restitution] = soft.restitution[n];
}
