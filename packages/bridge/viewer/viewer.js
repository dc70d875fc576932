// A player for films of a simulation, for notebooks: turn with the mouse, scrub with the slider. The page gives the film as a glTF
// animation in base64, in an element `film`.
import { AnimationMixer } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { setStage } from './stage.js';

const bytes = Uint8Array.from(atob(document.getElementById('film').textContent.trim()), (c) => c.charCodeAt(0));
new GLTFLoader().parse(bytes.buffer, '', show, (error) => {
  document.body.textContent = `The film cannot be read: ${error.message}`;
});

function show({ scene: model, animations }) {
  const mixer = new AnimationMixer(model);
  for (const clip of animations) mixer.clipAction(clip).play();
  const duration = Math.max(1e-3, ...animations.map((clip) => clip.duration));

  const bar = document.createElement('div');
  const button = document.createElement('button');
  const slider = Object.assign(document.createElement('input'), { type: 'range', min: 0, max: duration, step: 'any' });
  const label = document.createElement('output');
  slider.setAttribute('aria-label', 'Time');
  bar.append(button, slider, label);

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
  setStage(model, bar, (now) => {
    if (isPlaying) go(time + (now - last) / 1000);
    last = now;
  });
}
