/** Lights of a file on a stage, and the one at the camera. A full light of a file is π of three's. */
import type { Headlight, Light, ModelLook, placeView as PlaceView, Vec3 } from '@nexdyn/engine';
import { AmbientLight, Color, DirectionalLight, type Light as DrawnLight, PointLight, SpotLight, Vector3 } from 'three';
import type { Stage } from '../stage.ts';

/** Lights that cast shadows, at most: each draws the scene once more. */
const MOST_SHADOWS = 8;

export class FileLights {
  readonly #lights: { light: DrawnLight; index: number; castsShadow: boolean }[] = [];
  readonly #radius: number;
  readonly #pose = { position: new Float64Array(3), rotation: new Float64Array(9) };

  constructor(stage: Stage, look: ModelLook) {
    this.#radius = stage.radius;
    const active = look.lights.flatMap((light, index) => (light.active === false ? [] : [{ light, index }]));
    if (active.length === 0 && !look.view.headlight) return;
    stage.hideOwnLights();
    const ambient = new Color(0, 0, 0);
    for (const { light, index } of active) {
      addColor(ambient, light.ambient ?? [0, 0, 0]);
      const drawn = createLight(light);
      const castsShadow = (light.castShadow ?? true) && this.#lights.filter((l) => l.castsShadow).length < MOST_SHADOWS;
      if (castsShadow) this.#prepareShadow(drawn);
      this.#lights.push({ light: drawn, index, castsShadow });
      stage.scene.add(drawn);
      if (!(drawn instanceof PointLight)) stage.scene.add((drawn as DirectionalLight).target);
    }
    this.#addHeadlight(stage, look.view.headlight ?? {}, ambient);
    stage.scene.add(new AmbientLight(ambient, Math.PI));
  }

  pose(
    views: ModelLook['light'],
    bodies: { bodyPosition: Float64Array; bodyOrientation: Float64Array },
    placeView: typeof PlaceView,
  ): void {
    for (const { light, index } of this.#lights) {
      const { position: p, rotation: r } = placeView(this.#pose, views, index, bodies);
      const direction = new Vector3(-r[2]!, -r[5]!, -r[8]!);
      light.position.set(p[0]!, p[1]!, p[2]!);
      if (light instanceof PointLight) continue;
      const { target } = light as DirectionalLight;
      // parallel rays come from far enough to have all of the scene before them
      if (light instanceof DirectionalLight) {
        target.position.copy(light.position).addScaledVector(direction, this.#radius);
        light.position.addScaledVector(direction, -4 * this.#radius);
      } else target.position.copy(light.position).add(direction);
    }
  }

  showShadows(shown: boolean): void {
    for (const { light, castsShadow } of this.#lights) light.castShadow = shown && castsShadow;
  }

  dispose(): void {
    for (const { light } of this.#lights) light.dispose();
  }

  #addHeadlight(
    stage: Stage,
    { active, ambient = [0.1, 0.1, 0.1], diffuse = [0.4, 0.4, 0.4] }: Headlight,
    sum: Color,
  ): void {
    if (active === false) return;
    addColor(sum, ambient);
    const light = new DirectionalLight(toColor(diffuse), Math.PI);
    stage.scene.add(light, light.target);
    stage.scene.onBeforeRender = (_renderer, _scene, camera) => {
      light.position.copy(camera.position);
      camera.getWorldDirection(light.target.position);
      light.target.position.add(camera.position);
      light.updateMatrixWorld();
      light.target.updateMatrixWorld();
    };
  }

  #prepareShadow(light: DrawnLight): void {
    light.castShadow = true;
    const { shadow } = light as DirectionalLight;
    const reach = 2.2 * this.#radius;
    shadow.mapSize.set(2048, 2048);
    shadow.bias = -0.0005;
    shadow.normalBias = 0.004 * this.#radius;
    if (light instanceof DirectionalLight)
      Object.assign(shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach });
    Object.assign(shadow.camera, { near: 0.05 * this.#radius, far: 14 * this.#radius });
    shadow.camera.updateProjectionMatrix();
  }
}

function createLight({
  kind = 'spot',
  diffuse = [0.7, 0.7, 0.7],
  cutoff = Math.PI / 4,
  attenuation,
}: Light): DrawnLight {
  const color = toColor(diffuse);
  const decay = attenuation && attenuation[2] > 0 ? 2 : 0;
  if (kind === 'directional') return new DirectionalLight(color, Math.PI);
  if (kind === 'point') return new PointLight(color, Math.PI, 0, decay);
  return new SpotLight(color, Math.PI, 0, Math.min(cutoff, 1.5), 0.4, decay);
}

const toColor = ([r, g, b]: Vec3): Color => new Color(r, g, b);

function addColor(sum: Color, [r, g, b]: Vec3): void {
  sum.r += r;
  sum.g += g;
  sum.b += b;
}
