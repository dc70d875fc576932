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

// lessons: their titles alone
const lessonNames = import.meta.glob<string>('../../../scenes/lessons/*.json', { eager: true, import: 'name' });
const lessonUrls = import.meta.glob<string>('../../../scenes/lessons/*.json', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** Contact scenes first, then swinging ones; others follow by name. */
const ORDER = [
  'newton-cradle',
  'domino-row',
  'box-stack',
  'pyramid',
  'arch',
  'thin-tray',
  'linked-rings',
  'nut-on-bolt',
  'peg-in-hole',
  'gear-pair',
  'chain-of-links',
  'incline',
  'rolling-spheres',
  'conveyor',
  'gripper',
  'soft-press',
  'soft-gripper',
  'pressure-plate',
  'cantilever',
  'wrecking-ball',
  'ragdoll',
  'hill-tumble',
  'touching-shapes',
  'robot-arm',
];

function rankOf(id: string): number {
  const place = ORDER.indexOf(id);
  return place < 0 ? ORDER.length : place;
}

/** From what is simple to what is not. */
const LESSON_ORDER = [
  'friction-angle',
  'stopping-distance',
  'slide-to-roll',
  'bounce-height',
  'time-step',
  'stiff-contact',
  'heavy-load',
  'arch-thickness',
  'gyroscope',
  'multiplier-joint',
  'thin-wall',
  'block-stress',
];

const idOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.json'.length);

/** Scenes with a lesson, in the order of a course. */
export const LESSONS: readonly GalleryScene[] = Object.keys(lessonUrls)
  .map((path) => ({ id: idOf(path), title: lessonNames[path] ?? '', description: '', url: lessonUrls[path]! }))
  .sort((a, b) => LESSON_ORDER.indexOf(a.id) - LESSON_ORDER.indexOf(b.id));

/** The gallery scene that is open, or that the address says will be. */
export function openGalleryId(open: { readonly galleryId: string | undefined } | undefined): string | undefined {
  return open ? open.galleryId : location.hash.slice(1).split('?', 1)[0];
}

export function isLesson(id: string | undefined): boolean {
  return LESSONS.some((lesson) => lesson.id === id);
}

export const GALLERY: readonly GalleryScene[] = Object.keys(urls)
  .map((path) => {
    const id = idOf(path);
    return { id, title: names[path] ?? id, description: descriptions[path] ?? '', url: urls[path]! };
  })
  .sort((a, b) => rankOf(a.id) - rankOf(b.id) || (a.id < b.id ? -1 : 1));
