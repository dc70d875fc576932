import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  SphereGeometry,
  TorusGeometry,
} from 'three';
import type { DrawnKind, DrawnShape, SceneDrawing } from '../session/scene-drawing.ts';
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
  of(shape: Pick<DrawnShape, 'kind' | 'size' | 'asset'>): SizedGeometry | undefined {
    const [a, b, c] = shape.size;
    const { asset } = shape;
    const make = (key: string, build: () => BufferGeometry, ...scale: number[]): SizedGeometry => ({
      geometry: this.#make(key, build),
      scale: scale.length === 3 ? (scale as [number, number, number]) : [1, 1, 1],
    });
    const field = this.#drawing.heightFields[asset];
    const geometries: Readonly<Record<DrawnKind, () => SizedGeometry | undefined>> = {
      plane: () => undefined,
      sphere: () => make('ball', makeBall, a, a, a),
      ellipsoid: () => make('ball', makeBall, a, b, c),
      box: () => make('box', () => new BoxGeometry(2, 2, 2), a, b, c),
      cylinder: () => make('cylinder', makeCylinder, a, a, b),
      capsule: () => make(`capsule ${a} ${b}`, () => makeCapsule(a, b)),
      torus: () => make(`torus ${a} ${b}`, () => new TorusGeometry(a, b, 24, 64)),
      mesh: () => make(`mesh ${asset}`, () => this.#makeMesh(asset)),
      heightField: () => field && make(`field ${asset}`, () => heightFieldGeometry(field)),
    };
    return geometries[shape.kind]();
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
