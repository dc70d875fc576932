/**
 * In place of parts of three's renderer that nothing on this page uses: buffers of higher precision, shapes that change into others,
 * groups of uniforms, and shadows of point lights.
 */
export class WebGLOutput {}

export class WebGLMorphtargets {
  update(): void {}
}

export class WebGLUniformsGroups {
  update(): void {}
  bind(): void {}
  dispose(): void {}
}

export class WebGLCubeRenderTarget {}

export class FrustumArray {}
