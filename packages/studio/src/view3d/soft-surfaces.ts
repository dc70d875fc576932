import { TUBE_SIDES, writeTube } from '@nexdyn/engine/geometry';
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  type Intersection,
  Mesh,
  MeshStandardMaterial,
  Triangle,
  Vector3,
} from 'three';
import type { DrawnSoftBody, SoftFrame } from '../session/soft-frame.ts';
import { writeMapColor } from './color-map.ts';

/** The value of a soft body at a point of its surface. */
export interface SoftReading {
  name: string;
  value: number;
}

/** Colours of stress mean something: part of them shows in the shadow too. */
function glow(shader: { fragmentShader: string }): void {
  shader.fragmentShader = shader.fragmentShader.replace(
    '#include <emissivemap_fragment>',
    '#include <emissivemap_fragment>\n#ifdef USE_COLOR\ntotalEmissiveRadiance += 0.35 * vColor.rgb;\n#endif',
  );
}

/** The vertex of a body that a vertex of its drawing belongs to: rods have a ring around each point. */
export function ownerOf(drawn: DrawnSoftBody, vertex: number): number {
  return drawn.rod ? Math.floor(vertex / TUBE_SIDES) : vertex;
}

/** Surfaces of soft bodies: they deform with each frame, in their own colour or in that of their stress. */
export class SoftSurfaces extends Group {
  /** Let a soft body stand out; none: all are as they are. */
  highlight(part: string | undefined, color: number): void {
    this.#bodies.forEach(({ mesh }, n) => {
      mesh.material.emissive.set(part === `soft:${n}` ? color : 0);
      mesh.material.emissiveIntensity = 0.3;
    });
  }

  readonly #bodies: { drawn: DrawnSoftBody; mesh: Mesh<BufferGeometry, MeshStandardMaterial> }[];
  #frame: SoftFrame | undefined;
  /** Value of the brightest colour; undefined: bodies have their own colour. */
  #fullStress: number | undefined;

  constructor(bodies: readonly DrawnSoftBody[]) {
    super();
    this.#bodies = bodies.map((drawn) => {
      const geometry = new BufferGeometry();
      const count = (drawn.rod ? TUBE_SIDES : 1) * drawn.vertexCount;
      const positions = new BufferAttribute(new Float32Array(3 * count), 3).setUsage(DynamicDrawUsage);
      geometry.setAttribute('position', positions);
      geometry.setAttribute('color', new BufferAttribute(new Float32Array(3 * count).fill(1), 3));
      geometry.setIndex([...drawn.triangles]);
      const material = new MeshStandardMaterial({ roughness: 0.6, metalness: 0, side: DoubleSide });
      material.onBeforeCompile = glow;
      const mesh = new Mesh(geometry, material);
      mesh.name = drawn.name;
      mesh.castShadow = true;
      mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      this.add(mesh);
      return { drawn, mesh };
    });
    this.#paint();
  }

  /** Number of the soft body whose surface an object is; -1 where it is none. */
  indexOf(object: unknown): number {
    return this.#bodies.findIndex(({ mesh }) => mesh === object);
  }

  /** Largest size of a value on the surfaces: what lies inside is not seen. */
  get peakStress(): number {
    let peak = 0;
    for (const { drawn } of this.#bodies) {
      for (const vertex of drawn.triangles)
        peak = Math.max(peak, Math.abs(this.#frame?.values[drawn.firstVertex + ownerOf(drawn, vertex)] ?? 0));
    }
    return peak;
  }

  /** The value where a ray meets a surface: between the vertices of the triangle by its distances from them. */
  read({ object, face, point }: Intersection): SoftReading | undefined {
    const body = this.#bodies.find(({ mesh }) => mesh === object);
    if (!body || !face || !this.#frame) return undefined;
    const { drawn, mesh } = body;
    const positions = mesh.geometry.getAttribute('position') as BufferAttribute;
    const corners = [face.a, face.b, face.c];
    const [a, b, c] = corners.map((v) => new Vector3().fromBufferAttribute(positions, v));
    const weights = Triangle.getBarycoord(point, a!, b!, c!, new Vector3());
    const parts = weights ? weights.toArray() : [1, 0, 0];
    const { values } = this.#frame;
    const value = corners.reduce((sum, v, k) => sum + parts[k]! * values[drawn.firstVertex + ownerOf(drawn, v)]!, 0);
    return { name: drawn.name, value };
  }

  deform(frame: SoftFrame | undefined): void {
    this.#frame = frame;
    if (!frame) return;
    for (const { drawn, mesh } of this.#bodies) {
      const { geometry } = mesh;
      const positions = geometry.getAttribute('position') as BufferAttribute;
      const { firstVertex, vertexCount } = drawn;
      const array = positions.array as Float32Array;
      if (drawn.rod)
        writeTube(array, 0, frame.positions, 3 * firstVertex, vertexCount, drawn.rod.isClosed, drawn.rod.radius);
      else array.set(frame.positions.subarray(3 * firstVertex, 3 * (firstVertex + vertexCount)));
      positions.needsUpdate = true;
      geometry.computeVertexNormals();
      geometry.boundingSphere = null;
    }
    this.#paintStress();
  }

  /** Colour by value, with the brightest colour at this one; undefined: their own colour. */
  showStress(full: number | undefined): void {
    if (full === this.#fullStress) return;
    this.#fullStress = full;
    this.#paint();
    this.#paintStress();
  }

  #paint(): void {
    const isStressed = this.#fullStress !== undefined;
    for (const { drawn, mesh } of this.#bodies) {
      const [red, green, blue] = drawn.color;
      mesh.material.color = isStressed ? new Color(1, 1, 1) : new Color().setRGB(red, green, blue, 'srgb');
      mesh.material.vertexColors = isStressed;
      mesh.material.needsUpdate = true;
    }
  }

  #paintStress(): void {
    const full = this.#fullStress;
    if (full === undefined || !this.#frame) return;
    for (const { drawn, mesh } of this.#bodies) {
      const colors = mesh.geometry.getAttribute('color') as BufferAttribute;
      for (let v = 0; v < colors.count; v++) {
        writeMapColor(
          colors.array as Float32Array,
          3 * v,
          Math.abs(this.#frame.values[drawn.firstVertex + ownerOf(drawn, v)]!) / Math.max(full, 1e-12),
        );
      }
      colors.needsUpdate = true;
    }
  }

  override dispose(): void {
    for (const { mesh } of this.#bodies) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
  }
}
