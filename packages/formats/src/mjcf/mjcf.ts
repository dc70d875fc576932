/** MuJoCo's model format: a file, with all it includes and attaches, to a Scene. */
import { type Body, type Keyframe, NexdynError, type Scene } from '@nexdyn/engine';
import { checkLimit, limitFiles, resolveLimits } from '../limits.ts';
import type { LoadedScene, LoadOptions } from '../loaded-scene.ts';
import { folderOf } from '../path.ts';
import type { XmlElement } from '../xml/xml.ts';
import { readActuators } from './actuator.ts';
import { alignFreeBodies } from './align-free.ts';
import { settleTextures } from './appearance.ts';
import { readAssets } from './asset.ts';
import { readInteger, requireText, settingsOf } from './attributes.ts';
import { readWorld } from './body.ts';
import { checkModel, dropBlindSensors } from './check.ts';
import { readCompilerSettings } from './compiler-settings.ts';
import { readContacts } from './contact.ts';
import { readDefaults } from './defaults.ts';
import { discardVisuals } from './discard-visual.ts';
import { readEqualities } from './equality.ts';
import { fail, placeOf } from './failure.ts';
import { readDeformables } from './flex/flex.ts';
import { placeSoftBodies, settleSoftReferences } from './flex/place-soft-bodies.ts';
import { fuseStaticBodies } from './fuse-static.ts';
import { readDocument, readReferenced } from './include.ts';
import { buildKeyframes, readKeyframes } from './keyframe.ts';
import { findMuscleRanges, type Muscle } from './muscle-range.ts';
import { readDisabledGroups, readOptions } from './option.ts';
import { readExtension } from './plugin.ts';
import { type Model, type ModelAccess, type OpenBody, openBody, type Reading } from './reading.ts';
import { collectNames } from './references.ts';
import { checkScene } from './scene-check.ts';
import { checkAttributes, failUnknownElement } from './schema.ts';
import { readSensors } from './sensor.ts';
import { readSkin, settleSkins } from './skin.ts';
import { readTendons } from './tendon.ts';
import { type Loss, listUnread, UNREAD_SECTIONS, Unsupported } from './unsupported.ts';
import { readView } from './visual.ts';

/** Reads a MJCF file; `path` is relative to the root of the file source. */
export function readMjcf(path: string, options: LoadOptions): LoadedScene {
  const limits = resolveLimits(options.limits);
  const access: ModelAccess = {
    files: limitFiles(options.files, limits),
    limits,
    allowOutside: options.allowOutside ?? false,
    strictMeshes: options.strictMeshes ?? false,
    objects: options.objects ?? 'first',
    parsed: new Map(),
    copied: { count: 0 },
    origins: new WeakMap(),
    aligned: new WeakSet(),
    actuatorGroups: new WeakMap(),
  };
  const unsupported = new Unsupported();
  const { reading, name } = readModel(path, access, unsupported, []);
  const scene = buildScene(reading, name);
  settleMuscles(scene, reading);
  checkScene(scene, reading);
  alignFreeBodies(scene, reading);
  if (reading.compiler.discardVisual) discardVisuals(scene);
  return { scene, unsupported: unsupported.items };
}

const READ_SECTIONS = [
  'extension',
  'visual',
  'statistic',
  'compiler',
  'option',
  'default',
  'asset',
  'contact',
  'equality',
  'tendon',
  'actuator',
  'sensor',
  'worldbody',
  'deformable',
  'keyframe',
] as const;

/** Files that are made to be included have one: MuJoCo accepts it and reads nothing from it. */
const LOST_BODY: Loss = {
  affects: 'physics',
  message: 'a <body> outside <worldbody> is left out, as in MuJoCo; include the file in a <worldbody>',
};

function readModel(path: string, access: ModelAccess, unsupported: Unsupported, ancestors: readonly string[]): Model {
  const root = readDocument(path, access);
  if (root.name !== 'mujoco') {
    const hint = root.name === 'robot' ? 'this looks like URDF' : 'a MJCF file begins with <mujoco>';
    const place = { file: path, line: root.line, column: root.column, hint };
    throw new NexdynError('unknown-format', `the root element is <${root.name}>, not <mujoco>`, place);
  }
  checkAttributes(root);
  listUnread(root, unsupported);
  const sections = groupSections(root, unsupported);
  const part = emptyPart();
  const reading: Reading = {
    path,
    access,
    compiler: readCompilerSettings(sections.compiler, unsupported),
    defaults: readDefaults(sections.default),
    part,
    unsupported,
    materials: new Map(),
    textures: new Map(),
    wantedTextures: [],
    meshes: new Map(),
    heightFields: new Map(),
    plugins: new Map(),
    meshPlugins: new Map(),
    tangents: new Map(),
    meshMaterials: new Map(),
    ownCopies: [],
    models: new Map(),
    origins: access.origins,
    ancestors: [...ancestors, path],
    inheritRanges: new WeakMap(),
    reflected: new WeakMap(),
    disabledGroups: readDisabledGroups(sections.option),
    lostActuators: [],
    attached: new WeakSet(),
    frames: new Map(),
    lostMass: new WeakMap(),
    keyframeCount: countKeyframes(root),
    weightless: new WeakSet(),
    copied: access.copied,
  };
  part.options = readOptions(sections.option, unsupported);
  part.view = readView(sections.visual, sections.statistic, unsupported);
  for (const section of sections.extension) readExtension(section, reading);
  // materials before everything that may be coloured by them
  for (const element of sections.asset.flatMap((section) => readAssets(section, reading))) addModel(element, reading);
  settleTextures(reading);
  for (const section of sections.asset)
    for (const element of section.children) if (element.name === 'skin') readSkin(element, reading);
  for (const section of sections.contact) readContacts(section, reading);
  for (const section of sections.tendon) readTendons(section, reading);
  for (const section of sections.equality) readEqualities(section, reading);
  for (const section of sections.actuator) readActuators(section, reading);
  for (const section of sections.sensor) readSensors(section, reading);
  for (const section of sections.worldbody) readWorld(section, reading);
  for (const section of sections.deformable) readDeformables(section, reading);
  settleSoftReferences(reading);
  checkModel(reading);
  if (ancestors.length === 0) switchOffGroups(reading);
  if (reading.compiler.fuseStatic && ancestors.length === 0) fuseStaticBodies(root, reading);
  if (ancestors.length === 0) dropPassiveForces(reading);
  readKeyframes(sections.keyframe, reading);
  return { reading, name: root.attributes.get('model')?.value };
}

/** Without springs and dampers MuJoCo computes no passive force at all: neither gravity compensation nor that of a fluid. */
function dropPassiveForces({ part }: Reading): void {
  const disabled = part.options.disable ?? [];
  if (!disabled.includes('spring') || !disabled.includes('damper')) return;
  delete part.options.medium;
  const visit = (body: OpenBody): void => {
    delete body.gravityCompensation;
    body.bodies.forEach(visit);
  };
  visit(part.world);
}

/** The groups that the main model switches off are off in attached models, too. */
function switchOffGroups({ part, access, origins, disabledGroups }: Reading): void {
  for (const actuator of part.actuators) {
    const group = access.actuatorGroups.get(origins.get(actuator)!);
    if (group !== undefined && disabledGroups.has(group)) actuator.active = false;
  }
}

function emptyPart(): Reading['part'] {
  return {
    options: {},
    meshes: [],
    heightFields: [],
    signedDistanceFields: [],
    textures: [],
    appearances: [],
    skins: [],
    view: {},
    world: openBody(),
    contactPairs: [],
    contactExcludes: [],
    equalities: [],
    flexEqualities: [],
    tendons: [],
    actuators: [],
    sensors: [],
    keyframes: [],
  };
}

function groupSections(
  root: XmlElement,
  unsupported: Unsupported,
): Record<(typeof READ_SECTIONS)[number], XmlElement[]> {
  const groups = Object.fromEntries(READ_SECTIONS.map((name) => [name, [] as XmlElement[]])) as Record<
    (typeof READ_SECTIONS)[number],
    XmlElement[]
  >;
  for (const section of root.children) {
    const loss = UNREAD_SECTIONS.get(section.name);
    if (section.name in groups) groups[section.name as keyof typeof groups].push(section);
    else if (loss) unsupported.add(section, loss);
    else if (section.name === 'body') unsupported.add(section, LOST_BODY);
    else failUnknownElement(section, root.name);
  }
  return groups;
}

/** Reads a model that may be attached. */
function addModel(element: XmlElement, reading: Reading): void {
  checkAttributes(element, 'asset model');
  const settings = settingsOf(element);
  const file = requireText(settings, 'file');
  const at = { ...element.attributes.get('file')!, file: element.file };
  const { path } = readReferenced(file, [folderOf(reading.path), folderOf(element.file)], reading.access, at);
  if (reading.ancestors.includes(path)) {
    fail('include-cycle', at, `'${path}' attaches itself`, `${[...reading.ancestors, path].join(' -> ')}`);
  }
  checkLimit(
    reading.ancestors.length + 1,
    'includeDepth',
    reading.access.limits,
    'files that attach each other',
    placeOf(at),
  );
  // one file is read once, however often it is named
  const { parsed } = reading.access;
  const child = parsed.get(path) ?? readModel(path, reading.access, reading.unsupported, reading.ancestors);
  parsed.set(path, child);
  const name = element.attributes.get('name')?.value ?? child.name ?? '';
  if (reading.models.has(name))
    fail('duplicate-name', at, `there are two models '${name}'`, "give one of them another 'name'");
  reading.models.set(name, child.reading);
  listForeignOptions(element, child.reading, reading);
}

/** The options of the main model hold; an attached one that wants others is told so. */
function listForeignOptions(element: XmlElement, child: Reading, reading: Reading): void {
  const theirs = Object.entries(child.part.options);
  const differing = theirs.filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(reading.part.options[key as keyof Scene['options']]),
  );
  const names = differing.map(([key]) => key);
  const isSwitchedOff = [...child.disabledGroups].some((group) => !reading.disabledGroups.has(group));
  if (isSwitchedOff) names.push('actuatorgroupdisable');
  if (names.length === 0) return;
  const message = `options of the attached model are not used: ${names.join(', ')}`;
  reading.unsupported.add(element, { affects: 'physics', message });
}

function buildScene(reading: Reading, name: string | undefined): Scene {
  const { part, compiler } = reading;
  const scene: Scene = { format: 'nexdyn-scene', version: 1 };
  if (name) scene.name = name;
  if (Object.keys(part.options).length > 0) scene.options = part.options;
  if (Object.keys(part.view).length > 0) scene.view = part.view;
  if (Object.keys(compiler.massRules).length > 0) scene.massRules = compiler.massRules;
  const { world } = part;
  const { softBodies, materials } = placeSoftBodies(reading);
  settleSkins(reading, collectNames(world).body);
  dropUnusedCoordinates(part);
  const lists: Partial<Scene> = {
    materials,
    meshes: part.meshes,
    heightFields: part.heightFields,
    signedDistanceFields: part.signedDistanceFields,
    textures: part.textures,
    appearances: part.appearances,
    shapes: world.shapes,
    sites: world.sites,
    cameras: world.cameras,
    lights: world.lights,
    bodies: world.bodies.map((body) => closeBody(body, reading)),
    softBodies,
    skins: part.skins,
    equalities: part.equalities,
    tendons: part.tendons,
    actuators: part.actuators,
    sensors: part.sensors,
    contactPairs: part.contactPairs,
    contactExcludes: part.contactExcludes,
    keyframes: [...buildKeyframes(part), ...fillKeyframes(reading)],
  };
  for (const [key, list] of Object.entries(lists)) {
    if (Array.isArray(list) && list.length > 0) Object.assign(scene, { [key]: list });
  }
  return scene;
}

/** Muscles without lengths are pulled at; where that fails, they take those of what they drive, or are left out. */
function settleMuscles(scene: Scene, reading: Reading): void {
  const { part } = reading;
  const muscles = part.actuators.filter((actuator) => actuator.kind === 'muscle' && !actuator.lengthRange);
  if (!findMuscleRanges(scene, muscles as Muscle[], reading)) return;
  // some are left out, and what refers to them
  dropBlindSensors(reading);
  Object.assign(scene, {
    actuators: part.actuators,
    sensors: part.sensors,
    keyframes: [...buildKeyframes(part), ...fillKeyframes(reading)],
  });
  for (const key of ['actuators', 'sensors', 'keyframes'] as const) if (scene[key]?.length === 0) delete scene[key];
}

/** How many keyframes <size> asks for. */
function countKeyframes(root: XmlElement): number {
  const counts = root.children.map((section) =>
    section.name === 'size' ? (readInteger(settingsOf(section), 'nkey') ?? 0) : 0,
  );
  return Math.min(MOST_KEYFRAMES, Math.max(0, ...counts));
}

const MOST_KEYFRAMES = 10_000;

/** Keyframes that no <key> describes are the initial state. */
function fillKeyframes({ part, keyframeCount }: Reading): Keyframe[] {
  return Array.from({ length: Math.max(0, keyframeCount - part.keyframes.length) }, () => ({}));
}

/** A body without its empty lists. */
function closeBody(open: OpenBody, reading: Reading): Body {
  const { joints, shapes, sites, cameras, lights, bodies, softBodies: _, ...own } = open;
  const body: Body = own;
  const origin = reading.origins.get(open);
  if (origin) reading.origins.set(body, origin);
  if (joints.length > 0) body.joints = joints;
  if (shapes.length > 0) body.shapes = shapes;
  if (sites.length > 0) body.sites = sites;
  if (cameras.length > 0) body.cameras = cameras;
  if (lights.length > 0) body.lights = lights;
  if (bodies.length > 0) body.bodies = bodies.map((child) => closeBody(child, reading));
  return body;
}

/** Places in textures count where a texture is laid on. */
function dropUnusedCoordinates({ world, meshes, appearances }: Reading['part']): void {
  const textured = new Set(appearances.filter(({ texture }) => texture !== undefined).map(({ name }) => name));
  const used = new Set<string>();
  const visit = (body: OpenBody): void => {
    for (const shape of body.shapes)
      if ('mesh' in shape && shape.appearance && textured.has(shape.appearance)) used.add(shape.mesh);
    body.bodies.forEach(visit);
  };
  visit(world);
  for (const mesh of meshes) if (!used.has(mesh.name)) delete mesh.textureCoordinates;
}
