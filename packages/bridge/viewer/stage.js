// What viewers have in common: a model from a glTF file in light, a camera that turns with the mouse, room for a bar below.
import { AmbientLight, Box3, Color, DirectionalLight, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

/** Puts a model on the page; `draw` is called before each picture with the time in ms. */
export function setStage(model, bar, draw) {
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
  document.body.append(renderer.domElement, bar);
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
    draw(now, camera, controls);
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
