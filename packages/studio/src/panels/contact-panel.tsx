import { useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { titleOf } from '../keys.ts';
import { formatLength, formatQuantity, formatRound } from '../quantity.ts';
import type { ContactFrame, ContactKind, ContactMode } from '../session/contact-frame.ts';
import type { OpenedScene, SceneFacts } from '../session/protocol.ts';
import type { Studio } from '../studio.ts';
import { LONGEST_CELLS } from '../view3d/force-scale.ts';
import { CONTACT_COLORS, FORCE_COLORS } from '../view3d/palette.ts';
import { ContactMark } from './contact-mark.tsx';
import { CONTACT_ROWS, ContactTable } from './contact-table.tsx';
import { Fact } from './fact.tsx';

/** Time between two drawings of the table while the scene runs, ms. */
const REFRESH = 120;

const KINDS: readonly { kind: ContactKind; label: string; title: string }[] = [
  { kind: 'penetrating', label: 'Penetrating', title: 'The shapes overlap by more than 0.1 mm' },
  { kind: 'touching', label: 'Touching', title: 'The surfaces are within 0.1 mm of each other' },
  { kind: 'near', label: 'Near', title: 'More than 0.1 mm apart, but within the margin of the two shapes' },
];

const MODES: readonly { mode: ContactMode; label: string; title: string }[] = [
  { mode: 'stick', label: 'Stick', title: 'The force is inside the friction cone: the surfaces do not slip' },
  {
    mode: 'slide',
    label: 'Slide',
    title: 'The force is on the friction cone, or there is no friction: the surfaces slip',
  },
  { mode: 'open', label: 'No force', title: 'Close or separating: the contact carries no load' },
];

/** Where shapes touch and with what force: how many, what marks and arrows mean, and the worst of them one by one. */
export function ContactPanel({ studio, scene }: { studio: Studio; scene: OpenedScene }): JSX.Element {
  const contacts = useSlowContacts(studio);
  const sent = (contacts?.shapes.length ?? 0) / 2;
  const total = contacts?.total ?? 0;
  const { facts } = scene;
  return (
    <section class="contacts" aria-label="Contacts">
      <h2>Contacts</h2>
      {studio.view.value.contacts && <KindLegend contacts={contacts} />}
      {studio.view.value.forces && facts.resolvesContacts && (
        <ForceLegend studio={studio} contacts={contacts} facts={facts} />
      )}
      {studio.view.value.forces && !facts.resolvesContacts && (
        <p class="remark">{facts.formulation} does not resolve contacts yet: there are no forces to show.</p>
      )}
      {contacts && total > 0 && <ContactTable studio={studio} contacts={contacts} facts={facts} />}
      {contacts && total === 0 && (
        <p class="remark">{facts.isContactOff ? 'This scene has contacts switched off.' : 'Nothing is in contact.'}</p>
      )}
      {total > CONTACT_ROWS && (
        <p class="remark" data-role="contacts-remark">
          The {CONTACT_ROWS} worst of {total} are listed{sent < total ? `, the ${sent} worst drawn` : ''}.
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

function KindLegend({ contacts }: { contacts: ContactFrame | undefined }): JSX.Element {
  return (
    <ul class="legend">
      {KINDS.map(({ kind, label, title }) => (
        <li key={kind} title={title}>
          <ContactMark form={kind} color={CONTACT_COLORS[kind]} />
          <span>{label}</span>
          <output data-role={`contacts-${kind}`}>{contacts?.kinds[kind] ?? '–'}</output>
        </li>
      ))}
    </ul>
  );
}

interface ForceLegendProps {
  studio: Studio;
  contacts: ContactFrame | undefined;
  facts: SceneFacts;
}

/** What arrows mean, how long they are, and what they come to. */
function ForceLegend({ studio, contacts, facts }: ForceLegendProps): JSX.Element {
  const perCell = studio.newtonsPerCell.value;
  const spacing = studio.gridSpacing.value;
  const support = contacts && Math.hypot(...contacts.support);
  return (
    <>
      <ul class="legend">
        {MODES.map(({ mode, label, title }) => (
          <li key={mode} title={title}>
            {mode === 'open' ? (
              <i class="no-arrow" />
            ) : (
              <ContactMark form={`arrow ${mode}`} color={FORCE_COLORS[mode]} />
            )}
            <span>{label}</span>
            <output data-role={`contacts-${mode}`}>{contacts?.modes[mode] ?? '–'}</output>
          </li>
        ))}
      </ul>
      <dl class="sums">
        <Fact label="Normal forces" title="Sum of the normal forces of all contacts" mark="normal-force">
          {contacts ? formatQuantity(contacts.normalForce, 'N') : '–'}
        </Fact>
        <Fact label="Support" title="Magnitude of the total force of fixed bodies on moving ones" mark="support">
          {support === undefined ? '–' : formatQuantity(support, 'N')}
        </Fact>
        <Fact label="Weight" title="Weight of everything that moves, minus gravity compensation" mark="weight">
          {formatQuantity(facts.weight, 'N')}
        </Fact>
      </dl>
      {spacing !== undefined && (
        <div class="arrow-scale">
          <span
            title={`Arrows above ${formatRound(LONGEST_CELLS * perCell, 'N')} are shortened and have a gap in the shaft`}
          >
            An arrow of {formatLength(spacing)} is {formatRound(perCell, 'N')}
          </span>
          <button
            type="button"
            class="chip"
            title={titleOf('shorterForces')}
            aria-label="Shorter arrows"
            onClick={() => studio.zoomForces(-1)}
          >
            −
          </button>
          <button
            type="button"
            class="chip"
            title={titleOf('longerForces')}
            aria-label="Longer arrows"
            onClick={() => studio.zoomForces(1)}
          >
            +
          </button>
        </div>
      )}
    </>
  );
}
