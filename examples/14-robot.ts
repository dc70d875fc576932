import { createNodeFiles } from '@nexdyn/cli';
import { compileModel, type FormulationId, Simulation } from '@nexdyn/engine';
import { loadScene } from '@nexdyn/formats';

// a robot from a file on disk; what the file says beyond a scene is listed
const files = createNodeFiles(import.meta.dirname);
const { scene, unsupported } = loadScene('14-robot.urdf', { files });
for (const { line, message, affects } of unsupported) console.log(`line ${line}: ${message} (${affects})`);

// a scene is plain data: URDF knows no servos, so they are added here; each holds its joint at 0, the arm level
scene.actuators = ['shoulder', 'elbow'].map((joint) => ({
  kind: 'position',
  name: joint,
  transmission: { kind: 'joint', joint },
  stiffness: 500,
  damping: 20,
}));

// the weight asks for 2 kg · g · 0.2 m + 1 kg · g · (0.4 + 0.15) m at the shoulder and 1 kg · g · 0.15 m at the elbow
const loads = [9.81 * (2 * 0.2 + 0.55), 9.81 * 0.15];
console.log(`needed: ${loads.map((load) => load.toFixed(2)).join(' and ')} N m`);
const formulations: FormulationId[] = ['mujoco', 'sap', 'ccp', 'ipc'];
for (const formulation of formulations) {
  const simulation = new Simulation(compileModel(scene, { formulation }));
  simulation.step(250);
  const torques = [...simulation.derived.actuatorForce].map((torque) => (-torque).toFixed(2));
  console.log(`${formulation}: ${torques.join(' and ')} N m`);
}
