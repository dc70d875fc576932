import { NexdynError } from '@nexdyn/engine';
import { loadScene, memoryFiles } from '@nexdyn/formats';

const files = memoryFiles({
  'robot.xml': `<mujoco>
  <worldbody>
    <body><joint type="hinge" axis="0 0 0"/><geom size="0.1"/></body>
  </worldbody>
</mujoco>`,
});
try {
  loadScene('robot.xml', { files });
} catch (error) {
  if (!(error instanceof NexdynError)) throw error;
  console.log(`${error.code} in ${error.file}, line ${error.line}: ${error.reason}`);
}
