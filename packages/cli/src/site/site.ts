/** A site for any static host, under any path: the studio, and the documentation with running scenes in its pages where it is at hand. */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NexdynError, type Scene } from '@nexdyn/engine';
import { writeSceneJson } from '@nexdyn/formats';
import { fromPackage } from '../package-folder.ts';
import { addOfflineFiles, WEB_MANIFEST } from './offline.ts';
import { writeSiteFolder } from './site-folder.ts';

const STUDIO_FOLDER = fromPackage('../studio/dist');
/** What builds the documentation: part of a clone, not of the installed package. */
const DOCS_BUILDER = fromPackage('../../scripts/docs/site.mjs');
const SCENE_FILE = 'scene.json';

export interface Site {
  files: string[];
  hasDocs: boolean;
}

/** Studio, documentation and gallery. */
export async function writeWholeSite(folder: string, isForced: boolean, studio: string = STUDIO_FOLDER): Promise<Site> {
  const hasDocs = existsSync(DOCS_BUILDER);
  const files = await writeSiteFolder(folder, isForced, async (partial) => {
    copyStudio(studio, join(partial, 'studio'), '../');
    if (hasDocs) {
      const { writePages } = (await import(pathToFileURL(DOCS_BUILDER).href)) as DocsBuilder;
      writePages(partial, { studio });
    } else writeFileSync(join(partial, 'index.html'), formatRedirect('studio/index.html'));
    addOfflineFiles(partial, { name: 'NexDyn', page: 'studio/index.html', icon: 'studio/icon.svg' });
  });
  return { files, hasDocs };
}

/** The studio with one scene, which it opens on. */
export async function writeSceneSite(
  folder: string,
  scene: Scene,
  isForced: boolean,
  studio: string = STUDIO_FOLDER,
): Promise<Site> {
  const name = scene.name ?? 'Scene';
  const files = await writeSiteFolder(folder, isForced, (partial) => {
    copyStudio(studio, partial, './', { title: name, model: SCENE_FILE });
    writeFileSync(join(partial, SCENE_FILE), writeSceneJson(scene));
    addOfflineFiles(partial, { name, page: 'index.html', icon: 'icon.svg' });
  });
  return { files, hasDocs: false };
}

interface DocsBuilder {
  writePages(folder: string, options: { studio?: string }): string[];
}

/** Copies the page of the studio; `up` leads from it to the root of the site. */
function copyStudio(studio: string, folder: string, up: string, one?: { title: string; model: string }): void {
  const page = join(studio, 'index.html');
  if (!existsSync(page)) {
    throw new NexdynError('invalid-argument', 'the studio is not built', { hint: 'run npm run build in the clone' });
  }
  cpSync(studio, folder, { recursive: true });
  let html = readFileSync(page, 'utf8');
  const head = [`<link rel="manifest" href="${up}${WEB_MANIFEST}" />`];
  if (one) {
    head.push(`<meta name="nexdyn-model" content="${one.model}" />`);
    html = html.replace(/<title>.*<\/title>/, `<title>${escapeHtml(one.title)}</title>`);
  }
  writeFileSync(join(folder, 'index.html'), html.replace('</head>', `  ${head.join('\n    ')}\n  </head>`));
}

function formatRedirect(page: string): string {
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>NexDyn</title><meta http-equiv="refresh" content="0; url=${page}"></head>\n<body><a href="${page}">NexDyn</a></body></html>\n`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
