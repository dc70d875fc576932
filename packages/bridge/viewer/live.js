// A simulation while another program steps it: the model comes once, then poses of its bodies as events. Turn with the mouse.
import { Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { setStage } from './stage.js';

new GLTFLoader().load('scene.glb', show, undefined, () => {
  document.body.textContent = 'The program that showed this scene has ended.';
});

function show({ scene: model }) {
  // below the root that turns z up into y up: the bodies in their order, the world first
  const bodies = model.children[0].children;
  const bar = document.createElement('div');
  const follow = Object.assign(document.createElement('input'), { type: 'checkbox', checked: true, id: 'follow' });
  const name = Object.assign(document.createElement('label'), { htmlFor: 'follow', textContent: 'Follow' });
  const label = document.createElement('output');
  label.setAttribute('role', 'status');
  bar.append(follow, name, label);

  let news;
  const source = new EventSource('poses');
  source.onmessage = ({ data }) => {
    news = JSON.parse(data);
  };
  source.onerror = () => {
    label.textContent = 'The program has ended.';
    source.close();
  };
  const before = new Vector3();
  const move = new Vector3();
  let isPlaced = false;
  setStage(model, bar, (_, camera, controls) => {
    if (!news) return;
    const { time, poses } = news;
    news = undefined;
    label.textContent = `${time.toFixed(2)} s`;
    // the first body that moves leads the camera
    const leader = bodies[1];
    leader?.getWorldPosition(before);
    for (let b = 0; 7 * b < poses.length; b++) {
      const [x, y, z, qw, qx, qy, qz] = poses.slice(7 * b, 7 * b + 7);
      bodies[b].position.set(x, y, z);
      bodies[b].quaternion.set(qx, qy, qz, qw);
    }
    if (!leader) return;
    leader.updateWorldMatrix(true, false);
    leader.getWorldPosition(move).sub(before);
    if (isPlaced && follow.checked) {
      camera.position.add(move);
      controls.target.add(move);
    }
    isPlaced = true;
  });
}
