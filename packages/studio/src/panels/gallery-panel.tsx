import type { JSX } from 'preact';
import { GALLERY } from '../gallery.ts';
import { openGallery } from '../opening.ts';
import type { Studio } from '../studio.ts';

export function GalleryPanel({ studio }: { studio: Studio }): JSX.Element {
  return (
    <nav class="gallery" aria-label="Scenes">
      <h2>Scenes</h2>
      <ul>
        {GALLERY.map((entry) => {
          const picture = studio.thumbnails.value.get(entry.id);
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
                <span class="picture">{picture && <img src={picture} alt="" width="224" height="208" />}</span>
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
