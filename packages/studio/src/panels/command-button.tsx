import type { JSX } from 'preact';
import { COMMANDS, type CommandId, titleOf } from '../keys.ts';
import type { Studio } from '../studio.ts';
import { Icon, type IconName } from './icon.tsx';

interface CommandButtonProps {
  studio: Studio;
  command: CommandId;
  icon: IconName;
  /** Text beside the icon. */
  text?: string;
  /** Text beside the icon where the page is wide. */
  wideText?: string;
  look?: 'plain' | 'primary';
  disabled?: boolean;
  /** Whether it is on, where it can be on and off. */
  isOn?: boolean;
}

/** A button for a command of the table, with its title and key from there. */
export function CommandButton(props: CommandButtonProps): JSX.Element {
  const { studio, command, icon, text, wideText, look, disabled, isOn } = props;
  const { run, label } = COMMANDS.find(({ id }) => id === command)!;
  return (
    <button
      type="button"
      class={`button ${look ?? 'plain'}`}
      title={titleOf(command)}
      aria-label={label}
      data-command={command}
      aria-pressed={isOn}
      disabled={disabled ?? false}
      onClick={() => run(studio)}
    >
      <Icon name={icon} />
      {text && <span>{text}</span>}
      {wideText && <span class="wide">{wideText}</span>}
    </button>
  );
}
