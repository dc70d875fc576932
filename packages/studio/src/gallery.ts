/// <reference types="vite/client" />
/** The scenes that come with the page. */

export interface GalleryScene {
  /** Name of the file without its ending; also the mark in the address. */
  id: string;
  title: string;
  /** What to look at. */
  description: string;
  /** Address of the file. */
  url: string;
}

// only the two lines shown in the gallery become part of the page; the scenes are fetched when they are opened
const names = import.meta.glob<string>('../../../scenes/*.json', { eager: true, import: 'name' });
const descriptions = import.meta.glob<string>('../../../scenes/*.json', { eager: true, import: 'description' });
const urls = import.meta.glob<string>('../../../scenes/*.json', { eager: true, query: '?url', import: 'default' });

export const GALLERY: readonly GalleryScene[] = Object.keys(urls)
  .sort()
  .map((path) => {
    const id = path.slice(path.lastIndexOf('/') + 1, -'.json'.length);
    return { id, title: names[path] ?? id, description: descriptions[path] ?? '', url: urls[path]! };
  });
