import { writePose } from './frames.ts';
import type { ModelSites } from './model.ts';
import type { SceneIndex } from './scene-index.ts';

const SITE_RADIUS = 0.005;
const SITE_COLOR = [0.9, 0.3, 0.3, 1] as const;

/** The sites of a scene. */
export function compileSites(index: SceneIndex): ModelSites {
  const count = index.sites.length;
  const position = new Float64Array(3 * count);
  const orientation = new Float64Array(4 * count);
  for (let s = 0; s < count; s++) {
    writePose(index.sites[s], position, orientation, s);
  }
  return {
    name: index.sites.map((site) => site.name ?? ''),
    body: index.siteBody,
    position,
    orientation,
    radius: Float64Array.from(index.sites, ({ radius }) => radius ?? SITE_RADIUS),
    color: Float64Array.from(index.sites.flatMap(({ color }) => color ?? SITE_COLOR)),
  };
}
