/** Bytes written as text, six bits to a letter (RFC 4648). */

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES: Int8Array = /* @__PURE__ */ (() => {
  const values = new Int8Array(128).fill(-1);
  for (let i = 0; i < LETTERS.length; i++) values[LETTERS.charCodeAt(i)] = i;
  return values;
})();

/** The bytes of the text from a place on; undefined where a character is none of base64. */
export function decodeBase64(text: string, from = 0): Uint8Array | undefined {
  let end = text.length;
  while (end > from && text[end - 1] === '=') end--;
  const bytes = new Uint8Array(Math.floor((6 * (end - from)) / 8));
  let bits = 0;
  let at = 0;
  for (let i = from; i < end; i++) {
    const code = text.charCodeAt(i);
    const value = code < 128 ? VALUES[code]! : -1;
    if (value < 0) return undefined;
    bits = ((bits << 6) | value) & 0xffffff;
    const place = (i - from) % 4;
    if (place > 0) bytes[at++] = bits >> (6 - 2 * place);
  }
  return bytes;
}

/** Bytes as text. */
export function encodeBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  let part = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const bits = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    part += LETTERS[bits >> 18]! + LETTERS[(bits >> 12) & 63]!;
    part += left > 1 ? LETTERS[(bits >> 6) & 63]! : '=';
    part += left > 2 ? LETTERS[bits & 63]! : '=';
    if (part.length > 8192) {
      parts.push(part);
      part = '';
    }
  }
  parts.push(part);
  return parts.join('');
}
