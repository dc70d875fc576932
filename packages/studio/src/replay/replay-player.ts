/** The player of a saved run, in the page that was saved: picture after picture in time with the clock. */
import { NeutralToneMapping, PCFShadowMap, PerspectiveCamera, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { SoftFrame } from '../session/soft-frame.ts';
import { Stage } from '../view3d/stage.ts';
import { decodeData } from './encoded-data.ts';
import { ReplayBar } from './replay-bar.ts';
import type { ReplayData } from './replay-data.ts';

const FIELD_OF_VIEW = 36;

/** What plays, and where it is. */
class ReplayPlayer {
  readonly #data: ReplayData;
  readonly #stage: Stage;
  readonly #renderer: WebGLRenderer;
  readonly #camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 1000);
  readonly #bar: ReplayBar;
  #picture = 0;
  #time = 0;
  #isPlaying = true;
  #clock = performance.now();

  constructor(data: ReplayData) {
    this.#data = data;
    document.documentElement.style.colorScheme = data.theme;
    const canvas = document.createElement('canvas');
    document.body.append(canvas);
    this.#renderer = new WebGLRenderer({ canvas, antialias: true });
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#renderer.toneMapping = NeutralToneMapping;
    this.#stage = new Stage(data.drawing, this.#poses(0), data.theme, this.#soft(0));
    if (data.soft && data.fullStress !== undefined) this.#stage.soft.showStress(data.fullStress);
    this.#stage.group.showLayers(new Set(data.layers));
    this.#stage.showGrid(data.grid);
    this.#stage.showShadows(data.shadows);
    const controls = new OrbitControls(this.#camera, canvas);
    this.#camera.up.set(0, 0, 1);
    this.#camera.position.set(...data.camera.position);
    controls.target.set(...data.camera.target);
    const distance = this.#camera.position.distanceTo(controls.target);
    this.#camera.near = distance / 200;
    this.#camera.far = 60 * distance;
    controls.update();
    this.#time = data.times[0] ?? 0;
    this.#bar = new ReplayBar({
      pictures: data.times.length,
      onToggle: () => this.#toggle(),
      onSeek: (picture) => this.#seek(picture),
    });
    document.body.append(this.#buildHeader(), this.#bar.element);
    addEventListener('resize', () => this.#resize());
    this.#resize();
    requestAnimationFrame(() => this.#tick());
  }

  /** What it is, what to look at, how it was computed. */
  #buildHeader(): HTMLElement {
    const { title, description, formulation, timestep } = this.#data;
    const header = document.createElement('header');
    const name = document.createElement('h1');
    name.textContent = title;
    const words = document.createElement('p');
    words.textContent = description;
    const details = document.createElement('small');
    details.textContent = `${formulation} · time step ${Number((1000 * timestep).toPrecision(4))} ms · recorded with NexDyn`;
    header.append(name, ...(description ? [words] : []), details);
    return header;
  }

  #seek(picture: number): void {
    const { times } = this.#data;
    this.#isPlaying = false;
    this.#time = times[Math.min(Math.max(picture, 0), times.length - 1)] ?? 0;
  }

  #toggle(): void {
    this.#isPlaying = !this.#isPlaying;
    this.#clock = performance.now();
  }

  #poses(picture: number): Float32Array {
    const width = 7 * this.#data.drawing.bodyNames.length;
    return this.#data.poses.subarray(width * picture, width * (picture + 1));
  }

  #soft(picture: number): SoftFrame | undefined {
    const { soft, times } = this.#data;
    if (!soft) return undefined;
    const count = soft.values.length / times.length;
    return {
      positions: soft.positions.subarray(3 * count * picture, 3 * count * (picture + 1)),
      values: soft.values.subarray(count * picture, count * (picture + 1)),
    };
  }

  #tick(): void {
    const { times } = this.#data;
    const now = performance.now();
    if (this.#isPlaying) this.#time += (this.#bar.speed * (now - this.#clock)) / 1000;
    this.#clock = now;
    const last = times.length - 1;
    // after the last picture comes the first
    if (this.#time > times[last]! || this.#picture > last) [this.#time, this.#picture] = [times[0]!, 0];
    while (this.#picture > 0 && times[this.#picture]! > this.#time) this.#picture -= 1;
    while (this.#picture < last && times[this.#picture + 1]! <= this.#time) this.#picture += 1;
    this.#stage.group.pose(this.#poses(this.#picture));
    this.#stage.soft.deform(this.#soft(this.#picture));
    this.#renderer.render(this.#stage.scene, this.#camera);
    this.#bar.show(this.#picture, times[this.#picture]!, this.#isPlaying);
    requestAnimationFrame(() => this.#tick());
  }

  #resize(): void {
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#renderer.setSize(innerWidth, innerHeight, false);
    const aspect = innerWidth / innerHeight;
    // an upright window sees as much from left to right as the one that was recorded
    const widening = Math.max(1, this.#data.aspect / aspect);
    const half = Math.atan(Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * widening);
    this.#camera.fov = (360 * half) / Math.PI;
    this.#camera.aspect = aspect;
    this.#camera.updateProjectionMatrix();
  }
}

const text = document.getElementById('replay')?.textContent ?? '';
new ReplayPlayer(await decodeData<ReplayData>(text));
