import { GALLERY } from './gallery.ts';
import type { Studio } from './studio.ts';

/** Draw the pictures of the gallery, one after the other, when the page has nothing better to do. */
export async function paintGallery(studio: Studio): Promise<void> {
  for (const { id, url } of GALLERY) {
    await idle();
    const path = `${id}.json`;
    const preview = await studio.session.preview({ [path]: await fetchText(url) }, path);
    if (!preview || !studio.viewport) continue;
    const picture = await studio.viewport.thumbnail(preview.drawing, preview, 224, 208);
    studio.thumbnails.value = new Map(studio.thumbnails.value).set(id, picture);
  }
}

export async function fetchText(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.text();
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: 500 });
    else setTimeout(resolve, 50);
  });
}
