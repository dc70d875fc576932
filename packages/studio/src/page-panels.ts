/** Which panels and sheets the page shows, and what it says in passing. */
import { PageState } from './page-state.ts';

/** Time for which a message is shown, ms. */
const TOAST_TIME = 6000;

export class PagePanels extends PageState {
  #toastTimer: ReturnType<typeof setTimeout> | undefined;

  /** A panel that was opened is seen. */
  protected showSide(): void {
    this.panels.value = { ...this.panels.value, side: true };
  }

  /** Show or hide the tree of parts. */
  toggleParts(): void {
    this.partsOpen.value = !this.partsOpen.value;
    if (this.partsOpen.value) this.showSide();
  }

  /** Show or hide the bench on which the scene is built. */
  toggleBuild(): void {
    this.buildOpen.value = !this.buildOpen.value;
    if (this.buildOpen.value) this.showSide();
  }

  toggleLesson(): void {
    this.lessonOpen.value = !this.lessonOpen.value;
    if (this.lessonOpen.value) this.showSide();
  }

  /** Show or hide the text of the scene. */
  toggleJson(): void {
    const isShown = this.buildOpen.value && this.jsonOpen.value;
    this.jsonOpen.value = !isShown;
    if (!this.buildOpen.value) this.toggleBuild();
  }

  toggleHand(): void {
    this.hand.value = !this.hand.value;
  }

  togglePanel(panel: 'gallery' | 'side'): void {
    this.panels.value = { ...this.panels.value, [panel]: !this.panels.value[panel] };
  }

  toggleSave(): void {
    this.saveAsked.value = true;
    this.saveOpen.value = !this.saveOpen.value;
  }

  toggleHelp(): void {
    this.helpAsked.value = true;
    this.helpOpen.value = !this.helpOpen.value;
  }

  /** Say something to the user, for a while. */
  say(words: string): void {
    this.toast.value = words;
    clearTimeout(this.#toastTimer);
    this.#toastTimer = setTimeout(() => {
      this.toast.value = undefined;
    }, TOAST_TIME);
  }
}
