import { render } from 'preact';
import { App } from './app.tsx';
import { listenToDrops } from './drop.ts';
import { listenToKeys } from './keys.ts';
import { follow, start } from './navigation.ts';
import { exposePageInterface } from './page-interface.ts';
import { Studio } from './studio.ts';
import './style.css';

const studio = new Studio();
listenToKeys(studio);
listenToDrops(studio);
exposePageInterface(studio);

// a click does not take the focus, so that Space goes on to mean play and pause; what can be dragged needs it
addEventListener('mousedown', (event) => {
  if ((event.target as Element).closest('button:not([draggable="true"])')) event.preventDefault();
});

render(<App studio={studio} />, document.getElementById('app')!);

// open on the scene of the address, else on the first
void start(studio, location.hash);
addEventListener('hashchange', () => void follow(studio, location.hash));
