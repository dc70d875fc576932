/** What a JSON schema says of a value at a place of a document. */

/** The parts of a JSON schema that are used here. */
export interface SchemaNode {
  $ref?: string;
  description?: string;
  type?: string | string[];
  properties?: Record<string, SchemaNode>;
  required?: string[];
  items?: SchemaNode;
  prefixItems?: SchemaNode[];
  enum?: unknown[];
  const?: unknown;
  oneOf?: SchemaNode[];
  anyOf?: SchemaNode[];
  default?: unknown;
  $defs?: Record<string, SchemaNode>;
}

/** A step into a document: the key of a field, or an item of a list; `kind` is what the object it leads into says of itself. */
export interface Step {
  key: string | undefined;
  kind: string | undefined;
}

/** The node at the end of some steps; undefined where the schema does not know the way. */
export function walkSchema(root: SchemaNode, steps: readonly Step[], kind: string | undefined): SchemaNode | undefined {
  let node: SchemaNode | undefined = choose(root, root, kind);
  for (const [i, { key }] of steps.entries()) {
    if (!node) return undefined;
    const below: SchemaNode | undefined = key === undefined ? node.items : node.properties?.[key];
    node = below && choose(root, below, steps[i]!.kind);
  }
  return node;
}

/** Follows references, and takes the member of a union that is meant. */
function choose(root: SchemaNode, node: SchemaNode, kind: string | undefined): SchemaNode {
  let found = node;
  for (let i = 0; found.$ref && i < 20; i++)
    found = { ...root.$defs?.[found.$ref.replace('#/$defs/', '')], ...omit(found) };
  const members = found.oneOf ?? found.anyOf;
  if (!members) return found;
  const resolved = members.map((member) => choose(root, member, undefined));
  const isMeant = ({ properties }: SchemaNode): boolean => properties?.['kind']?.const === kind;
  const meant = kind === undefined ? undefined : resolved.find(isMeant);
  if (meant) return { ...meant, description: meant.description ?? found.description ?? '' };
  // all of them at once: fields of any, and every kind
  const kinds = resolved.flatMap(({ properties }) => properties?.['kind']?.const ?? []);
  const properties = Object.assign({}, ...resolved.map((member) => member.properties ?? {})) as Record<
    string,
    SchemaNode
  >;
  if (kinds.length > 0) properties['kind'] = { enum: kinds, description: 'What it is' };
  return { ...found, properties, enum: resolved.flatMap(listValues) };
}

function omit({ $ref, ...rest }: SchemaNode): SchemaNode {
  return rest;
}

/** Values that a node allows one by one. */
export function listValues(node: SchemaNode): unknown[] {
  if (node.const !== undefined) return [node.const];
  if (node.enum) return node.enum;
  const types = [node.type].flat();
  return types.includes('boolean') ? [true, false] : [];
}
