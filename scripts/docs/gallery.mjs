// The gallery of the site: a picture of every scene, which leads to the studio with that scene.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeHtml } from './highlight.mjs';

export const GALLERY = 'gallery.html';

/** Pages that a site with the studio has besides those of the documentation. */
export const LIVE_PAGES = [
  { target: 'studio/index.html', label: 'Open the studio' },
  { target: GALLERY, label: 'Gallery' },
];

/** The scenes that come with NexDyn: { id, name, description, picture }. */
export function listGallery(root, studio) {
  const folder = join(root, 'scenes');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const id = file.slice(0, -'.json'.length);
      const { name, description } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      const hasPicture = existsSync(join(studio, `pictures/light/${id}.webp`));
      return { id, name: name ?? id, description: description ?? '', hasPicture };
    });
}

export function renderGallery(scenes) {
  const cards = scenes.map(({ id, name, description, hasPicture }) => {
    const picture = hasPicture
      ? `<picture><source media="(prefers-color-scheme: dark)" srcset="studio/pictures/dark/${id}.webp"><img src="studio/pictures/light/${id}.webp" alt="" loading="lazy"></picture>`
      : '';
    return `<li><a href="studio/index.html#${id}">${picture}<strong>${escapeHtml(name)}</strong></a><p>${escapeHtml(description)}</p></li>`;
  });
  const html = `<h1 id="gallery">Gallery</h1>\n<p>Every scene opens in the studio, running. Choose a formulation there, or compare them side by side.</p>\n<ul class="gallery">${cards.join('\n')}</ul>\n`;
  return { html, title: 'Gallery', headings: [{ level: 1, text: 'Gallery', anchor: 'gallery' }] };
}
