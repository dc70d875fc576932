/**
 * A scene as one MJCF file, so that it opens in MuJoCo: meshes and heights are in the file, angles in radians. What MJCF cannot say is
 * listed; bodies that weigh by it keep their mass and inertia.
 */
import { compileModel, type InputActuator, type Model, type Scene } from '@nexdyn/engine';
import { Unwritten, type UnwrittenItem } from './unwritten.ts';
import { writeAssets } from './write-assets.ts';
import { BodyWriter } from './write-body.ts';
import { writeActuator, writeContacts, writeEquality, writeKeyframe, writeTendon } from './write-couplings.ts';
import { writeCompiler, writeOptions } from './write-options.ts';
import { PictureWriter, type WrittenImage, writeCamera, writeLight, writeView } from './write-pictures.ts';
import { listPlugins, writeExtension } from './write-plugin.ts';
import { writeSensor } from './write-sensor.ts';
import { ShapeWriter, writeSite } from './write-shape.ts';
import { element, formatXml, type WrittenElement } from './xml-element.ts';

/** A file and what of the scene is not in it. */
export interface WrittenMjcf {
  /** The file. */
  text: string;
  /** What MJCF has no words for, or this writer does not write. */
  unwritten: UnwrittenItem[];
  /** Images, and meshes with images on them, that the file names, to be written beside it. */
  images: WrittenImage[];
}

/** How a file is written. */
export interface WriteMjcfOptions {
  /** How names of files beside it begin. Without it images are not written, and are listed. */
  imagePrefix?: string;
}

const WRITTEN =
  `format version $schema name description options massRules view materials meshes heightFields signedDistanceFields textures appearances shapes sites cameras
  lights bodies skins equalities tendons actuators sensors contactPairs contactExcludes keyframes`.split(/\s+/);

/** Writes a scene as MJCF. */
export function writeMjcf(scene: Scene, { imagePrefix }: WriteMjcfOptions = {}): WrittenMjcf {
  const unwritten = new Unwritten();
  unwritten.check(scene, WRITTEN, '');
  let model: Model | undefined;
  const compile = (): Model => (model ??= compileModel(scene, { formulation: 'mujoco', coordinates: 'joint' }));
  const plugins = listPlugins(scene, unwritten);
  const shapes = new ShapeWriter(scene, plugins, unwritten);
  const pictures = new PictureWriter(imagePrefix, unwritten);
  const bodies = new BodyWriter(shapes, unwritten, compile);
  const list = <T>(
    items: readonly T[] | undefined,
    field: string,
    write: (item: T, path: string) => WrittenElement | undefined,
  ): WrittenElement[] =>
    (items ?? []).map((item, i) => write(item, `${field}[${i}]`)).filter((item) => item !== undefined);
  const world = element('worldbody', {}, [
    ...list(scene.shapes, 'shapes', (shape, path) => shapes.write(shape, path)),
    ...list(scene.sites, 'sites', (site, path) => writeSite(site, path, unwritten)),
    ...list(scene.cameras, 'cameras', writeCamera),
    ...list(scene.lights, 'lights', writeLight),
    ...list(scene.bodies, 'bodies', (body, path) => bodies.write(body, path)),
  ]);
  const section = (name: string, children: WrittenElement[]): WrittenElement => element(name, {}, children);
  const controls = scene.actuators ?? [];
  const listInputs = (first: number): InputActuator[] => {
    const next = controls[first + 1];
    return next?.kind === 'input' ? [next, ...listInputs(first + 1)] : [];
  };
  const actuators = list(controls, 'actuators', (item, path) =>
    item.kind === 'input' ? undefined : writeActuator(item, path, unwritten, listInputs(controls.indexOf(item))),
  );
  const isWhole = actuators.length === controls.filter(({ kind }) => kind !== 'input').length;
  const sections = [
    writeExtension(plugins, scene.sensors?.some(({ kind }) => kind === 'touchGrid') ?? false),
    writeCompiler(scene),
    writeOptions(scene, unwritten),
    ...writeView(scene.view),
    writeAssets(scene, pictures, plugins, unwritten),
    world,
    writeContacts(scene, unwritten),
    section(
      'equality',
      list(scene.equalities, 'equalities', (item, path) => writeEquality(item, path, unwritten)),
    ),
    section('tendon', list(scene.tendons, 'tendons', writeTendon)),
    section('actuator', actuators),
    section(
      'sensor',
      list(scene.sensors, 'sensors', (item, path) => writeSensor(item, path, shapes.meshes, unwritten)),
    ),
    section(
      'keyframe',
      list(scene.keyframes, 'keyframes', (keyframe, path) => {
        if (isWhole) return writeKeyframe(keyframe);
        const { control: _, activation: __, ...rest } = keyframe;
        if (keyframe.control || keyframe.activation)
          unwritten.add(path, 'controls count actuators that are not written');
        return writeKeyframe(rest);
      }),
    ),
  ];
  const isNeeded = ({ name, attributes, children }: WrittenElement): boolean =>
    children.length > 0 || Object.keys(attributes).length > 0 || name === 'worldbody';
  const root = element('mujoco', { model: scene.name || undefined }, sections.filter(isNeeded));
  return { text: formatXml(root), unwritten: unwritten.items, images: pictures.images };
}
