import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { GALLERY } from '../gallery.ts';
import { PICTURE, pictureOf, replacePicture } from '../gallery-pictures.ts';
import { followSuggestions } from '../gallery-suggestion.ts';
import { openGallery } from '../opening.ts';
import type { Studio } from '../studio.ts';

export function GalleryPanel({ studio }: { studio: Studio }): JSX.Element {
  useEffect(() => followSuggestions(studio), [studio]);
  return (
    <nav class="gallery" aria-label="Scenes">
      <h2>
        Scenes{' '}
        <span class="count" title="Scenes that come with the page">
          {GALLERY.length}
        </span>
      </h2>
      <ul>
        {GALLERY.map((entry) => {
          const isOpen = studio.source.value?.galleryId === entry.id;
          return (
            <li key={entry.id}>
              <button
                type="button"
                class="card"
                data-scene={entry.id}
                aria-current={isOpen ? 'true' : undefined}
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
        Drop a MJCF, URDF or NexDyn scene anywhere on the page, with its meshes, as a folder or as a zip file; or a mesh
        alone. Nothing leaves your machine.
      </p>
    </nav>
  );
}
