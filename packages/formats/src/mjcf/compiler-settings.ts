/** What <compiler> says: units, folders and rules for everything else in the file. */
import type { MassRules } from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import {
  readBoolean,
  readKeyword,
  readNumber,
  readPair,
  readSize,
  readText,
  type Settings,
  settingsOf,
} from './attributes.ts';
import { fail } from './failure.ts';
import { LENGTH_RANGE, type LengthRangeSettings } from './length-range.ts';
import { checkAttributes, failUnknownElement } from './schema.ts';
import type { Unsupported } from './unsupported.ts';

/** Settings of one file, with MuJoCo's defaults. */
export interface CompilerSettings {
  /** Angles are in degrees. */
  degrees: boolean;
  /** Three letters of xyz (moving axes) or XYZ (fixed axes). */
  eulerSequence: string;
  /** A range implies a limit. */
  autoLimits: boolean;
  /** Folder of meshes and height fields, relative to the model. */
  meshFolder: string;
  /** Folder of textures, relative to the model. */
  textureFolder: string;
  /** File references keep only their last part. */
  stripPath: boolean;
  inertiaFromShapes: 'false' | 'true' | 'auto';
  /** Layers whose shapes weigh. */
  inertiaLayers: [number, number];
  /** Primitives fitted to meshes use the bounding box, not the inertia. */
  fitBoundingBox: boolean;
  /** Bodies without joints become part of their parents. */
  fuseStatic: boolean;
  /** Free bodies take their inertial frame. */
  alignFree: boolean;
  /** Shapes that touch nothing are left out. */
  discardVisual: boolean;
  massRules: MassRules;
  /** How ranges of lengths of muscles are computed. */
  lengthRange: LengthRangeSettings;
}

/** Reads all <compiler> elements in turn; later ones override. */
export function readCompilerSettings(elements: readonly XmlElement[], unsupported: Unsupported): CompilerSettings {
  const result: CompilerSettings = {
    degrees: true,
    eulerSequence: 'xyz',
    autoLimits: true,
    meshFolder: '',
    textureFolder: '',
    stripPath: false,
    inertiaFromShapes: 'auto',
    inertiaLayers: [0, 5],
    fitBoundingBox: false,
    fuseStatic: false,
    alignFree: false,
    discardVisual: false,
    massRules: {},
    lengthRange: { ...LENGTH_RANGE },
  };
  for (const element of elements) {
    checkAttributes(element);
    applySettings(result, settingsOf(element));
    for (const child of element.children) applyLengthRange(result.lengthRange, child, unsupported);
  }
  return result;
}

function applySettings(result: CompilerSettings, settings: Settings): void {
  const { element } = settings;
  const angle = readKeyword(settings, 'angle', ['radian', 'degree']);
  if (angle) result.degrees = angle === 'degree';
  const sequence = readText(settings, 'eulerseq');
  if (sequence !== undefined) {
    if (!/^[xyzXYZ]{3}$/.test(sequence)) {
      const at = { ...element.attributes.get('eulerseq')!, file: element.file };
      fail('invalid-value', at, `'eulerseq' cannot be '${sequence}'`, 'three letters of x y z X Y Z');
    }
    result.eulerSequence = sequence;
  }
  if (readKeyword(settings, 'coordinate', ['local', 'global']) === 'global') {
    const at = { ...element.attributes.get('coordinate')!, file: element.file };
    const hint = 'load and save the model in MuJoCo 2.3.3 or older';
    fail('unsupported-element', at, 'global coordinates do not exist any more', hint);
  }
  result.autoLimits = readBoolean(settings, 'autolimits') ?? result.autoLimits;
  result.meshFolder = readText(settings, 'meshdir') ?? readText(settings, 'assetdir') ?? result.meshFolder;
  result.textureFolder = readText(settings, 'texturedir') ?? readText(settings, 'assetdir') ?? result.textureFolder;
  result.stripPath = readBoolean(settings, 'strippath') ?? result.stripPath;
  result.inertiaFromShapes =
    readKeyword(settings, 'inertiafromgeom', ['false', 'true', 'auto']) ?? result.inertiaFromShapes;
  result.inertiaLayers = readPair(settings, 'inertiagrouprange') ?? result.inertiaLayers;
  result.fitBoundingBox = readBoolean(settings, 'fitaabb') ?? result.fitBoundingBox;
  result.alignFree = readBoolean(settings, 'alignfree') ?? result.alignFree;
  applyMassRules(result.massRules, settings);

  result.discardVisual = readBoolean(settings, 'discardvisual') ?? result.discardVisual;
  result.fuseStatic = readBoolean(settings, 'fusestatic') ?? result.fuseStatic;
}

const LENGTH_NUMBERS = {
  accel: 'acceleration',
  maxforce: 'maximumForce',
  timeconst: 'timeConstant',
  timestep: 'timestep',
  inttotal: 'duration',
  interval: 'interval',
  tolrange: 'tolerance',
} as const;

function applyLengthRange(result: LengthRangeSettings, element: XmlElement, unsupported: Unsupported): void {
  if (element.name !== 'lengthrange') failUnknownElement(element, 'compiler');
  checkAttributes(element, 'compiler lengthrange');
  const settings = settingsOf(element);
  const mode = readKeyword(settings, 'mode', ['none', 'muscle', 'muscleuser', 'all']);
  if (mode) result.isOn = mode !== 'none';
  result.usesLimits = readBoolean(settings, 'uselimit') ?? result.usesLimits;
  if (readBoolean(settings, 'useexisting') === false) {
    const message = 'ranges that the file gives are kept';
    unsupported.add(element, { attribute: 'useexisting', affects: 'physics', message });
  }
  for (const [attribute, field] of Object.entries(LENGTH_NUMBERS)) {
    const value = readNumber(settings, attribute);
    if (value !== undefined && (value > 0 || field === 'maximumForce' || field === 'timestep')) result[field] = value;
  }
}

function applyMassRules(rules: MassRules, settings: Settings): void {
  const minimumMass = readSize(settings, 'boundmass');
  if (minimumMass) rules.minimumMass = minimumMass;
  const minimumInertia = readSize(settings, 'boundinertia');
  if (minimumInertia) rules.minimumInertia = minimumInertia;
  const totalMass = readNumber(settings, 'settotalmass');
  if (totalMass !== undefined && totalMass > 0) rules.totalMass = totalMass;
  const balance = readBoolean(settings, 'balanceinertia');
  if (balance !== undefined) rules.balanceInertia = balance;
}
