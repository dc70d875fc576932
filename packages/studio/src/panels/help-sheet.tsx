import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { COMMANDS } from '../keys.ts';
import type { Studio } from '../studio.ts';
import { Icon } from './icon.tsx';

const GROUPS = ['Simulation', 'Scene', 'View', 'Page'] as const;

const MOUSE = [
  ['Drag', 'Orbit'],
  ['Ctrl + drag', 'Pull a body with a spring'],
  ['Right drag', 'Pan'],
  ['Wheel', 'Zoom'],
  ['Click', 'Select what is under the pointer'],
  ['Click a plot', 'Go to that time'],
] as const;

/** All keys, from the table that defines them. */
export function HelpSheet({ studio }: { studio: Studio }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = studio.helpOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      class="help"
      ref={dialog}
      aria-label="Keys"
      onClose={() => studio.closeOverlays()}
      onMouseDown={(event) => event.target === dialog.current && studio.closeOverlays()}
    >
      <header>
        <h2>Keys and mouse</h2>
        <button
          type="button"
          class="button plain"
          title="Close (Esc)"
          aria-label="Close"
          onClick={() => studio.closeOverlays()}
        >
          <Icon name="close" />
        </button>
      </header>
      <div class="groups">
        {GROUPS.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {COMMANDS.filter((command) => command.group === group).map(({ id, label, shown }) => (
                <div key={id}>
                  <dt>
                    <kbd>{shown}</kbd>
                  </dt>
                  <dd>{label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>Mouse</h3>
          <dl>
            {MOUSE.map(([gesture, effect]) => (
              <div key={gesture}>
                <dt>
                  <kbd>{gesture}</kbd>
                </dt>
                <dd>{effect}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </dialog>
  );
}
