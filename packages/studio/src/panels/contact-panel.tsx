import { useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatMillimetres } from '../quantity.ts';
import {
  type ContactFrame,
  type ContactKind,
  classifyGap,
  GAP_OFFSET,
  MARGIN_OFFSET,
  POINT_WIDTH,
} from '../session/contact-frame.ts';
import type { OpenedScene } from '../session/protocol.ts';
import type { Studio } from '../studio.ts';
import { CONTACT_COLORS } from '../view3d/palette.ts';

/** Rows of the table; the worst contacts come first. */
const ROWS = 40;
/** Time between two drawings of the table while the scene runs, ms. */
const REFRESH = 120;

const KINDS: readonly { kind: ContactKind; label: string; title: string }[] = [
  { kind: 'penetrating', label: 'Penetrating', title: 'The shapes overlap by more than 0.1 mm' },
  { kind: 'touching', label: 'Touching', title: 'The surfaces are within 0.1 mm of each other' },
  { kind: 'near', label: 'Near', title: 'Apart by more than 0.1 mm, and within the margin of the two shapes' },
];

/** Where shapes touch: how many, what the marks mean, and the worst of them one by one. */
export function ContactPanel({ studio, scene }: { studio: Studio; scene: OpenedScene }): JSX.Element {
  const contacts = useSlowContacts(studio);
  const sent = (contacts?.shapes.length ?? 0) / 2;
  const total = contacts?.total ?? 0;
  return (
    <section class="contacts" aria-label="Contacts">
      <h2>Contacts</h2>
      <ul class="legend">
        {KINDS.map(({ kind, label, title }) => (
          <li key={kind} title={title}>
            <ContactMark kind={kind} />
            <span>{label}</span>
            <output data-role={`contacts-${kind}`}>{contacts?.kinds[kind] ?? '–'}</output>
          </li>
        ))}
      </ul>
      {contacts && total > 0 && <ContactTable studio={studio} contacts={contacts} labels={scene.facts.shapeLabels} />}
      {contacts && total === 0 && (
        <p class="remark">{scene.facts.isContactOff ? 'This scene has contacts switched off.' : 'Nothing touches.'}</p>
      )}
      {total > ROWS && (
        <p class="remark" data-role="contacts-remark">
          The {ROWS} worst of {total} are listed{sent < total ? `, the ${sent} worst drawn` : ''}.
        </p>
      )}
    </section>
  );
}

/** The contacts of the frame, less often than frames come: a table that changes with each picture cannot be read. */
function useSlowContacts(studio: Studio): ContactFrame | undefined {
  const [contacts, setContacts] = useState<ContactFrame | undefined>(undefined);
  const changedAt = useRef(0);
  useSignalEffect(() => {
    const next = studio.frame.value?.contacts;
    const now = performance.now();
    if (studio.playing.value && next && now - changedAt.current < REFRESH) return;
    changedAt.current = now;
    setContacts(next);
  });
  return contacts;
}

interface ContactTableProps {
  studio: Studio;
  contacts: ContactFrame;
  labels: readonly string[];
}

/** One row per contact; the row under the pointer, or with the focus, stands out in the view. */
function ContactTable({ studio, contacts, labels }: ContactTableProps): JSX.Element {
  const [marked, setMarked] = useState<number | undefined>(undefined);
  useEffect(() => {
    studio.highlightContact(marked);
    return () => studio.highlightContact(undefined);
  }, [marked]);
  const count = Math.min(ROWS, contacts.shapes.length / 2);
  return (
    <table onMouseLeave={() => setMarked(undefined)}>
      <thead>
        <tr>
          <th scope="col">Between</th>
          <th scope="col" title="Distance of the two surfaces along the normal; negative where they overlap">
            Gap, mm
          </th>
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: count }, (_, rank) => {
          const gap = contacts.points[POINT_WIDTH * rank + GAP_OFFSET]!;
          return (
            <tr
              key={rank}
              tabIndex={0}
              title={describeContact(contacts.points, rank)}
              onMouseEnter={() => setMarked(rank)}
              onFocus={() => setMarked(rank)}
              onBlur={() => setMarked(undefined)}
            >
              <td>
                <ContactMark kind={classifyGap(gap)} />
                <span class="pair">
                  <span>{labels[contacts.shapes[2 * rank]!]}</span>
                  <span>{labels[contacts.shapes[2 * rank + 1]!]}</span>
                </span>
              </td>
              <td class="gap">{formatMillimetres(gap)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The mark as it is in the view: full, a ring, or small. */
function ContactMark({ kind }: { kind: ContactKind }): JSX.Element {
  const color = `#${CONTACT_COLORS[kind].toString(16).padStart(6, '0')}`;
  return <i class={`mark ${kind}`} style={{ '--mark': color }} />;
}

function describeContact(points: Float32Array, rank: number): string {
  const o = POINT_WIDTH * rank;
  const triple = (from: number, digits: number): string =>
    Array.from(points.subarray(o + from, o + from + 3), (value) => value.toFixed(digits).replace('-', '−')).join(' ');
  const margin = formatMillimetres(points[o + MARGIN_OFFSET]!);
  return `At ${triple(0, 4)} m, normal ${triple(3, 3)} from the first to the second; acts below a gap of ${margin} mm`;
}
