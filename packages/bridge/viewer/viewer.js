// A player for films of a simulation, for notebooks: turn with the mouse, scrub with the slider. The page gives the film as a glTF
// animation in base64, in an element `film`.
import {
  AmbientLight,
  AnimationMixer,
  Box3,
  Color,
  DirectionalLight,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const bytes = Uint8Array.from(atob(document.getElementById('film').textContent.trim()), (c) => c.charCodeAt(0));
new GLTFLoader().parse(bytes.buffer, '', show, (error) => {
  document.body.textContent = `The film cannot be read: ${error.message}`;
});

function show({ scene: model, animations }) {
  const scene = new Scene();
  scene.background = new Color(0xdfe6ee);
  scene.add(model, new AmbientLight(0xffffff, 1.6));
  const renderer = new WebGLRenderer({ antialias: true });
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  const camera = new PerspectiveCamera(45, 1, 0.01, 1000);
  const lamp = new DirectionalLight(0xffffff, 2);
  camera.add(lamp);
  lamp.position.set(0.5, 1, 0.5);
  scene.add(camera);
  const controls = new OrbitControls(camera, renderer.domElement);
  const mixer = new AnimationMixer(model);
  for (const clip of animations) mixer.clipAction(clip).play();
  const duration = Math.max(1e-3, ...animations.map((clip) => clip.duration));

  const bar = document.createElement('div');
  const button = document.createElement('button');
  const slider = Object.assign(document.createElement('input'), { type: 'range', min: 0, max: duration, step: 'any' });
  const label = document.createElement('output');
  slider.setAttribute('aria-label', 'Time');
  bar.append(button, slider, label);
  document.body.append(renderer.domElement, bar);

  let time = 0;
  let isPlaying = true;
  let last = performance.now();
  const go = (seconds) => {
    time = seconds % duration;
    mixer.setTime(time);
    slider.value = String(time);
    label.textContent = `${time.toFixed(2)} s`;
  };
  const setPlaying = (value) => {
    isPlaying = value;
    button.textContent = value ? 'Pause' : 'Play';
  };
  button.onclick = () => setPlaying(!isPlaying);
  slider.oninput = () => {
    setPlaying(false);
    go(Math.min(Number(slider.value), duration - 1e-9));
  };
  setPlaying(true);
  go(0);
  frameModel(model, camera, controls);
  const resize = () => {
    const height = innerHeight - bar.offsetHeight;
    renderer.setSize(innerWidth, height);
    camera.aspect = innerWidth / height;
    camera.updateProjectionMatrix();
  };
  addEventListener('resize', resize);
  resize();
  renderer.setAnimationLoop((now) => {
    if (isPlaying) go(time + (now - last) / 1000);
    last = now;
    controls.update();
    renderer.render(scene, camera);
  });
}

/** Looks at the meshes that are not the floor. */
function frameModel(model, camera, controls) {
  const box = new Box3();
  model.updateWorldMatrix(true, true);
  model.traverse((node) => {
    if (!node.isMesh) return;
    const own = new Box3().setFromObject(node);
    const size = own.getSize(new Vector3());
    if (Math.min(size.x, size.y, size.z) > 1e-6) box.union(own);
  });
  if (box.isEmpty()) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  const center = box.getCenter(new Vector3());
  const distance = 0.6 + 1.1 * box.getSize(new Vector3()).length();
  camera.position.set(center.x + 0.5 * distance, center.y + 0.35 * distance, center.z + 0.8 * distance);
  controls.target.copy(center);
}
