/** Real robots: the compiled model, the scale of its soft constraints and all smooth forces are MuJoCo's, at twenty random states each (five in `npm test`). */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compileModel, Simulation } from '@nexdyn/engine';
import { loadScene } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { takeCases, takeSamples } from '../../scripts/long-run.ts';
import { expectSameModel, forceErrors, setRandomState } from './comparison.ts';
import { expectSameWeights, readWeights } from './inverse-weights.ts';
import { loadOracle, takeDamping } from './mujoco-oracle.ts';
import { isVariant } from './robots.ts';
import { folderFiles, hasModels, listFiles, listModels, MODELS } from './shared-data.ts';

interface Case {
  name: string;
  folder: string;
  path: string;
}

function listCases(): Case[] {
  if (!hasModels) return [];
  const cases: Case[] = ['humanoid', '22_humanoids'].map((name) => ({
    name,
    folder: join(MODELS, 'mujoco'),
    path: `${name}.xml`,
  }));
  const menagerie = join(MODELS, 'menagerie');
  for (const robot of readdirSync(menagerie)) {
    for (const file of listModels(join(menagerie, robot)))
      cases.push({ name: `${robot}/${file}`, folder: join(menagerie, robot), path: file });
  }
  return cases.filter(({ name }) => !isVariant(name));
}

describe.skipIf(!hasModels)('models beside the repository (../shared/models or NEXDYN_MODELS)', () => {
  test.each(takeCases(listCases(), 4))('$name', async ({ name, folder, path }) => {
    const oracle = await loadOracle(listFiles(folder), path);
    const { scene } = loadScene(path, { files: folderFiles(folder) });
    const simulation = new Simulation(compileModel(scene, { coordinates: 'joint' }));
    if (name.startsWith('trossen_wx250s')) takeDamping(oracle.model, simulation.model);
    expectSameModel(simulation.model, oracle);
    expectSameWeights(simulation.model, readWeights(oracle));
    // bodies and tendons set free keep the weights of the mechanism
    const { inverseWeight } = simulation.model;
    const freed = compileModel(scene, { coordinates: 'body' }).inverseWeight;
    expect(freed.bodyTranslation).toEqual(inverseWeight.bodyTranslation);
    expect(freed.bodyRotation).toEqual(inverseWeight.bodyRotation);
    expect(freed.tendon).toEqual(inverseWeight.tendon);
    for (let seed = 1; seed <= takeSamples(20, 0.25); seed++) {
      setRandomState(simulation, oracle, seed);
      const errors = forceErrors(simulation, oracle);
      for (const [quantity, error] of Object.entries(errors))
        expect(error, `${quantity}, state ${seed}`).toBeLessThan(1e-9);
    }
    oracle.data.delete();
    oracle.model.delete();
  });
});
