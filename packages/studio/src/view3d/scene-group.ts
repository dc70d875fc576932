import { Color, DoubleSide, FrontSide, Group, type Material, Mesh, MeshStandardMaterial, type Object3D } from 'three';
import type { DrawnShape, SceneDrawing } from '../session/scene-drawing.ts';
import { bodyColor, findHue, isUncolored } from './palette.ts';
import { GeometryStore } from './shape-geometry.ts';
import { SOLIDS } from './solids.ts';

/** Layers from this on start hidden. */
export const FIRST_HIDDEN_LAYER = 3;

/** All bodies of a scene: a group per body, moved by poses, with its shapes and sites fixed in it. */
export class SceneGroup extends Group {
  readonly #bodies: Group[];
  readonly #layered: { mesh: Mesh; layer: number; body: number; shape: number }[] = [];
  readonly #sites = new Set<Mesh>();
  readonly #geometries: GeometryStore;
  readonly #materials = new Map<string, Material>();

  constructor(drawing: SceneDrawing) {
    super();
    this.#geometries = new GeometryStore(drawing);
    this.#bodies = drawing.bodyNames.map((name) => {
      const body = new Group();
      body.name = name;
      this.add(body);
      return body;
    });
    for (const shape of drawing.shapes) this.#addShape(shape);
    for (const site of drawing.sites) {
      const { geometry, scale } = this.#geometries.of({ ...site, kind: site.shape, asset: -1 })!;
      const mesh = new Mesh(geometry, this.#material(new Color(...rgb(site.color)), site.color[3], false));
      const [w, x, y, z] = site.orientation;
      mesh.name = site.name;
      mesh.position.set(...site.position);
      mesh.quaternion.set(x, y, z, w);
      mesh.scale.set(...scale);
      mesh.userData['layer'] = site.layer;
      mesh.visible = false;
      this.#sites.add(mesh);
      this.#bodies[site.body]?.add(mesh);
    }
  }

  /** Move all bodies; seven numbers each, position and quaternion w x y z. */
  pose(poses: Float32Array): void {
    this.#bodies.forEach((body, index) => {
      const o = 7 * index;
      body.position.set(poses[o]!, poses[o + 1]!, poses[o + 2]!);
      body.quaternion.set(poses[o + 4]!, poses[o + 5]!, poses[o + 6]!, poses[o + 3]!);
    });
  }

  /** Shapes with their numbers. */
  get shapes(): readonly { mesh: Mesh; shape: number }[] {
    return this.#layered;
  }

  /** Number of the body that a group represents. */
  indexOf(body: Object3D): number {
    return this.#bodies.indexOf(body as Group);
  }

  showLayers(layers: ReadonlySet<number>): void {
    for (const { mesh, layer } of this.#layered) mesh.visible = layers.has(layer);
  }

  /** Let a body with all its shapes, or one shape, stand out; nothing where it is neither. */
  highlight(part: string | undefined, color: number): void {
    const [kind, number] = part?.split(':') ?? [];
    for (const { mesh, body, shape } of this.#layered) {
      const isChosen = Number(number) === (kind === 'body' ? body : kind === 'shape' ? shape : Number.NaN);
      const plain = (mesh.userData['plain'] ?? mesh.material) as MeshStandardMaterial;
      mesh.userData['plain'] = plain;
      mesh.material = isChosen ? this.#glowing(plain, color) : plain;
    }
  }

  /** The same material, lit from inside. */
  #glowing(plain: MeshStandardMaterial, color: number): Material {
    const key = `${plain.uuid} ${color}`;
    const known = this.#materials.get(key);
    if (known) return known;
    const glowing = plain.clone();
    glowing.emissive.set(color);
    glowing.emissiveIntensity = 0.45;
    this.#materials.set(key, glowing);
    return glowing;
  }

  showSites(shown: boolean): void {
    for (const site of this.#sites) site.visible = shown && site.userData['layer'] < FIRST_HIDDEN_LAYER;
  }

  override dispose(): void {
    this.#geometries.dispose();
    for (const material of this.#materials.values()) material.dispose();
  }

  #addShape(shape: DrawnShape): void {
    const sized = this.#geometries.of(shape);
    if (!sized) return;
    const mesh = new Mesh(sized.geometry, this.#material(colorOf(shape), shape.color[3], shape.kind === 'mesh'));
    const [w, x, y, z] = shape.orientation;
    mesh.name = shape.name;
    mesh.position.set(...shape.position);
    mesh.quaternion.set(x, y, z, w);
    mesh.scale.set(...sized.scale);
    mesh.castShadow = shape.color[3] > 0.5;
    mesh.receiveShadow = true;
    mesh.visible = shape.layer < FIRST_HIDDEN_LAYER;
    this.#layered.push({ mesh, layer: shape.layer, body: shape.body, shape: shape.index });
    this.#bodies[shape.body]?.add(mesh);
  }

  /** One material per colour; meshes from files are drawn on both sides, since their faces may be turned. */
  #material(color: Color, opacity: number, twoSided: boolean): Material {
    const key = `${color.getHexString()} ${opacity} ${twoSided}`;
    let material = this.#materials.get(key);
    if (!material) {
      material = new MeshStandardMaterial({
        color,
        roughness: 0.55,
        metalness: 0.05,
        opacity,
        transparent: opacity < 1,
        depthWrite: opacity === 1,
        side: twoSided ? DoubleSide : FrontSide,
      });
      this.#materials.set(key, material);
    }
    return material;
  }
}

/** What the file says; shapes without a colour take that of their body, white terrain would blind. */
function colorOf({ kind, color, body }: DrawnShape): Color {
  if (isUncolored(color)) return new Color(bodyColor(body));
  if (SOLIDS[kind].isTerrain) return findHue(color) ?? new Color(bodyColor(body));
  return new Color(...rgb(color));
}

/** Files give colours as a screen shows them. */
function rgb(color: readonly [number, number, number, number]): [number, number, number] {
  const linear = new Color().setRGB(color[0], color[1], color[2], 'srgb');
  return [linear.r, linear.g, linear.b];
}
