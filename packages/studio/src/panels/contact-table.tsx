import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { formatForce, formatMillimetres } from '../quantity.ts';
import {
  CONTACT_MODES,
  type ContactFrame,
  classifyGap,
  FORCE_OFFSET,
  GAP_OFFSET,
  MARGIN_OFFSET,
  MODE_OFFSET,
  NORMAL_FORCE_OFFSET,
  POINT_WIDTH,
} from '../session/contact-frame.ts';
import type { SceneFacts } from '../session/protocol.ts';
import type { Studio } from '../studio.ts';
import { CONTACT_COLORS, FORCE_COLORS } from '../view3d/palette.ts';
import { ContactMark } from './contact-mark.tsx';

/** Rows of the table; the worst contacts come first. */
export const CONTACT_ROWS = 40;

interface ContactTableProps {
  studio: Studio;
  contacts: ContactFrame;
  facts: SceneFacts;
}

/** One row per contact; the row under the pointer, or with the focus, stands out in the view. */
export function ContactTable({ studio, contacts, facts }: ContactTableProps): JSX.Element {
  const [marked, setMarked] = useState<number | undefined>(undefined);
  useEffect(() => {
    studio.highlightContact(marked);
    return () => studio.highlightContact(undefined);
  }, [marked]);
  const count = Math.min(CONTACT_ROWS, contacts.shapes.length / 2);
  const { shapeLabels: labels, resolvesContacts: hasForces } = facts;
  return (
    <div class="rows">
      <table onMouseLeave={() => setMarked(undefined)}>
        <thead>
          <tr>
            <th scope="col">Between</th>
            {hasForces && (
              <th scope="col" class="number" title="Magnitude of the contact force, normal and friction together">
                Force, N
              </th>
            )}
            <th
              scope="col"
              class="number"
              title="Distance between the two surfaces along the normal; negative where they overlap"
            >
              Gap, mm
            </th>
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: count }, (_, rank) => {
            const point = contacts.points.subarray(POINT_WIDTH * rank, POINT_WIDTH * (rank + 1));
            return (
              <tr
                key={rank}
                tabIndex={0}
                title={describeContact(point, hasForces)}
                onMouseEnter={() => setMarked(rank)}
                onFocus={() => setMarked(rank)}
                onBlur={() => setMarked(undefined)}
              >
                <td>
                  <span class="between">
                    <RowMark point={point} showsModes={hasForces && studio.view.value.forces} />
                    <span class="pair">
                      <span>{labels[contacts.shapes[2 * rank]!]}</span>
                      <span>{labels[contacts.shapes[2 * rank + 1]!]}</span>
                    </span>
                  </span>
                </td>
                {hasForces && (
                  <td class="number force">
                    {formatForce(sizeOf(point))}
                    <small>{CONTACT_MODES[point[MODE_OFFSET]!]}</small>
                  </td>
                )}
                <td class="number gap">{formatMillimetres(point[GAP_OFFSET]!)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The arrow of a contact where arrows are shown, else its mark. */
function RowMark({ point, showsModes }: { point: Float32Array; showsModes: boolean }): JSX.Element {
  const mode = CONTACT_MODES[point[MODE_OFFSET]!]!;
  if (showsModes && mode !== 'open') return <ContactMark form={`arrow ${mode}`} color={FORCE_COLORS[mode]} />;
  const kind = classifyGap(point[GAP_OFFSET]!);
  return <ContactMark form={kind} color={CONTACT_COLORS[kind]} />;
}

function sizeOf(point: Float32Array): number {
  return Math.hypot(point[FORCE_OFFSET]!, point[FORCE_OFFSET + 1]!, point[FORCE_OFFSET + 2]!);
}

function describeContact(point: Float32Array, hasForces: boolean): string {
  const triple = (from: number, digits: number): string =>
    Array.from(point.subarray(from, from + 3), (value) => value.toFixed(digits).replace('-', '−')).join(' ');
  const place = `At ${triple(0, 4)} m, normal ${triple(3, 3)} from the first to the second`;
  const acts = `acts below a gap of ${formatMillimetres(point[MARGIN_OFFSET]!)} mm`;
  if (!hasForces) return `${place}; ${acts}`;
  const along = point[NORMAL_FORCE_OFFSET]!;
  const across = Math.sqrt(Math.max(0, sizeOf(point) ** 2 - along ** 2));
  const mode = CONTACT_MODES[point[MODE_OFFSET]!];
  return `${place}; ${mode}: ${formatForce(along)} N along the normal, ${formatForce(across)} N of friction; ${acts}`;
}
