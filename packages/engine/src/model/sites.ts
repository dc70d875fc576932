import { writePose } from './frames.ts';
import type { ModelSites } from './model.ts';
import type { SceneIndex } from './scene-index.ts';

/** The sites of a scene. */
export function compileSites(index: SceneIndex): ModelSites {
  const count = index.sites.length;
  const position = new Float64Array(3 * count);
  const orientation = new Float64Array(4 * count);
  for (let s = 0; s < count; s++) {
    writePose(index.sites[s], position, orientation, s);
  }
  return { name: index.sites.map((site) => site.name ?? ''), body: index.siteBody, position, orientation };
}
