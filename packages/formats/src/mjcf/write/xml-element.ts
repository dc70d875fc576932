/** Elements of an XML text that is written. */

/** What an attribute may hold; absent ones are left out. */
export type AttributeValue = string | number | boolean | readonly number[] | undefined;

/** An element with its attributes in the order in which they are written. */
export interface WrittenElement {
  name: string;
  attributes: Record<string, AttributeValue>;
  children: WrittenElement[];
}

export function element(
  name: string,
  attributes: Record<string, AttributeValue> = {},
  children: readonly WrittenElement[] = [],
): WrittenElement {
  return { name, attributes, children: [...children] };
}

/** Coefficients of a spring or damper: one, or three where it is no straight line. */
export function writePolynomial(linear = 0, powers?: readonly number[]): AttributeValue {
  if (powers) return [linear, ...powers];
  return linear === 0 ? undefined : linear;
}

/** Levels beyond this are not indented further. */
const DEEPEST_INDENT = 40;

/** The text of an element and all in it; without recursion, so that chains of bodies may be long. */
export function formatXml(root: WrittenElement): string {
  const parts: string[] = [];
  const pending: (string | { item: WrittenElement; depth: number })[] = [{ item: root, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') {
      parts.push(next);
      continue;
    }
    const { item, depth } = next;
    const margin = '  '.repeat(Math.min(depth, DEEPEST_INDENT));
    const open = `${margin}<${item.name}${formatAttributes(item.attributes)}`;
    if (item.children.length === 0) {
      parts.push(`${open}/>\n`);
      continue;
    }
    parts.push(`${open}>\n`);
    pending.push(`${margin}</${item.name}>\n`);
    for (let i = item.children.length - 1; i >= 0; i--) pending.push({ item: item.children[i]!, depth: depth + 1 });
  }
  return parts.join('');
}

function formatAttributes(attributes: Record<string, AttributeValue>): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeText(Array.isArray(value) ? value.join(' ') : String(value))}"`)
    .join('');
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeText(text: string): string {
  return (
    text
      .replace(/[&<>"]/g, (mark) => ESCAPES[mark]!)
      // white space in attributes would be read as a blank, and no other control character can be written
      .replace(/[\t\n\r]/g, (mark) => `&#${mark.charCodeAt(0)};`)
  );
}
