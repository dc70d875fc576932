import { render } from 'preact';
import { hashOfSearch } from './address.ts';
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

const embedded = new URLSearchParams(location.search).get('embed');
const root = document.getElementById('app')!;
if (embedded !== null) {
  void import('./embed/embed.ts').then(({ showEmbedded }) => showEmbedded(studio, root));
} else {
  render(<App studio={studio} />, root);
  if (document.querySelector('link[rel=manifest]'))
    void import('./offline.ts').then(({ keepOffline }) => keepOffline());
}

// open on the scene of the address, else on that of the page, else on the first; or wait for that of the page around this one
if (embedded !== 'wait') void start(studio, location.hash || hashOfSearch(location.search) || hashOfPage());
addEventListener('hashchange', () => void follow(studio, location.hash));

/** A page that was made for one scene says which. */
function hashOfPage(): string {
  const model = document.querySelector<HTMLMetaElement>('meta[name=nexdyn-model]')?.content;
  return model ? `#model:${encodeURIComponent(model)}` : '';
}
