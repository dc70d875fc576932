import { Color, DirectionalLight, HemisphereLight, type Object3D, type Raycaster, Scene, type Vector3 } from 'three';
import type { DrawnShape, SceneDrawing } from '../session/scene-drawing.ts';
import type { SoftFrame } from '../session/soft-frame.ts';
import { horizontalFloor, measureBounds, roundLength } from './bounds.ts';
import { Ground, type GroundOptions } from './ground.ts';
import { findHue, type Theme, VIEW_PALETTE } from './palette.ts';
import { SceneGroup } from './scene-group.ts';
import { type SoftReading, SoftSurfaces } from './soft-surfaces.ts';

/** Endless planes are drawn out to this many radii of the scene. */
const GROUND_RADII = 14;

/** A shape that was pointed at. */
export interface PickedShape {
  bodyName: string;
  /** Empty where it has none. */
  shapeName: string;
  /** Number of the soft body, where it is one. */
  soft?: number;
  /** Number of the body; 0 is the world, -1 a soft body. */
  body: number;
  /** Where it was met, in the world, m. */
  point: [number, number, number];
  /** The same place in the frame of the body, m. */
  local: [number, number, number];
}

/** A scene with its light, its ground and its grid: all there is to draw, without camera and canvas. */
export class Stage {
  readonly scene: Scene = new Scene();
  readonly group: SceneGroup;
  readonly soft: SoftSurfaces;
  /** Distance between grid lines, m. */
  readonly gridSpacing: number;
  /** Of what the stage is made for, m. */
  readonly radius: number;
  /** Floors of the scene with their shapes. */
  readonly grounds: { ground: Ground; shape: DrawnShape }[] = [];
  readonly #background = new Color();
  #backdrop: Object3D | undefined;
  readonly #sky = new HemisphereLight();
  readonly #key = new DirectionalLight();
  readonly #grounds: Ground[] = [];

  constructor(drawing: SceneDrawing, poses: Float32Array, theme: Theme, soft?: SoftFrame) {
    const { center, radius, bottom } = measureBounds(drawing, poses, soft);
    this.radius = radius;
    this.group = new SceneGroup(drawing);
    this.group.pose(poses);
    this.soft = new SoftSurfaces(drawing.softBodies);
    this.soft.deform(soft);
    this.gridSpacing = roundLength(radius / 4);
    this.scene.add(this.group, this.soft, this.#sky, this.#key, this.#key.target);
    this.#sky.position.set(0, 0, 1);
    this.#placeGrounds(drawing, center, radius);
    // a scene without a floor gets a glass one below everything, so that depth can be seen
    if (horizontalFloor(drawing, poses) === undefined) {
      const floor = this.#addGround({ ...this.#endless([center[0], center[1]], radius), opacity: 0.35 }, undefined);
      floor.position.z = bottom - 0.02 * radius;
      // it is no shape: nothing to point at
      floor.raycast = () => {};
    }
    this.#placeLight(center, radius);
    this.paint(theme);
  }

  paint(theme: Theme): void {
    const palette = VIEW_PALETTE[theme];
    this.#background.set(palette.background);
    this.scene.background = this.#background;
    this.#sky.color.set(palette.skyLight);
    this.#sky.groundColor.set(palette.groundLight);
    this.#key.color.set(palette.keyLight);
    this.#sky.intensity = palette.sky;
    this.#key.intensity = palette.key;
    for (const ground of this.#grounds) ground.paint(palette);
  }

  /** Ground and background, which a transparent picture does without. */
  showSurroundings(shown: boolean): void {
    for (const ground of this.#grounds) ground.visible = shown;
    this.scene.background = shown ? this.#background : null;
    if (this.#backdrop) this.#backdrop.visible = shown;
  }

  /** Something all round, behind everything. */
  setSky(sky: Object3D): void {
    this.#backdrop = sky;
    this.scene.add(sky);
  }

  /** The scene has lights of its own. */
  hideOwnLights(): void {
    this.#key.visible = false;
    this.#sky.visible = false;
  }

  showGrid(shown: boolean): void {
    for (const ground of this.#grounds) ground.hasGrid = shown;
  }

  showShadows(shown: boolean): void {
    this.#key.castShadow = shown;
  }

  moveLight(shift: Vector3): void {
    this.#key.position.add(shift);
    this.#key.target.position.add(shift);
  }

  /** The first visible shape along a ray, floors included. */
  pick(ray: Raycaster): PickedShape | undefined {
    const hits = ray.intersectObjects([this.group, this.soft, ...this.#grounds]);
    const hit = hits.find(({ object }) => object.visible);
    if (!hit) return undefined;
    const { object, point } = hit;
    const soft = this.soft.indexOf(object);
    if (soft >= 0) {
      const at = point.toArray();
      return { bodyName: object.name, shapeName: 'soft', body: -1, soft, point: at, local: at };
    }
    const body = object.parent ?? this.scene;
    // shapes are fixed in the group of their body, floors in the scene itself
    return {
      bodyName: body === this.scene ? 'world' : body.name,
      shapeName: object.name,
      body: body === this.scene ? 0 : this.group.indexOf(body),
      point: point.toArray(),
      local: body.worldToLocal(point.clone()).toArray(),
    };
  }

  /** The value of a soft body where a ray meets it first of all. */
  probe(ray: Raycaster): SoftReading | undefined {
    const hits = ray.intersectObjects([this.group, this.soft, ...this.#grounds]);
    const hit = hits.find(({ object }) => object.visible);
    return hit && this.soft.read(hit);
  }

  dispose(): void {
    this.group.dispose();
    this.soft.dispose();
    for (const ground of this.#grounds) ground.dispose();
    this.#key.dispose();
    this.#sky.dispose();
  }

  #placeGrounds(drawing: SceneDrawing, center: readonly number[], radius: number): void {
    for (const shape of drawing.shapes) {
      if (!shape.isEndless) continue;
      const [halfX, halfY] = shape.size;
      const near: [number, number] = [center[0]! - shape.position[0], center[1]! - shape.position[1]];
      const isEndless = halfX === 0 || halfY === 0 || Math.max(halfX, halfY) > GROUND_RADII * radius;
      const options: GroundOptions = isEndless
        ? this.#endless(near, radius)
        : { halfSize: [halfX, halfY], spacing: this.gridSpacing, fade: undefined, opacity: 1, twoSided: false };
      const ground = this.#addGround({ ...options, opacity: options.opacity * shape.color[3] }, findHue(shape.color));
      const [w, x, y, z] = shape.orientation;
      ground.name = shape.name;
      ground.position.set(...shape.position);
      ground.quaternion.set(x, y, z, w);
      this.grounds.push({ ground, shape });
    }
  }

  #endless(center: [number, number], radius: number): GroundOptions {
    const extent = GROUND_RADII * radius;
    const reach = extent + Math.max(Math.abs(center[0]), Math.abs(center[1]));
    return {
      halfSize: [reach, reach],
      spacing: this.gridSpacing,
      fade: { center, radius: extent },
      opacity: 1,
      twoSided: false,
    };
  }

  #addGround(options: GroundOptions, own: Color | undefined): Ground {
    const ground = new Ground(options, own);
    this.#grounds.push(ground);
    this.scene.add(ground);
    return ground;
  }

  /** A sun over the left shoulder; its shadow map covers the scene and what falls beside it. */
  #placeLight(center: readonly [number, number, number], radius: number): void {
    const { shadow } = this.#key;
    const reach = 2.2 * radius;
    this.#key.target.position.set(...center);
    this.#key.position.set(center[0] - 1.6 * radius, center[1] - 2.2 * radius, center[2] + 4 * radius);
    this.#key.castShadow = true;
    shadow.mapSize.set(2048, 2048);
    shadow.radius = 3;
    shadow.bias = -0.0005;
    shadow.normalBias = 0.004 * radius;
    Object.assign(shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach });
    Object.assign(shadow.camera, { near: 0.1 * radius, far: 12 * radius });
    shadow.camera.updateProjectionMatrix();
  }
}
