// The page of the scene: every field of the schema with its type, meaning and default. The words are the comments of the interfaces.

/** Headings of the page and the definitions under each; one that is named nowhere is an error. */
const CHAPTERS = [
  ['Top level', ['Scene']],
  [
    'Options',
    [
      'SceneOptions',
      'MujocoOptions',
      'SapOptions',
      'CcpOptions',
      'IpcOptions',
      'PenaltyOptions',
      'Medium',
      'SleepOptions',
      'ContactKinds',
      'ContactOverride',
      'MassRules',
    ],
  ],
  ['Bodies and joints', ['Body', 'Inertia', 'Joint', 'JointLimit', 'JointMujocoParameters', 'Site']],
  ['Shapes and materials', ['Shape', 'Material', 'HydroelasticField', 'MujocoContactParameters']],
  ['Meshes and fields', ['MeshAsset', 'HeightFieldAsset', 'SignedDistanceAsset']],
  ['Pictures', ['Camera', 'Light', 'Appearance', 'Texture', 'CubeSides', 'Skin', 'SkinBone', 'SceneView', 'Headlight']],
  [
    'Soft bodies',
    [
      'SoftBody',
      'SoftBodyMesh',
      'Elasticity',
      'FiberElasticity',
      'Plasticity',
      'OrthotropicElasticity',
      'DrivenVertices',
      'SoftAttachment',
      'SoftSpring',
      'SoftRegion',
      'SoftRegionBox',
    ],
  ],
  ['Constraints', ['Equality', 'Tendon', 'TendonStation']],
  [
    'Actuators',
    ['Actuator', 'Transmission', 'ActivationDynamics', 'MotorController', 'Cogging', 'BristleFriction', 'WindingHeat'],
  ],
  ['Sensors', ['Sensor', 'SensorObject']],
  ['Energy terms', ['SceneTerm']],
  ['Contact pairs', ['ContactPair', 'ContactExclude']],
  ['Stored states', ['Keyframe']],
  [
    'Lessons',
    ['Lesson', 'LessonSlider', 'LessonTarget', 'LessonQuestion', 'LessonMeasure', 'LessonClosedForm', 'LessonCheck'],
  ],
];

const INTRODUCTION = `# The scene, field by field

A scene is plain JSON, whether it comes from a file, from the builder or from MJCF and URDF. All numbers are SI: metres, kilograms, seconds, newtons, pascals, radians. Quaternions are w x y z; z points up.
Unknown fields are errors. The smallest scene in which something moves:

\`\`\`json
{
  "$schema": "../docs/schema/scene.schema.json",
  "format": "nexdyn-scene",
  "version": 1,
  "shapes": [{ "kind": "plane" }],
  "bodies": [
    {
      "name": "ball",
      "position": [0, 0, 1],
      "joints": [{ "kind": "free" }],
      "shapes": [{ "kind": "sphere", "radius": 0.1 }]
    }
  ]
}
\`\`\`

Fields may be left out unless they are marked **required**. Things refer to each other by name. The tables are those of the [schema](schema/scene.schema.json), which editors read through \`$schema\`;
[the guide](guide.md) builds scenes in TypeScript, and [formats](formats.md) says what the elements of MJCF and URDF become.
`;

/** The page as Markdown. */
export function formatScenePage(schema) {
  const page = new ScenePage(schema.$defs);
  return page.format();
}

class ScenePage {
  #definitions;
  /** Where a definition stands: its own heading, or that of the union it belongs to. */
  #homes = new Map();

  constructor(definitions) {
    this.#definitions = definitions;
    for (const name of CHAPTERS.flatMap(([, names]) => names)) {
      this.#homes.set(name, name);
      for (const variant of this.#listVariants(name)) this.#homes.set(variant, name);
    }
    const lost = Object.keys(definitions).filter((name) => !this.#homes.has(name));
    if (lost.length > 0) throw new Error(`no place on the page of the scene for ${lost.join(', ')}`);
  }

  format() {
    const chapters = CHAPTERS.map(
      ([title, names]) => `## ${title}\n\n${names.map((name) => this.#formatDefinition(name)).join('\n')}`,
    );
    return `${INTRODUCTION}\n${chapters.join('\n')}`;
  }

  #listVariants(name) {
    return (this.#definitions[name].oneOf ?? []).map(({ $ref }) => nameOf($ref));
  }

  #formatDefinition(name) {
    const definition = this.#definitions[name];
    const variants = this.#listVariants(name);
    const text = `### ${name}\n\n${escapeBars(definition.description)}\n\n`;
    if (variants.length === 0) return text + this.#formatFields(definition, Object.keys(definition.properties));
    // what all variants have in the same words stands once
    const [first, ...others] = variants.map((variant) => this.#definitions[variant]);
    const shared = Object.keys(first.properties).filter(
      (key) =>
        key !== 'kind' &&
        others.every((other) => JSON.stringify(other.properties[key]) === JSON.stringify(first.properties[key])),
    );
    const own = variants.map((variant) => {
      const { description, properties, required = [] } = this.#definitions[variant];
      const keys = Object.keys(properties).filter((key) => key !== 'kind' && !shared.includes(key));
      const { const: only, enum: several = [only], description: meaning } = properties.kind;
      const kinds = several.map((kind) => `**\`"kind": "${kind}"\`**`).join(', ');
      const more = several.length > 1 && meaning ? ` ${escapeBars(meaning)}` : '';
      const head = `${kinds}: ${lowerFirst(escapeBars(description))}${more}\n`;
      return keys.length > 0 ? `${head}\n${this.#formatFields({ properties, required }, keys)}` : head;
    });
    const all = shared.length > 0 ? `All kinds:\n\n${this.#formatFields(first, shared)}` : '';
    return `${text}${own.join('\n')}${all && `\n${all}`}`;
  }

  #formatFields({ properties, required = [] }, keys) {
    const rows = keys.map((key) => {
      const { meaning, fallback } = splitDefault(properties[key].description ?? '');
      const standard = required.includes(key) ? '**required**' : fallback;
      return [`\`${key}\``, this.#formatType(properties[key]), cell(meaning), cell(standard)];
    });
    return alignTable([['field', 'type', 'meaning', 'default'], ...rows]);
  }

  #formatType(field) {
    if (field.$ref) return this.#linkTo(nameOf(field.$ref));
    if (field.const !== undefined) return `\`${JSON.stringify(field.const)}\``;
    if (field.enum) return field.enum.map((value) => `\`${value}\``).join(', ');
    if (field.type === 'array') return this.#formatArray(field);
    if (field.type === 'object') {
      return Object.entries(field.properties)
        .map(([key, value]) => `\`${key}\` (${this.#formatType(value)})`)
        .join(', ');
    }
    if (field.type === 'string') return 'text';
    if (field.type === 'boolean') return 'true, false';
    return `${field.type === 'integer' ? 'whole number' : 'number'}${formatBounds(field)}`;
  }

  #formatArray({ items, minItems, maxItems }) {
    const count = minItems === maxItems ? (minItems ?? '') : '';
    if (items.$ref) return `list of ${this.#linkTo(nameOf(items.$ref))}`;
    if (items.type === 'number' || items.type === 'integer') return count === '' ? 'numbers' : `${count} numbers`;
    return `list of ${this.#formatType(items)}`;
  }

  #linkTo(name) {
    return `[${name}](#${this.#homes.get(name).toLowerCase()})`;
  }
}

/** A table with columns of even width; the first row is its heading. */
function alignTable(rows) {
  const widths = rows[0].map((_, k) => Math.max(...rows.map((row) => [...row[k]].length)));
  const format = (row) => `| ${row.map((text, k) => text + ' '.repeat(widths[k] - [...text].length)).join(' | ')} |\n`;
  const [heading, ...rest] = rows;
  return [heading, widths.map((width) => '-'.repeat(width)), ...rest].map(format).join('');
}

function nameOf(reference) {
  return reference.slice('#/$defs/'.length);
}

/** The default stands at the end of a comment. */
export function splitDefault(description) {
  const at = description.lastIndexOf('Default: ');
  if (at < 0) return { meaning: description, fallback: '' };
  return {
    meaning: description.slice(0, at).trim(),
    fallback: description
      .slice(at + 'Default: '.length)
      .replace(/\.$/, '')
      // code has no quotation marks here
      .replace(/'(\w+)'/g, (_, word, _at, whole) => (whole.length === word.length + 2 ? word : `\`${word}\``)),
  };
}

function formatBounds({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }) {
  const low = exclusiveMinimum ?? minimum;
  const high = exclusiveMaximum ?? maximum;
  if (low !== undefined && high !== undefined)
    return `, ${low} to ${exclusiveMaximum === undefined ? '' : 'below '}${high}`;
  if (exclusiveMinimum !== undefined) return ` > ${exclusiveMinimum}`;
  if (minimum !== undefined) return ` ≥ ${minimum}`;
  return '';
}

function lowerFirst(text) {
  return /^(?:[A-Z][a-z]|A )/.test(text) ? text[0].toLowerCase() + text.slice(1) : text;
}

function escapeBars(text) {
  return text.replaceAll('|', '\\|');
}

function cell(text) {
  return escapeBars(text).trim();
}
