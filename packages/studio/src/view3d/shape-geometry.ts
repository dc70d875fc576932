import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  SphereGeometry,
  TorusGeometry,
} from 'three';
import type { DrawnShape, SceneDrawing } from '../session/scene-drawing.ts';
import { heightFieldGeometry } from './height-field-geometry.ts';

/** Geometry and the scale to apply to it. */
export interface SizedGeometry {
  geometry: BufferGeometry;
  scale: [number, number, number];
}

/** Builds each geometry once per scene and frees all of them together. */
export class GeometryStore {
  readonly #drawing: SceneDrawing;
  readonly #made = new Map<string, BufferGeometry>();

  constructor(drawing: SceneDrawing) {
    this.#drawing = drawing;
  }

  /** Geometry of a shape in its own frame; planes are drawn by the ground and have none. */
  of(shape: DrawnShape): SizedGeometry | undefined {
    const [a, b, c] = shape.size;
    switch (shape.kind) {
      case 'plane':
        return undefined;
      case 'sphere':
        return { geometry: this.#make('ball', makeBall), scale: [a, a, a] };
      case 'ellipsoid':
        return { geometry: this.#make('ball', makeBall), scale: [a, b, c] };
      case 'box':
        return { geometry: this.#make('box', () => new BoxGeometry(2, 2, 2)), scale: [a, b, c] };
      case 'cylinder':
        return { geometry: this.#make('cylinder', makeCylinder), scale: [a, a, b] };
      case 'capsule':
        return { geometry: this.#make(`capsule ${a} ${b}`, () => makeCapsule(a, b)), scale: [1, 1, 1] };
      case 'torus':
        return { geometry: this.#make(`torus ${a} ${b}`, () => new TorusGeometry(a, b, 24, 64)), scale: [1, 1, 1] };
      case 'mesh':
        return { geometry: this.#make(`mesh ${shape.asset}`, () => this.#makeMesh(shape.asset)), scale: [1, 1, 1] };
      case 'heightField': {
        const field = this.#drawing.heightFields[shape.asset];
        if (!field) return undefined;
        return { geometry: this.#make(`field ${shape.asset}`, () => heightFieldGeometry(field)), scale: [1, 1, 1] };
      }
    }
  }

  dispose(): void {
    for (const geometry of this.#made.values()) geometry.dispose();
    this.#made.clear();
  }

  #make(key: string, build: () => BufferGeometry): BufferGeometry {
    let geometry = this.#made.get(key);
    if (!geometry) this.#made.set(key, (geometry = build()));
    return geometry;
  }

  #makeMesh(asset: number): BufferGeometry {
    const geometry = new BufferGeometry();
    const mesh = this.#drawing.meshes[asset];
    if (mesh) {
      geometry.setAttribute('position', new BufferAttribute(mesh.positions, 3));
      geometry.setAttribute('normal', new BufferAttribute(mesh.normals, 3));
    }
    return geometry;
  }
}

const makeBall = (): BufferGeometry => new SphereGeometry(1, 40, 28);

// three's cylinders and capsules lie along y, ours along z
const makeCylinder = (): BufferGeometry => new CylinderGeometry(1, 1, 2, 48).rotateX(Math.PI / 2);

const makeCapsule = (radius: number, halfLength: number): BufferGeometry =>
  new CapsuleGeometry(radius, 2 * halfLength, 12, 32).rotateX(Math.PI / 2);
