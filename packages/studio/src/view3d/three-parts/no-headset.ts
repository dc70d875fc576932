/** In place of three's support for headsets, which this page does not have: the part of it that the renderer talks to. */
export class WebXRManager {
  readonly enabled = false;
  readonly isPresenting = false;
  readonly cameraAutoUpdate = false;
  addEventListener(): void {}
  removeEventListener(): void {}
  setAnimationLoop(): void {}
  hasDepthSensing(): boolean {
    return false;
  }
  getEnvironmentBlendMode(): undefined {
    return undefined;
  }
  dispose(): void {}
}
