// A tower that is hit by a ball, drawn by three.js.
import { SimulationGroup } from '@nexdyn/three';
import { HemisphereLight, PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import { createTower } from './tower.ts';

const simulation = createTower();
const group = new SimulationGroup(simulation.model);
const world = new Scene().add(group, new HemisphereLight(0xffffff, 0x404040, 3));

const camera = new PerspectiveCamera(50, 16 / 9, 0.1, 100);
camera.position.set(0, 1, 3);
camera.lookAt(0, 0.5, 0);

const renderer = new WebGLRenderer();
renderer.setSize(640, 360);
document.querySelector('main')!.append(renderer.domElement);
const time = document.querySelector('output')!;

renderer.setAnimationLoop(() => {
  simulation.step(8);
  group.update(simulation);
  renderer.render(world, camera);
  time.textContent = simulation.time.toFixed(2);
});
