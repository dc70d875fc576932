/** Pictures of the gallery: they lie beside the page; scenes that have none there are drawn. */
import { GALLERY } from './gallery.ts';
import type { Studio } from './studio.ts';

/** Pixels of a picture; the page shows it at half the size or less. */
export const PICTURE = { width: 540, height: 256 } as const;

/** Scenes without a picture beside the page. */
const missing = new Set<string>();

/** Address of the picture of a scene. */
export function pictureOf(studio: Studio, id: string): string {
  return studio.thumbnails.value.get(id) ?? `./pictures/${studio.theme.value}/${id}.webp`;
}

/** Draw a scene whose picture is not there. */
export function replacePicture(studio: Studio, id: string): void {
  if (missing.has(id)) return;
  missing.add(id);
  void paint(studio, id);
}

/** Draw again, one after the other, what had to be drawn: the theme has changed. */
export async function paintGallery(studio: Studio): Promise<void> {
  for (const id of missing) await paint(studio, id);
}

async function paint(studio: Studio, id: string): Promise<void> {
  const entry = GALLERY.find((scene) => scene.id === id);
  await idle();
  if (!entry) return;
  const path = `${id}.json`;
  const preview = await studio.session.preview({ [path]: await fetchText(entry.url) }, path);
  const picture =
    preview && (await studio.viewport?.thumbnail(preview.drawing, preview, PICTURE.width, PICTURE.height));
  if (picture) studio.thumbnails.value = new Map(studio.thumbnails.value).set(id, picture);
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
