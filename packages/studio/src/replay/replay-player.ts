/** The player of a saved run, in the page that was saved: picture after picture in time with the clock. */
import { NeutralToneMapping, PCFShadowMap, PerspectiveCamera, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { SoftFrame } from '../session/soft-frame.ts';
import { Stage } from '../view3d/stage.ts';
import { decodeData } from './encoded-data.ts';
import type { ReplayData } from './replay-data.ts';

const FIELD_OF_VIEW = 36;

/** What plays, and where it is. */
class ReplayPlayer {
  readonly #data: ReplayData;
  readonly #stage: Stage;
  readonly #renderer: WebGLRenderer;
  readonly #camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 1000);
  readonly #slider = document.createElement('input');
  readonly #button = document.createElement('button');
  readonly #readout = document.createElement('output');
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
    this.#buildBar();
    addEventListener('resize', () => this.#resize());
    this.#resize();
    requestAnimationFrame(() => this.#tick());
  }

  #buildBar(): void {
    const { title, formulation, timestep, times } = this.#data;
    const header = document.createElement('header');
    const details = document.createElement('small');
    details.textContent = `${formulation}, time step ${Number((1000 * timestep).toPrecision(4))} ms`;
    header.append(title, details);
    const bar = document.createElement('div');
    bar.className = 'bar';
    this.#button.title = 'Play or pause (Space)';
    this.#button.addEventListener('click', () => this.#toggle());
    Object.assign(this.#slider, { type: 'range', min: '0', max: String(times.length - 1), value: '0', title: 'Time' });
    this.#slider.setAttribute('aria-label', 'Time');
    this.#slider.addEventListener('input', () => {
      this.#isPlaying = false;
      this.#time = times[Number(this.#slider.value)] ?? 0;
    });
    bar.append(this.#button, this.#slider, this.#readout);
    document.body.append(header, bar);
    addEventListener('keydown', (event) => {
      if (event.key !== ' ') return;
      event.preventDefault();
      this.#toggle();
    });
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
    const count = soft.stress.length / times.length;
    return {
      positions: soft.positions.subarray(3 * count * picture, 3 * count * (picture + 1)),
      stress: soft.stress.subarray(count * picture, count * (picture + 1)),
    };
  }

  #tick(): void {
    const { times } = this.#data;
    const now = performance.now();
    if (this.#isPlaying) this.#time += (now - this.#clock) / 1000;
    this.#clock = now;
    const last = times.length - 1;
    // after the last picture comes the first
    if (this.#time > times[last]! || this.#picture > last) [this.#time, this.#picture] = [times[0]!, 0];
    while (this.#picture > 0 && times[this.#picture]! > this.#time) this.#picture -= 1;
    while (this.#picture < last && times[this.#picture + 1]! <= this.#time) this.#picture += 1;
    this.#stage.group.pose(this.#poses(this.#picture));
    this.#stage.soft.deform(this.#soft(this.#picture));
    this.#renderer.render(this.#stage.scene, this.#camera);
    this.#slider.value = String(this.#picture);
    this.#readout.textContent = `${times[this.#picture]!.toFixed(3)} s`;
    this.#button.textContent = this.#isPlaying ? '❚❚' : '►';
    requestAnimationFrame(() => this.#tick());
  }

  #resize(): void {
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#renderer.setSize(innerWidth, innerHeight, false);
    this.#camera.aspect = innerWidth / innerHeight;
    this.#camera.updateProjectionMatrix();
  }
}

const text = document.getElementById('replay')?.textContent ?? '';
new ReplayPlayer(await decodeData<ReplayData>(text));
