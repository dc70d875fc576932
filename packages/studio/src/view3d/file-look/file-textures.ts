/** Textures of a scene as the graphics card has them. */
import type { ModelLook } from '@nexdyn/engine';
import { makeTexture, type TextureImage } from '@nexdyn/formats';
import {
  CanvasTexture,
  CubeTexture,
  LinearMipmapLinearFilter,
  RepeatWrapping,
  SRGBColorSpace,
  type Texture,
} from 'three';

const ANISOTROPY = 8;

export class FileTextures {
  readonly sky: CubeTexture | undefined;
  readonly #planes = new Map<string, Texture>();
  readonly #cubes = new Map<string, CubeTexture>();

  constructor(look: ModelLook) {
    for (const source of look.textures) {
      try {
        const images = makeTexture(source);
        if (source.kind === 'skybox') this.sky ??= createCube(images);
        else if (source.name && images.length === 1) this.#planes.set(source.name, createPlane(images[0]!));
        else if (source.name) this.#cubes.set(source.name, createCube(images));
      } catch {
        // a damaged image: surfaces keep their colour
      }
    }
  }

  findPlane(name: string | undefined): Texture | undefined {
    return name === undefined ? undefined : this.#planes.get(name);
  }

  findCube(name: string | undefined): CubeTexture | undefined {
    return name === undefined ? undefined : this.#cubes.get(name);
  }

  dispose(): void {
    this.sky?.dispose();
    for (const texture of [...this.#planes.values(), ...this.#cubes.values()]) texture.dispose();
  }
}

function draw({ width, height, data }: TextureImage): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d')!;
  const pixels = new ImageData(width, height);
  pixels.data.set(data);
  context.putImageData(pixels, 0, 0);
  return canvas;
}

function createPlane(image: TextureImage): Texture {
  const texture = new CanvasTexture(draw(image));
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = RepeatWrapping;
  texture.wrapT = RepeatWrapping;
  // rows go down, as in the coordinates
  texture.flipY = false;
  texture.anisotropy = ANISOTROPY;
  return texture;
}

function createCube(images: readonly TextureImage[]): CubeTexture {
  const texture = new CubeTexture(images.map((image) => draw(image)));
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
}
