import { groupUnsupported, type UnsupportedItem } from '@nexdyn/formats';
import type { JSX } from 'preact';

const AFFECTS = {
  physics: { label: 'motion', title: 'The motion differs from what the file describes' },
  visual: { label: 'visual', title: 'Only the appearance differs' },
  sensor: { label: 'sensor', title: 'A measurement is missing' },
} as const;

/** Everything in the file that did not become part of the scene, worst first; what is said of many elements is said once. */
export function UnsupportedList({ items }: { items: readonly UnsupportedItem[] }): JSX.Element | null {
  if (items.length === 0) return null;
  return (
    <section class="unsupported" aria-label="Not supported">
      <h2>
        Not supported in this file{' '}
        <span class="count" title="Unsupported elements and attributes">
          {items.length}
        </span>
      </h2>
      <ul>
        {groupUnsupported(items).map(([item, ...others]) => (
          <li key={`${item!.file}:${item!.line}:${item!.column}:${item!.element}:${item!.attribute ?? ''}`}>
            <span class={`tag ${item!.affects}`} title={AFFECTS[item!.affects].title}>
              {AFFECTS[item!.affects].label}
            </span>
            <code>
              {item!.element}
              {item!.attribute && ` ${item!.attribute}`}
            </code>
            <span class="place" title={[item!, ...others].map(({ line }) => `line ${line}`).join(', ')}>
              {item!.file}:{item!.line}:{item!.column}
              {others.length > 0 && ` and ${others.length} more`}
            </span>
            <p>{item!.message}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
