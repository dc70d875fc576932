import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { formatShort } from '../quantity.ts';
import type { PartFact, Quantity } from '../session/inspect/quantity-key.ts';
import type { Studio } from '../studio.ts';
import { dragQuantity } from './plot-drop.ts';

/** Time between two readings while the scene runs, ms. */
const REFRESH = 250;

/** What is known of a part now. Numbers can be plotted by a click, or by dragging them onto the plots. */
export function PartInspector({ studio, id, label }: { studio: Studio; id: string; label: string }): JSX.Element {
  const [facts, setFacts] = useState<readonly PartFact[]>([]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isWanted = true;
    const read = async (): Promise<void> => {
      const found = await studio.runs.describePart(id);
      if (!isWanted) return;
      setFacts(found);
      timer = setTimeout(() => void read(), REFRESH);
    };
    void read();
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [studio, id]);
  return (
    <div class="inspector" data-role="inspector" data-inspected={id}>
      <h3>{label || id}</h3>
      <dl>
        {facts.map(({ label: name, value, unit, plots }) => (
          <div key={name} class="part-fact" title={describeFact(name, unit)}>
            <dt>{name}</dt>
            <dd data-fact={name}>{formatValue(value, unit, name === 'Limits' ? ' to ' : '  ')}</dd>
            {plots.length > 0 && (
              <dd class="plot-choices">
                {plots.map((quantity) => (
                  <PlotChoice key={quantity.key} studio={studio} quantity={quantity} />
                ))}
              </dd>
            )}
          </div>
        ))}
      </dl>
    </div>
  );
}

function PlotChoice({ studio, quantity }: { studio: Studio; quantity: Quantity }): JSX.Element {
  const isOn = studio.watches.value.some(({ key }) => key === quantity.key);
  const parts = quantity.key.split(':');
  const short = parts.length > 3 ? parts.at(-1) : parts.at(-1) === 'speed' ? 'speed' : 'plot';
  return (
    <button
      type="button"
      class="chip"
      draggable
      title={`${isOn ? 'Stop plotting' : 'Plot'} ${quantity.label}; or drag it onto the plots`}
      aria-label={`Plot ${quantity.label}`}
      aria-pressed={isOn}
      data-watch={quantity.key}
      onClick={() => studio.toggleWatch(quantity)}
      onDragStart={(event) => dragQuantity(event, quantity)}
    >
      {short}
    </button>
  );
}

function describeFact(name: string, unit: string): string {
  return unit === '' ? name : `${name}, ${unit}`;
}

/** Several numbers have their unit once. */
function formatValue(value: PartFact['value'], unit: string, between: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatShort(value, unit).trim();
  const numbers = value.map((number) => formatPlain(number)).join(between);
  return `${numbers} ${unit}`;
}

function formatPlain(value: number): string {
  if (Math.abs(value) < 5e-7) return '0';
  const text =
    Math.abs(value) < 1e-3 || Math.abs(value) >= 1e5 ? value.toExponential(1) : String(Number(value.toFixed(3)));
  return text.replace('-', '−');
}
