/** The controls of a saved run: play, speed, time. */

/** Line drawings on a 20 by 20 field. */
const ICONS = {
  play: 'M6.5 4.2v11.6c0 .5.5.8.9.5l8.9-5.8c.4-.2.4-.8 0-1L7.4 3.7c-.4-.3-.9 0-.9.5z',
  pause: 'M6 4h2.6v12H6zM11.4 4H14v12h-2.6z',
} as const;

/** Seconds of the run per second of the clock, one after the other. */
const SPEEDS = [1, 2, 0.1, 0.25, 0.5] as const;

export interface ReplayBarOptions {
  /** Number of pictures. */
  pictures: number;
  onToggle: () => void;
  /** Go to a picture. */
  onSeek: (picture: number) => void;
}

export class ReplayBar {
  readonly element: HTMLElement = document.createElement('div');
  readonly #play = document.createElement('button');
  readonly #speed = document.createElement('button');
  readonly #slider = document.createElement('input');
  readonly #readout = document.createElement('output');
  #speedPlace = 0;
  #shown = '';

  constructor({ pictures, onToggle, onSeek }: ReplayBarOptions) {
    this.element.className = 'bar';
    this.#play.className = 'play';
    this.#play.title = 'Play or pause (Space)';
    this.#play.addEventListener('click', onToggle);
    this.#speed.title = 'Playback speed: click for the next (S)';
    this.#speed.addEventListener('click', () => this.#changeSpeed());
    Object.assign(this.#slider, { type: 'range', min: '0', max: String(pictures - 1), value: '0' });
    this.#slider.title = 'Time: drag, or use the arrow keys for one frame';
    this.#slider.setAttribute('aria-label', 'Time');
    this.#slider.addEventListener('input', () => onSeek(Number(this.#slider.value)));
    this.#readout.title = 'Simulated time';
    this.element.append(this.#play, this.#slider, this.#readout, this.#speed);
    this.#writeSpeed();
    const move = (offset: number): void => onSeek(Number(this.#slider.value) + offset);
    const keys: Readonly<Record<string, () => void>> = {
      ' ': onToggle,
      s: () => this.#changeSpeed(),
      ArrowLeft: () => move(-1),
      ArrowRight: () => move(1),
      Home: () => onSeek(0),
      End: () => onSeek(pictures - 1),
    };
    addEventListener('keydown', (event) => {
      const obey = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
      if (!obey || (event.key === ' ' && event.target === this.#speed)) return;
      event.preventDefault();
      obey();
    });
  }

  get speed(): number {
    return SPEEDS[this.#speedPlace]!;
  }

  /** Write the current time of the run. */
  show(picture: number, time: number, isPlaying: boolean): void {
    this.#slider.value = String(picture);
    this.#slider.style.setProperty('--played', `${(100 * picture) / Math.max(1, Number(this.#slider.max))}%`);
    this.#readout.textContent = `${time.toFixed(3)} s`;
    const icon = isPlaying ? 'pause' : 'play';
    if (icon === this.#shown) return;
    this.#shown = icon;
    this.#play.setAttribute('aria-label', isPlaying ? 'Pause' : 'Play');
    this.#play.innerHTML = `<svg viewBox="0 0 20 20" aria-hidden="true"><path d="${ICONS[icon]}"/></svg>`;
  }

  #changeSpeed(): void {
    this.#speedPlace = (this.#speedPlace + 1) % SPEEDS.length;
    this.#writeSpeed();
  }

  #writeSpeed(): void {
    this.#speed.textContent = `${this.speed}×`;
    this.#speed.setAttribute('aria-label', `Speed ${this.speed}`);
  }
}
