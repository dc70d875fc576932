import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { openFiles } from '../opening.ts';
import type { Studio } from '../studio.ts';
import { CommandButton } from './command-button.tsx';
import { Icon } from './icon.tsx';

export function TopBar({ studio }: { studio: Studio }): JSX.Element {
  const isOpen = useSignal(false);
  return (
    <header class="top-bar">
      <h1 class="brand" title="NexDyn: one scene, several contact models">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M6 6 16 17l10 9" />
          <circle cx="6" cy="6" r="2.5" />
          <circle cx="16" cy="17" r="3.5" />
          <circle class="bob" cx="26" cy="26" r="4.5" />
        </svg>
        <span>NexDyn</span>
      </h1>
      <div class="title">
        <CommandButton studio={studio} command="previous" icon="left" />
        <SceneTitle studio={studio} />
        <CommandButton studio={studio} command="next" icon="right" />
      </div>
      <button
        type="button"
        class="button plain menu"
        title="Open, share and settings"
        aria-label="Menu"
        aria-expanded={isOpen.value}
        aria-controls="tools"
        data-role="menu"
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Icon name={isOpen.value ? 'close' : 'menu'} />
      </button>
      <div class={isOpen.value ? 'tools open' : 'tools'} id="tools">
        <CommandButton studio={studio} command="openFiles" icon="files" text="Open files" />
        <CommandButton studio={studio} command="openFolder" icon="folder" text="Open folder" />
        <span class="divider" />
        <CommandButton studio={studio} command="copyLink" icon="link" wideText="Link" />
        <CommandButton studio={studio} command="copyCommand" icon="terminal" wideText="Command" />
        <CommandButton studio={studio} command="screenshot" icon="camera" wideText="Picture" />
        <CommandButton studio={studio} command="saveFilm" icon="film" wideText="Video" />
        <CommandButton studio={studio} command="saveAs" icon="save" wideText="Save" isOn={studio.saveOpen.value} />
        <span class="divider" />
        <CommandButton studio={studio} command="gallery" icon="panelLeft" isOn={studio.panels.value.gallery} />
        <CommandButton studio={studio} command="measurements" icon="panelRight" isOn={studio.panels.value.side} />
        <CommandButton studio={studio} command="theme" icon={studio.theme.value === 'dark' ? 'sun' : 'moon'} />
        <CommandButton studio={studio} command="help" icon="help" />
      </div>
    </header>
  );
}

/** The name of the scene, or a choice where the files hold several. */
function SceneTitle({ studio }: { studio: Studio }): JSX.Element {
  const source = studio.source.value;
  if (source && source.choices.length > 1) {
    const shared = sharedFolder(source.choices).length;
    return (
      <select
        class="scene-choice"
        title="Scenes in these files"
        aria-label="Scenes in these files"
        value={source.path}
        onChange={(event) => {
          event.currentTarget.blur();
          void openFiles(studio, source, event.currentTarget.value);
        }}
      >
        {source.choices.map((path) => (
          <option key={path} value={path}>
            {path.slice(shared)}
          </option>
        ))}
      </select>
    );
  }
  return (
    <span class="scene-name">{studio.scene.value?.facts.name ?? (studio.opening.value ? 'Opening…' : 'No scene')}</span>
  );
}

/** The folder that all paths begin with, its '/' included. */
function sharedFolder([first = '', ...rest]: readonly string[]): string {
  let folder = first.slice(0, first.lastIndexOf('/') + 1);
  while (!rest.every((path) => path.startsWith(folder)))
    folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  return folder;
}
