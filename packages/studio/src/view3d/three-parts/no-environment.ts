/** In place of three's environment maps, which no material of this page has: the part that the renderer talks to. */
export class WebGLEnvironments {
  get(texture: unknown): unknown {
    return texture ?? null;
  }
  dispose(): void {}
}
