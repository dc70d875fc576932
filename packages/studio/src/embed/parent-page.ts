/** Obeys the page around this one and tells it what happens. */
import { effect } from '@preact/signals';
import { FORMULATIONS } from '../address.ts';
import { follow } from '../navigation.ts';
import type { Studio } from '../studio.ts';
import { type EmbedCommand, type EmbedEvent, readCommand } from './messages.ts';

export function listenToParent(studio: Studio): void {
  if (window.parent === window) return;
  addEventListener('message', (event) => {
    if (event.source !== window.parent) return;
    const command = readCommand(event.data);
    if (command) obey(studio, command);
  });
  effect(() => {
    const facts = studio.scene.value?.facts;
    if (facts) tell({ nexdyn: 'scene', name: facts.name, formulation: facts.formulation });
  });
  effect(() => {
    const time = studio.frame.value?.time;
    if (time !== undefined) tell({ nexdyn: 'time', time, isPlaying: studio.playing.value });
  });
  effect(() => {
    const reason = studio.problem.value?.reason ?? studio.stop.value?.reason;
    if (reason !== undefined) tell({ nexdyn: 'problem', reason });
  });
  tell({ nexdyn: 'ready' });
}

function tell(message: EmbedEvent): void {
  // nothing here is secret, and the page around may come from anywhere
  window.parent.postMessage(message, '*');
}

function obey(studio: Studio, command: EmbedCommand): void {
  switch (command.nexdyn) {
    case 'play':
    case 'pause':
      if (studio.scene.value && studio.playing.value !== (command.nexdyn === 'play')) studio.togglePlay();
      return;
    case 'reset':
      studio.reset();
      return;
    case 'goTo':
      studio.seekTime(command.time);
      return;
    case 'formulation':
      if (FORMULATIONS.includes(command.formulation)) studio.chooseFormulation(command.formulation);
      return;
    case 'open':
      void follow(studio, location.hash, { files: { 'scene.json': command.scene }, path: 'scene.json' });
  }
}
