/** MJCF read by MuJoCo, the oracle of tests that write a mechanism twice. */
import load, { type MjModel } from '@mujoco/mujoco';

/** A function that compiles the text of a model; text that MuJoCo refuses is an error. */
export async function loadMujocoParser(): Promise<(xml: string) => MjModel> {
  const mujoco = await load();
  return (xml) => {
    const model = mujoco.MjModel.from_xml_string(xml);
    if (!model) throw new Error('the oracle refused the model');
    return model;
  };
}
