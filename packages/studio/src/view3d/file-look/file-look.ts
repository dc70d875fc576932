/**
 * What a file says about its picture, on a stage: lights, sky, textures and materials, the shapes of sites, skins, and its cameras. It comes
 * in a script of its own, where a scene has any of it.
 */
import { type ModelLook, placeView } from '@nexdyn/engine';
import { SkinSurface, viewFrom } from '@nexdyn/formats';
import {
  BackSide,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  type CubeTexture,
  DoubleSide,
  DynamicDrawUsage,
  Mesh,
  MeshStandardMaterial,
  type PerspectiveCamera,
  ShaderMaterial,
} from 'three';
import type { SceneDrawing } from '../../session/scene-drawing.ts';
import type { Stage } from '../stage.ts';
import { FileLights } from './file-lights.ts';
import { dressShapes } from './file-materials.ts';
import { FileTextures } from './file-textures.ts';

/** Poses of all bodies as the engine has them. */
interface Bodies {
  bodyPosition: Float64Array;
  bodyOrientation: Float64Array;
}

export class FileLook {
  readonly #look: ModelLook;
  readonly #lights: FileLights;
  readonly #textures: FileTextures;
  readonly #sky: Mesh<BoxGeometry, ShaderMaterial> | undefined;
  readonly #skins: { skin: SkinSurface; mesh: Mesh<BufferGeometry, MeshStandardMaterial> }[];
  #bodies: Bodies = { bodyPosition: new Float64Array(0), bodyOrientation: new Float64Array(0) };

  constructor(stage: Stage, drawing: SceneDrawing, look: ModelLook) {
    this.#look = look;
    this.#textures = new FileTextures(look);
    dressShapes(stage, drawing, look, this.#textures);
    if (this.#textures.sky) {
      this.#sky = createSky(this.#textures.sky);
      stage.setSky(this.#sky);
    }
    this.#lights = new FileLights(stage, look);
    this.#skins = look.skins.map((source) => {
      const skin = new SkinSurface(source, drawing.bodyNames);
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(skin.positions, 3).setUsage(DynamicDrawUsage));
      geometry.setAttribute('normal', new BufferAttribute(skin.normals, 3).setUsage(DynamicDrawUsage));
      geometry.setIndex(new BufferAttribute(skin.faces, 1));
      const appearance = look.appearances.find(({ name }) => name === source.appearance);
      const [r, g, b, a] = source.color ?? appearance?.color ?? [0.7, 0.7, 0.7, 1];
      const color = new Color().setRGB(r, g, b, 'srgb');
      const map = this.#textures.findPlane(appearance?.texture);
      if (map && source.textureCoordinates) {
        const places = Float32Array.from(source.textureCoordinates, (value, i) => (i % 2 === 0 ? value : 1 - value));
        geometry.setAttribute('uv', new BufferAttribute(places, 2));
      }
      const material = new MeshStandardMaterial({ color, side: DoubleSide, transparent: a < 1, opacity: a });
      if (map && source.textureCoordinates) material.map = map;
      const mesh = new Mesh(geometry, material);
      mesh.name = source.name ?? '';
      mesh.castShadow = true;
      mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      // it is no shape: nothing to point at
      mesh.raycast = () => {};
      mesh.visible = (source.layer ?? 0) < 3;
      stage.scene.add(mesh);
      return { skin, mesh };
    });
  }

  /** Seven numbers for each body, position and quaternion w x y z. */
  pose(poses: Float32Array): void {
    const count = poses.length / 7;
    const bodies: Bodies = {
      bodyPosition: Float64Array.from({ length: 3 * count }, (_, i) => poses[7 * Math.floor(i / 3) + (i % 3)]!),
      bodyOrientation: Float64Array.from({ length: 4 * count }, (_, i) => poses[7 * (i >> 2) + 3 + (i & 3)]!),
    };
    this.#bodies = bodies;
    this.#lights.pose(this.#look.light, bodies, placeView);
    for (const { skin, mesh } of this.#skins) {
      skin.deform(bodies.bodyPosition, bodies.bodyOrientation);
      for (const name of ['position', 'normal']) mesh.geometry.getAttribute(name).needsUpdate = true;
    }
  }

  showShadows(shown: boolean): void {
    this.#lights.showShadows(shown);
  }

  /** Looks as a camera of the scene does. */
  aim(camera: PerspectiveCamera, number: number, aspect: number): void {
    const view = viewFrom({ look: this.#look }, number, this.#bodies, aspect);
    const { right, up, back, eye, window, isFlat } = view;
    camera.position.set(...eye);
    camera.matrix.makeBasis(
      camera.position.clone().set(...right),
      camera.position.clone().set(...up),
      camera.position.clone().set(...back),
    );
    camera.quaternion.setFromRotationMatrix(camera.matrix);
    camera.updateMatrixWorld();
    const { extent = 2, near = 0.01, far = 50 } = this.#look.view;
    const [n, f] = [Math.max(1e-4, near * extent), Math.max(100, far * extent)];
    const [left, rightEdge, bottom, top] = window;
    if (isFlat) camera.projectionMatrix.makeOrthographic(left, rightEdge, top, bottom, n, f);
    else camera.projectionMatrix.makePerspective(n * left, n * rightEdge, n * top, n * bottom, n, f);
    camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
  }

  dispose(): void {
    this.#textures.dispose();
    this.#lights.dispose();
    this.#sky?.geometry.dispose();
    this.#sky?.material.dispose();
    for (const { mesh } of this.#skins) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
  }
}

/** A box about the eye, as far as anything can be. The cube of a file stands upright: its y is up, its z towards −y. */
function createSky(cube: CubeTexture): Mesh<BoxGeometry, ShaderMaterial> {
  const material = new ShaderMaterial({
    uniforms: { sky: { value: cube } },
    vertexShader: /* glsl */ `
      varying vec3 direction;
      void main() {
        direction = position;
        gl_Position = (projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0)).xyww;
      }`,
    fragmentShader: /* glsl */ `
      uniform samplerCube sky;
      varying vec3 direction;
      void main() {
        gl_FragColor = textureCube(sky, vec3(direction.x, direction.z, -direction.y));
        #include <colorspace_fragment>
      }`,
    side: BackSide,
    depthTest: false,
    depthWrite: false,
    toneMapped: false,
  });
  const sky = new Mesh(new BoxGeometry(2, 2, 2), material);
  sky.renderOrder = -10;
  sky.frustumCulled = false;
  sky.raycast = () => {};
  return sky;
}
