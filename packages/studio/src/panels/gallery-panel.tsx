import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { GALLERY, isLesson, LESSONS, openGalleryId } from '../gallery.ts';
import { PICTURE, pictureOf, replacePicture } from '../gallery-pictures.ts';
import { followSuggestions } from '../gallery-suggestion.ts';
import { openGallery } from '../opening.ts';
import type { Studio } from '../studio.ts';
import { Icon } from './icon.tsx';

export function GalleryPanel({ studio }: { studio: Studio }): JSX.Element {
  const list = useRef<HTMLElement>(null);
  const open = openGalleryId(studio.source.value);
  useEffect(() => followSuggestions(studio), [studio]);
  // keys and links open scenes too: the card of the open one is always seen
  useEffect(() => {
    const card = list.current?.querySelector('[aria-current]');
    const row = list.current?.querySelector(':scope > ul');
    if (card && row) for (const box of [list.current!, row]) scrollInto(box, card);
  }, [open]);
  return (
    <nav class="gallery" aria-label="Scenes" ref={list}>
      <Lessons studio={studio} open={open} />
      <h2>
        Scenes{' '}
        <span class="count" title="Scenes of the gallery">
          {GALLERY.length}
        </span>
      </h2>
      <ul>
        {GALLERY.map((entry) => {
          return (
            <li key={entry.id}>
              <button
                type="button"
                class="card"
                data-scene={entry.id}
                aria-current={open === entry.id ? 'true' : undefined}
                title={entry.description}
                onClick={() => void openGallery(studio, entry)}
              >
                <span class="picture">
                  <img
                    src={pictureOf(studio, entry.id)}
                    alt=""
                    loading="lazy"
                    decoding="async"
                    {...PICTURE}
                    onError={() => replacePicture(studio, entry.id)}
                  />
                </span>
                <span class="words">
                  <strong>{entry.title}</strong>
                  <small>{entry.description}</small>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      <p class="drop-hint">
        Drop an MJCF, URDF or NexDyn scene anywhere on the page, with its meshes, as a folder or zip file, or a single
        mesh. Nothing leaves your machine.
      </p>
    </nav>
  );
}

/** The lessons, folded up until they are wanted. */
function Lessons({ studio, open }: { studio: Studio; open: string | undefined }): JSX.Element {
  return (
    <details class="lessons" open={isLesson(open)}>
      <summary title="Lessons: a question, sliders, and theory beside the measurement">
        <Icon name="right" />
        <h2>
          Lessons <span class="count">{LESSONS.length}</span>
        </h2>
      </summary>
      <ol>
        {LESSONS.map((entry) => (
          <li key={entry.id}>
            <button
              type="button"
              class="lesson-card"
              data-scene={entry.id}
              aria-current={open === entry.id ? 'true' : undefined}
              title={`Lesson: ${entry.title}`}
              onClick={() => void openGallery(studio, entry)}
            >
              {entry.title}
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}

/** Scroll a box, and nothing else, until it shows an element. */
function scrollInto(box: Element, element: Element): void {
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  box.scrollTop += Math.min(0, inner.top - outer.top) + Math.max(0, inner.bottom - outer.bottom);
  box.scrollLeft += Math.min(0, inner.left - outer.left) + Math.max(0, inner.right - outer.right);
}
