import type { UnsupportedItem } from '@nexdyn/formats';
import type { JSX } from 'preact';

const AFFECTS = {
  physics: { label: 'motion', title: 'The motion differs from what the file describes' },
  visual: { label: 'picture', title: 'Only the picture differs' },
  sensor: { label: 'sensor', title: 'A measurement is missing' },
} as const;

/** Everything in the file that did not become part of the scene, worst first. */
export function UnsupportedList({ items }: { items: readonly UnsupportedItem[] }): JSX.Element | null {
  if (items.length === 0) return null;
  const order = ['physics', 'sensor', 'visual'];
  const sorted = [...items].sort((a, b) => order.indexOf(a.affects) - order.indexOf(b.affects));
  return (
    <section class="unsupported" aria-label="Not supported">
      <h2>
        Not supported in this file <span class="count">{items.length}</span>
      </h2>
      <ul>
        {sorted.map((item) => (
          <li key={`${item.file}:${item.line}:${item.column}:${item.element}:${item.attribute ?? ''}`}>
            <span class={`tag ${item.affects}`} title={AFFECTS[item.affects].title}>
              {AFFECTS[item.affects].label}
            </span>
            <code>
              {item.element}
              {item.attribute && ` ${item.attribute}`}
            </code>
            <span class="place">
              {item.file}:{item.line}:{item.column}
            </span>
            <p>{item.message}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
