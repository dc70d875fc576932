import { compileModel, Simulation } from '@nexdyn/engine';
import { loadScene, memoryFiles } from '@nexdyn/formats';

// any file source will do: a folder on disk, files dropped on a page, or text in memory
const files = memoryFiles({
  'slider.xml': `<mujoco model="slider">
    <option timestep="0.001"/>
    <worldbody>
      <body><joint type="slide" axis="1 0 0" stiffness="100"/><geom type="sphere" size="0.1" mass="1"/></body>
    </worldbody>
    <custom><numeric name="mine" data="1"/></custom>
  </mujoco>`,
});
const { scene, unsupported } = loadScene('slider.xml', { files });
for (const item of unsupported) console.log(`${item.file}:${item.line}:${item.column} ${item.message}`);

// 1 kg on a spring of 100 N/m swings with 10 rad/s: half a period is pi / 10 s
const simulation = new Simulation(compileModel(scene));
simulation.state.velocity[0] = 1;
simulation.step(314);
console.log(`after half a period: ${simulation.state.velocity[0].toFixed(2)} m/s`);
