/** Runs of other formulations as ghosts in one view: the same bodies, translucent, in the colour of their run. */
import { Group, type Mesh, MeshStandardMaterial, type Object3D } from 'three';
import type { SceneDrawing } from '../session/scene-drawing.ts';
import { SceneGroup } from '../view3d/scene-group.ts';
import { SoftSurfaces } from '../view3d/soft-surfaces.ts';
import type { ShownState } from '../view3d/viewport.ts';

const OPACITY = 0.38;

class Ghost extends Group {
  readonly #bodies: SceneGroup;
  readonly #soft: SoftSurfaces;
  readonly #material: MeshStandardMaterial;

  constructor(drawing: SceneDrawing, color: string) {
    super();
    // what does not move would only cover the ground
    const moving = drawing.shapes.filter(({ body }) => drawing.isMoving[body]);
    this.#bodies = new SceneGroup({ ...drawing, shapes: moving, sites: [] });
    this.#soft = new SoftSurfaces(drawing.softBodies);
    this.#material = new MeshStandardMaterial({
      color,
      emissive: color,
      emissiveIntensity: 0.25,
      transparent: true,
      opacity: OPACITY,
      depthWrite: false,
      // where runs coincide the first one is seen, not stripes of both
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 4,
    });
    this.add(this.#bodies, this.#soft);
    this.traverse((part: Object3D) => {
      const mesh = part as Mesh;
      if (!mesh.isMesh) return;
      mesh.material = this.#material;
      mesh.castShadow = false;
      // the run itself is what one points at
      mesh.raycast = () => {};
    });
  }

  pose({ poses, soft }: ShownState): void {
    this.#bodies.pose(poses);
    this.#soft.deform(soft);
  }

  override dispose(): void {
    this.#bodies.dispose();
    this.#soft.dispose();
    this.#material.dispose();
  }
}

export class GhostLayer extends Group {
  readonly #ghosts = new Map<number, Ghost>();

  /** Show a run, by its place in the comparison; the colour is that of its curves. */
  show(place: number, drawing: SceneDrawing, state: ShownState, color: string): void {
    const ghost = new Ghost(drawing, color);
    ghost.pose(state);
    this.#ghosts.set(place, ghost);
    this.add(ghost);
  }

  pose(place: number, state: ShownState): void {
    this.#ghosts.get(place)?.pose(state);
  }

  override dispose(): void {
    this.removeFromParent();
    for (const ghost of this.#ghosts.values()) ghost.dispose();
  }
}
