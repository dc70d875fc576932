/**
 * All bodies of a simulation as a group of a three.js world: shapes are meshes that follow the poses of their bodies, soft bodies are surfaces
 * that follow their vertices, contacts are small balls. Scenes have z upwards; the group is turned so that its y is, as usual in three.js.
 */
import type { Model } from '@nexdyn/engine';
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  SphereGeometry,
} from 'three';
import { createShapeGeometry } from './shape-geometry.ts';

/** What is drawn of a state: a simulation, or its double in the page where it runs in a worker. */
export interface DrawnState {
  /** Three numbers per body, m. */
  readonly bodyPosition: ArrayLike<number>;
  /** Quaternions w x y z. */
  readonly bodyOrientation: ArrayLike<number>;
  /** Vertices of all soft bodies, three numbers each, m. */
  readonly state?: { readonly softPosition: ArrayLike<number> };
}

/** A point where shapes touch. */
export interface ContactMark {
  /** In the world of the scene, m. */
  position: readonly [number, number, number];
}

/** How a group is drawn. */
export interface SimulationGroupOptions {
  /** Which axis of the three.js world points upwards. Default: y. */
  up?: 'y' | 'z';
  /** Radius of the balls at contacts, m. Default: 0.01. */
  contactRadius?: number;
  /** The largest number of contacts that are drawn. Default: 256. */
  mostContacts?: number;
}

const CONTACT_COLOR = 0xf0a33c;

/** A scene in a three.js world. */
export class SimulationGroup extends Group {
  readonly #bodies: Group[];
  readonly #soft: { geometry: BufferGeometry; first: number; count: number }[];
  readonly #contacts: InstancedMesh;
  readonly #place = new Matrix4();

  constructor(model: Model, { up = 'y', contactRadius = 0.01, mostContacts = 256 }: SimulationGroupOptions = {}) {
    super();
    if (up === 'y') this.rotation.x = -Math.PI / 2;
    this.#bodies = model.body.name.map((name) => {
      const body = new Group();
      body.name = name;
      this.add(body);
      return body;
    });
    for (let s = 0; s < model.size.shape; s++) this.#addShape(model, s);
    this.#soft = model.soft.name.map((_, n) => this.#addSoftBody(model, n));
    const material = new MeshStandardMaterial({ color: CONTACT_COLOR });
    this.#contacts = new InstancedMesh(new SphereGeometry(contactRadius, 12, 8), material, mostContacts);
    this.#contacts.count = 0;
    this.#contacts.frustumCulled = false;
    this.add(this.#contacts);
  }

  /** The group of a body, by its number; 0 is the world. */
  body(index: number): Group | undefined {
    return this.#bodies[index];
  }

  /** Takes over poses and soft vertices of a state; call it before each picture. */
  update({ bodyPosition: x, bodyOrientation: q, state }: DrawnState): void {
    this.#bodies.forEach((body, b) => {
      body.position.set(x[3 * b]!, x[3 * b + 1]!, x[3 * b + 2]!);
      body.quaternion.set(q[4 * b + 1]!, q[4 * b + 2]!, q[4 * b + 3]!, q[4 * b]!);
    });
    const soft = state?.softPosition;
    if (!soft) return;
    for (const { geometry, first, count } of this.#soft) {
      const position = geometry.getAttribute('position') as BufferAttribute;
      for (let i = 0; i < 3 * count; i++) position.array[i] = soft[3 * first + i]!;
      position.needsUpdate = true;
      geometry.computeVertexNormals();
    }
  }

  /** Shows where shapes touch, as in `simulation.contacts()`; none hides all marks. */
  showContacts(contacts: readonly ContactMark[]): void {
    const count = Math.min(contacts.length, this.#contacts.instanceMatrix.count);
    for (let i = 0; i < count; i++) {
      const [x, y, z] = contacts[i]!.position;
      this.#contacts.setMatrixAt(i, this.#place.makeTranslation(x, y, z));
    }
    this.#contacts.count = count;
    this.#contacts.instanceMatrix.needsUpdate = true;
  }

  /** Frees what the group has on the graphics card. */
  override dispose(): void {
    this.traverse((object) => {
      if (!(object instanceof Mesh)) return;
      (object.geometry as BufferGeometry).dispose();
      (object.material as MeshStandardMaterial).dispose();
    });
    this.#contacts.dispose();
  }

  #addShape(model: Model, s: number): void {
    const geometry = createShapeGeometry(model, s);
    if (!geometry) return;
    const { shape } = model;
    const [r, g, b, opacity] = shape.color.subarray(4 * s, 4 * s + 4);
    const material = new MeshStandardMaterial({
      color: new Color().setRGB(r!, g!, b!, 'srgb'),
      opacity: opacity!,
      transparent: opacity! < 1,
      side: DoubleSide,
    });
    const mesh = new Mesh(geometry, material);
    const [w, x, y, z] = shape.orientation.subarray(4 * s, 4 * s + 4);
    mesh.name = shape.name[s]!;
    mesh.position.fromArray(shape.position, 3 * s);
    mesh.quaternion.set(x!, y!, z!, w!);
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    this.#bodies[shape.body[s]!]!.add(mesh);
  }

  #addSoftBody({ soft }: Model, n: number): { geometry: BufferGeometry; first: number; count: number } {
    const [first, end] = [soft.vertexStart[n]!, soft.vertexStart[n + 1]!];
    const geometry = new BufferGeometry();
    const rest = Float32Array.from(soft.rest.subarray(3 * first, 3 * end));
    geometry.setAttribute('position', new BufferAttribute(rest, 3));
    geometry.setIndex(
      Array.from(soft.triangle.subarray(3 * soft.triangleStart[n]!, 3 * soft.triangleStart[n + 1]!), (v) => v - first),
    );
    geometry.computeVertexNormals();
    const [r, g, b] = soft.color.subarray(4 * n, 4 * n + 3);
    const material = new MeshStandardMaterial({ color: new Color().setRGB(r!, g!, b!, 'srgb'), side: DoubleSide });
    const mesh = new Mesh(geometry, material);
    mesh.name = soft.name[n]!;
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    this.add(mesh);
    return { geometry, first, count: end - first };
  }
}
