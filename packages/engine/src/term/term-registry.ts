/** Kinds of terms that scenes may ask for. Those of built-in-kinds.ts are known with '@nexdyn/engine/terms', your own from `registerTerm` on. */
import { NexdynError } from '../error.ts';
import type { Model } from '../model/model.ts';
import { placeBelow } from '../scene/place.ts';
import type { SchemaNode } from '../scene/schema.ts';
import { checkSchema } from '../scene/schema-check.ts';
import { suggestRegistered } from '../scene/spelling.ts';
import type { SceneTerm } from '../scene/term.ts';
import type { Term } from './term.ts';

/** A kind of term. */
export interface TermKind {
  /** What scenes call it. */
  readonly kind: string;
  /** Structure of its parameters, `kind`, `name` and `weight` included; without one `create` checks them. */
  readonly schema?: SchemaNode;
  /** Makes a term of the parameters, which are the entry of the scene with a name filled in. */
  create(model: Model, parameters: SceneTerm & { name: string }): Term;
}

const kinds = /* @__PURE__ */ new Map<string, TermKind>();

/** From now on scenes may ask for this kind of term. A kind of the same name is replaced. */
export function registerTerm(kind: TermKind): void {
  kinds.set(kind.kind, kind);
}

/** Names of the terms of a scene: what it calls them, or their kind, numbered where there are several. */
export function nameSceneTerms(terms: readonly SceneTerm[]): string[] {
  return terms.map(({ kind, name }, i) => {
    if (name !== undefined) return name;
    const alike = terms.map((term) => term.kind === kind);
    const number = alike.slice(0, i + 1).filter(Boolean).length;
    return alike.filter(Boolean).length > 1 ? `${kind} ${number}` : kind;
  });
}

/** The terms that a scene asks for. */
export function createSceneTerms(model: Model, terms: readonly SceneTerm[]): Term[] {
  const names = nameSceneTerms(terms);
  return terms.map((entry, i) => {
    const place = placeBelow(undefined, 'terms', i);
    const found = kinds.get(entry.kind);
    if (!found) {
      throw new NexdynError('unknown-reference', `there is no kind of term '${entry.kind}'`, {
        path: `terms[${i}].kind`,
        hint: suggestRegistered(entry.kind, kinds.keys(), 'there are', 'registerTerm'),
      });
    }
    if (found.schema) checkSchema(found.schema, entry, place);
    try {
      return found.create(model, { ...entry, name: names[i] });
    } catch (error) {
      throw error instanceof NexdynError ? placeError(error, i) : error;
    }
  });
}

// a fault in the parameters, with the path of the term before its own
function placeError(error: NexdynError, i: number): NexdynError {
  if (error.path?.startsWith(`terms[${i}]`)) return error;
  const path = error.path ? `terms[${i}].${error.path}` : `terms[${i}]`;
  return new NexdynError(error.code, error.reason, { path, ...(error.hint !== undefined && { hint: error.hint }) });
}
