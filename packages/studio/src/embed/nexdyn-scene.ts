/**
 * `<nexdyn-scene src="arch" formulation="ipc">`: a running scene in any page. It shows the studio in a frame, which begins when the
 * element comes into view and rests while it is out of it.
 *
 * Attributes: `src` (a scene of the gallery, or the address of a model: MJCF, URDF, JSON, mesh, zip), `formulation`, `compare` (names,
 * separated by commas), `set` (`key=value`, separated by semicolons), `camera` (six numbers), `time` (s), `show` (`contacts,forces`),
 * `paused`, `studio` (address of another studio page). A scene can also stand inside the element, in a `<script type="application/json">`.
 * Events: `nexdyn-scene`, `nexdyn-time`, `nexdyn-problem`, with what is in `detail`.
 */
import type { EmbedCommand, EmbedEvent } from './messages.ts';

const PASSED_ON = ['formulation', 'compare', 'camera', 'show'] as const;

class NexdynScene extends HTMLElement {
  static readonly observedAttributes: readonly string[] = ['src', 'set', 'time', 'studio', ...PASSED_ON];
  #frame: HTMLIFrameElement | undefined;
  #observer: IntersectionObserver | undefined;
  #isReady = false;
  /** Whether it ran when it went out of view. */
  #isResting = false;
  #isPlaying = false;
  #waiting: EmbedCommand[] = [];
  #time = 0;

  /** Simulated time, s. */
  get currentTime(): number {
    return this.#time;
  }

  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  connectedCallback(): void {
    if (!this.style.display) this.style.display = 'block';
    // a height of its own, unless the page gives one: on phones there is room for the scene beside the controls
    if (!this.style.height && this.clientHeight === 0) {
      this.style.aspectRatio ||= '16 / 10';
      this.style.minHeight ||= '400px';
    }
    addEventListener('message', this.#listen);
    this.#observer = new IntersectionObserver((entries) => this.#look(entries.at(-1)!.isIntersecting), {
      rootMargin: '200px',
    });
    this.#observer.observe(this);
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.#listen);
    this.#observer?.disconnect();
    this.#frame?.remove();
    this.#frame = undefined;
    this.#isReady = false;
  }

  attributeChangedCallback(): void {
    if (!this.#frame) return;
    this.#isReady = false;
    // another part behind # alone would not load the page again
    this.#frame.remove();
    this.#frame = undefined;
    this.#begin();
  }

  play(): void {
    this.#send({ nexdyn: 'play' });
  }

  pause(): void {
    this.#send({ nexdyn: 'pause' });
  }

  reset(): void {
    this.#send({ nexdyn: 'reset' });
  }

  /** Go to a simulated time, s. */
  goTo(time: number): void {
    this.#send({ nexdyn: 'goTo', time });
  }

  #look(isSeen: boolean): void {
    if (isSeen && !this.#frame) this.#begin();
    else if (isSeen && this.#isResting) this.play();
    else if (!isSeen && this.#frame && this.#isPlaying) this.pause();
    else return;
    this.#isResting = !isSeen;
  }

  #begin(): void {
    const frame = document.createElement('iframe');
    frame.src = this.#address();
    frame.title = this.getAttribute('title') ?? `NexDyn: ${this.getAttribute('src') ?? 'a scene'}`;
    frame.allow = 'fullscreen; clipboard-write; gamepad; cross-origin-isolated';
    frame.style.cssText = 'width:100%;height:100%;border:0;display:block;color-scheme:normal';
    this.#frame = frame;
    // what stands inside the element is for pages that do not know it
    (this.shadowRoot ?? this.attachShadow({ mode: 'open' })).append(frame);
  }

  #address(): string {
    const studio = new URL(
      this.getAttribute('studio') ?? './index.html',
      this.hasAttribute('studio') ? document.baseURI : import.meta.url,
    );
    // a page that is given its scene opens no other one first
    studio.search = this.#findScene() ? '?embed=wait' : '?embed';
    const query = new URLSearchParams();
    for (const name of PASSED_ON) if (this.hasAttribute(name)) query.set(name, this.getAttribute(name)!);
    for (const entry of (this.getAttribute('set') ?? '').split(';'))
      if (entry.trim()) query.append('set', entry.trim());
    // an address with a time opens paused at it
    if (this.hasAttribute('time')) query.set('t', this.getAttribute('time')!);
    else if (this.hasAttribute('paused')) query.set('t', '0');
    const src = this.getAttribute('src') ?? '';
    const isName = /^[\w-]*$/.test(src);
    const mark = isName ? src : `model:${encodeURIComponent(new URL(src, document.baseURI).href)}`;
    return `${studio.href}#${mark}?${query.toString()}`;
  }

  #send(command: EmbedCommand): void {
    if (this.#isReady) this.#frame?.contentWindow?.postMessage(command, '*');
    else this.#waiting.push(command);
  }

  readonly #listen = (event: MessageEvent): void => {
    if (!this.#frame || event.source !== this.#frame.contentWindow) return;
    const message = event.data as EmbedEvent;
    if (message.nexdyn === 'ready') this.#answerReady();
    else if (message.nexdyn === 'time') {
      this.#time = message.time;
      this.#isPlaying = message.isPlaying;
    }
    if (message.nexdyn === 'ready') return;
    const { nexdyn, ...detail } = message;
    this.dispatchEvent(new CustomEvent(`nexdyn-${nexdyn}`, { detail, bubbles: true }));
  };

  /** The scene that stands inside the element. */
  #findScene(): string | undefined {
    return this.querySelector(':scope > script[type="application/json"]')?.textContent ?? undefined;
  }

  #answerReady(): void {
    this.#isReady = true;
    const scene = this.#findScene();
    if (scene) this.#send({ nexdyn: 'open', scene });
    for (const command of this.#waiting.splice(0)) this.#send(command);
  }
}

if (!customElements.get('nexdyn-scene')) customElements.define('nexdyn-scene', NexdynScene);
