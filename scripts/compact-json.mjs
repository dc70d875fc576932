/** JSON with two spaces of indent, in which whatever fits on a line of 120 characters stands on one line. */
export function formatJson(value) {
  return `${formatPart(value, 0, 0)}\n`;
}

function formatPart(value, indent, used) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const line = formatLine(value);
  if (indent > 0 && indent + used + line.length < 120) return line;
  const inner = ' '.repeat(indent + 2);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => inner + formatPart(item, indent + 2, 0))
    : Object.entries(value).map(([key, item]) => {
        const label = `${JSON.stringify(key)}: `;
        return inner + label + formatPart(item, indent + 2, label.length);
      });
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${parts.join(',\n')}\n${' '.repeat(indent)}${close}`;
}

function formatLine(value) {
  if (Array.isArray(value)) return `[${value.map(formatLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${formatLine(item)}`);
  return parts.length ? `{ ${parts.join(', ')} }` : '{}';
}
