/** <geom> and <site>. */
import type { Appearance, HeightFieldAsset, Material, Scene, Shape, Site } from '@nexdyn/engine';
import { rotate } from '../orientation.ts';
import type { Unwritten } from './unwritten.ts';
import { measureHeights } from './write-assets.ts';
import type { WrittenPlugin } from './write-plugin.ts';
import { type AttributeValue, element, type WrittenElement } from './xml-element.ts';

/** Fields that every shape may have and that are written. */
const COMMON =
  `kind name position orientation material mass density shell collisionGroups collisionMask margin gap friction spinFriction
  rollFriction contact surfaceVelocity surfaceSpin mujoco fluid appearance color layer`.split(/\s+/);

/** Geometry in the words of MJCF. */
interface Geometry {
  attributes: Record<string, AttributeValue>;
  fields: readonly string[];
}

/** Writes the shapes of one scene. */
export class ShapeWriter {
  /** Names of the meshes that were written. */
  readonly meshes: Set<string> = new Set();
  readonly #materials: ReadonlyMap<string, Material>;
  readonly #heightFields: ReadonlyMap<string, HeightFieldAsset>;
  readonly #appearances: ReadonlyMap<string, Appearance>;
  readonly #wires: ReadonlySet<string>;
  readonly #unwritten: Unwritten;
  readonly #plugins: ReadonlyMap<string, WrittenPlugin>;

  constructor(
    { materials = [], heightFields = [], meshes = [], appearances = [] }: Scene,
    plugins: ReadonlyMap<string, WrittenPlugin>,
    unwritten: Unwritten,
  ) {
    this.#plugins = plugins;
    this.#materials = new Map(materials.map((material) => [material.name, material]));
    this.#appearances = new Map(appearances.map((appearance) => [appearance.name, appearance]));
    this.#heightFields = new Map(heightFields.map((field) => [field.name, field]));
    this.#wires = new Set(meshes.filter(({ edges }) => edges).map(({ name }) => name));
    this.#unwritten = unwritten;
    materials.forEach((material, i) => {
      for (const field of ['stiffness', 'dissipation', 'restitution', 'hydroelasticModulus'] as const) {
        if (material[field] === undefined) continue;
        unwritten.add(`materials[${i}].${field}`, "contacts have MuJoCo's softness: 'solref' and 'solimp' of shapes");
      }
    });
  }

  /** Undefined where MJCF has no such shape. */
  write(shape: Shape, path: string): WrittenElement | undefined {
    const geometry = this.#writeGeometry(shape, path);
    if (!geometry) {
      this.#unwritten.add(path, `MJCF has no shape of the kind '${shape.kind}'`);
      return undefined;
    }
    if ('mesh' in shape && shape.name) this.meshes.add(shape.name);
    this.#unwritten.check(shape, [...COMMON, ...geometry.fields], path);
    if (shape.contact === 'hydroelastic') this.#unwritten.add(`${path}.contact`, 'it touches at points');
    const material: Partial<Material> = (shape.material && this.#materials.get(shape.material)) || {};
    const isGhost = shape.contact === 'none';
    const friction = [
      shape.friction ?? material.friction ?? 1,
      shape.spinFriction ?? material.spinFriction ?? 0.005,
      shape.rollFriction ?? material.rollFriction ?? 0.0001,
    ];
    const isPlain = friction[0] === 1 && friction[1] === 0.005 && friction[2] === 0.0001;
    const { mujoco = {} } = shape;
    const moves = shape.surfaceVelocity ?? shape.surfaceSpin;
    const attributes = {
      name: shape.name,
      ...geometry.attributes,
      mass: shape.mass,
      density: shape.density ?? (shape.mass === undefined ? material.density : undefined),
      shellinertia: shape.shell,
      contype: isGhost ? 0 : toInteger(shape.collisionGroups),
      conaffinity: isGhost ? 0 : toInteger(shape.collisionMask),
      margin: shape.margin,
      gap: shape.gap,
      friction: isPlain ? undefined : friction,
      condim: mujoco.condim,
      priority: mujoco.priority,
      solmix: mujoco.solmix,
      solref: mujoco.solref,
      solimp: mujoco.solimp,
      adhesion: mujoco.adhesion,
      surfacevel: moves && [...(shape.surfaceVelocity ?? [0, 0, 0]), ...(shape.surfaceSpin ?? [0, 0, 0])],
      fluidshape: shape.fluid && 'ellipsoid',
      fluidcoef: shape.fluid,
      material: shape.appearance,
      rgba: this.#writeColor(shape.color ?? material.color, shape.appearance),
      group: shape.layer,
    };
    const isPlugin = shape.kind === 'signedDistance';
    return element('geom', attributes, isPlugin ? [element('plugin', { instance: shape.field })] : []);
  }

  /** A colour that is that of the appearance is not repeated. */
  #writeColor(color: readonly number[] | undefined, appearance: string | undefined): readonly number[] | undefined {
    const own = appearance === undefined ? undefined : this.#appearances.get(appearance);
    const isSame = own !== undefined && color?.every((value, k) => value === (own.color?.[k] ?? 1));
    return isSame ? undefined : color;
  }

  #writeGeometry(shape: Shape, path: string): Geometry | undefined {
    const pose = { pos: shape.position, quat: shape.orientation };
    const make = (attributes: Record<string, AttributeValue>, ...fields: string[]): Geometry => ({
      attributes: { ...attributes, ...pose },
      fields,
    });
    switch (shape.kind) {
      case 'plane':
        return make({ type: 'plane', size: [...(shape.halfSize ?? [0, 0]), 1] }, 'halfSize');
      case 'sphere':
        return make({ type: 'sphere', size: shape.radius }, 'radius');
      case 'capsule':
      case 'cylinder':
        return make({ type: shape.kind, size: [shape.radius, shape.halfLength] }, 'radius', 'halfLength');
      case 'ellipsoid':
        return make({ type: 'ellipsoid', size: shape.radii }, 'radii');
      case 'box':
        return make({ type: 'box', size: shape.halfSize }, 'halfSize');
      case 'triangleMesh':
        if (this.#wires.has(shape.mesh)) return undefined;
        this.#unwritten.add(path, 'it touches by its convex hull, as all meshes of MuJoCo');
        return make({ type: 'mesh', mesh: shape.mesh }, 'mesh');
      case 'convexMesh':
        return make({ type: 'mesh', mesh: shape.mesh }, 'mesh');
      case 'heightField': {
        // heights of MJCF begin at 0
        const [low] = measureHeights(this.#heightFields.get(shape.heightField)!);
        const lift = rotate(shape.orientation ?? [1, 0, 0, 0], [0, 0, low]);
        const position = shape.position ?? [0, 0, 0];
        const pos = low === 0 ? shape.position : position.map((value, k) => value + lift[k]!);
        return {
          attributes: { type: 'hfield', hfield: shape.heightField, ...pose, pos },
          fields: ['heightField'],
        };
      }
      case 'signedDistance': {
        const plugin = this.#plugins.get(shape.field);
        return plugin && make({ type: 'sdf', mesh: plugin.mesh }, 'field');
      }
      default:
        return undefined;
    }
  }
}

/** MuJoCo's integers have a sign. */
function toInteger(bits: number | undefined): number | undefined {
  return bits === undefined ? undefined : bits | 0;
}

export function writeSite(site: Site, path: string, unwritten: Unwritten): WrittenElement {
  unwritten.check(
    site,
    ['name', 'position', 'orientation', 'appearance', 'color', 'shape', 'radius', 'size', 'layer'],
    path,
  );
  const isSphere = (site.shape ?? 'sphere') === 'sphere';
  return element('site', {
    name: site.name,
    type: isSphere ? undefined : site.shape,
    pos: site.position,
    quat: site.orientation,
    size: isSphere ? site.radius : site.size,
    material: site.appearance,
    rgba: site.color,
    group: site.layer,
  });
}
