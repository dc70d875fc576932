/** A scene as text: JSON with two spaces of indent, in which whatever fits on a line of 100 characters stands on one line. */

const WIDTH = 100;

export function formatSceneText(scene: unknown): string {
  return `${formatPart(scene, 0, 0)}\n`;
}

/** Numbers of twelve digits: 0.1 + 0.2 reads 0.3. */
export function roundNumber(value: number): number {
  return Number(value.toPrecision(12)) || 0;
}

function formatPart(value: unknown, indent: number, used: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const line = formatLine(value);
  if (indent > 0 && indent + used + line.length < WIDTH) return line;
  const inner = ' '.repeat(indent + 2);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => inner + formatPart(item, indent + 2, 0))
    : listFields(value).map(([key, item]) => {
        const label = `${JSON.stringify(key)}: `;
        return inner + label + formatPart(item, indent + 2, label.length);
      });
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${parts.join(',\n')}\n${' '.repeat(indent)}${close}`;
}

function formatLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = listFields(value).map(([key, item]) => `${JSON.stringify(key)}: ${formatLine(item)}`);
  return parts.length > 0 ? `{ ${parts.join(', ')} }` : '{}';
}

function listFields(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, item]) => item !== undefined);
}
