/** Writes a run as one page that plays it: the pictures, what is drawn, and the player. It needs nothing else. */

import type { Studio } from '../studio.ts';
import { encodeData } from './encoded-data.ts';
import style from './replay.css?raw';
import type { ReplayData } from './replay-data.ts';
import playerUrl from './replay-player.ts?worker&url';

/** Pictures at most. */
const MOST_PICTURES = 1800;

export async function exportReplay(studio: Studio): Promise<Blob | undefined> {
  const scene = studio.scene.value;
  const first = studio.comparison.value?.runs.find((run) => run.scene);
  const film = await (first?.session ?? studio.session).film(MOST_PICTURES);
  const camera = studio.viewport?.camera;
  if (!scene || !film || !camera) return undefined;
  const { layers, grid, shadows } = studio.view.value;
  const data: ReplayData = {
    title: scene.facts.name,
    description: scene.facts.description ?? '',
    formulation: (first?.scene ?? scene).facts.formulation,
    timestep: scene.facts.timestep,
    theme: studio.theme.value,
    camera,
    aspect: studio.viewport?.aspect ?? 1,
    layers: [...layers],
    grid,
    fullStress: studio.viewport?.fullStress,
    shadows,
    drawing: scene.drawing,
    ...film,
  };
  const player = await (await fetch(playerUrl)).text();
  return new Blob([writePage(data.title, await encodeData(data), player)], { type: 'text/html' });
}

function writePage(title: string, data: string, player: string): string {
  const name = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name} · NexDyn replay</title>
<style>${style}</style>
</head>
<body>
<script type="text/plain" id="replay">${data}</script>
<script type="module">${player.replaceAll('</script', '<\\/script')}</script>
</body>
</html>
`;
}
