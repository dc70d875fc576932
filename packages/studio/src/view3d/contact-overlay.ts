/** Contacts over the picture: marks where they are, arrows for their forces. Both read the numbers of a frame as they came. */
import { DynamicDrawUsage, Group, InstancedInterleavedBuffer } from 'three';
import { type ContactFrame, MOST_CONTACTS, POINT_WIDTH } from '../session/contact-frame.ts';
import { ContactMarks } from './contact-marks.ts';
import { ForceArrows } from './force-arrows.ts';
import { PressurePatches } from './pressure-patches.ts';

export class ContactOverlay extends Group {
  readonly #points = new InstancedInterleavedBuffer(new Float32Array(POINT_WIDTH * MOST_CONTACTS), POINT_WIDTH);
  readonly #marks = new ContactMarks(this.#points);
  readonly #arrows = new ForceArrows(this.#points);
  readonly #patches = new PressurePatches(this.#points);

  constructor() {
    super();
    this.#points.setUsage(DynamicDrawUsage);
    this.add(this.#marks, this.#arrows, this.#patches);
  }

  /** Draw these contacts; nothing where there are none. */
  show(contacts: ContactFrame | undefined): void {
    const count = contacts ? contacts.points.length / POINT_WIDTH : 0;
    this.visible = count > 0;
    this.#marks.geometry.instanceCount = count;
    this.#arrows.geometry.instanceCount = count;
    this.#patches.geometry.instanceCount = contacts && contacts.patch.faces > 0 ? count : 0;
    this.#patches.rescale(contacts?.patch.pressure ?? 0);
    if (!contacts || count === 0) return;
    this.#points.set(contacts.points);
    this.#points.clearUpdateRanges();
    this.#points.addUpdateRange(0, POINT_WIDTH * count);
    this.#points.needsUpdate = true;
  }

  showParts(parts: { marks: boolean; arrows: boolean }): void {
    this.#marks.visible = parts.marks;
    this.#arrows.visible = parts.arrows;
    this.#patches.visible = parts.marks || parts.arrows;
  }

  /** How long arrows are: metres per newton, and metres at which they are cut. */
  scaleArrows(metresPerNewton: number, longest: number): void {
    this.#arrows.rescale(metresPerNewton, longest);
  }

  /** Make one contact stand out, by its place in the frame. */
  highlight(index: number | undefined): void {
    this.#marks.highlight(index);
    this.#arrows.highlight(index);
  }

  override dispose(): void {
    this.#marks.dispose();
    this.#arrows.dispose();
    this.#patches.dispose();
  }
}
