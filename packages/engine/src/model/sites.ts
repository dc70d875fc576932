import type { Site } from '../scene/site.ts';
import { writePose } from './frames.ts';
import { type ModelSites, SITE_SHAPE } from './model.ts';
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
    radius: Float64Array.from(index.sites, measureRadius),
    shape: Uint8Array.from(index.sites, ({ shape }) => SITE_SHAPE[shape ?? 'sphere']),
    size: Float64Array.from(index.sites.flatMap(listSizes)),
    color: Float64Array.from(index.sites.flatMap(({ color }) => color ?? SITE_COLOR)),
  };
}

/** Of what is drawn: a ball about as large as the volume. */
function measureRadius({ shape, radius, size }: Site): number {
  return (shape === undefined || shape === 'sphere' ? radius : size?.[0]) ?? SITE_RADIUS;
}

function listSizes({ shape = 'sphere', radius = SITE_RADIUS, size = [] }: Site): number[] {
  if (shape === 'sphere') return [radius, 0, 0];
  return [0, 1, 2].map((k) => size[k] ?? (k === 2 && (shape === 'capsule' || shape === 'cylinder') ? 0 : SITE_RADIUS));
}
