/** Text inside markup. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** A coordinate of a drawing, to a tenth of a pixel. */
export function formatPixel(value: number): string {
  return String(Math.round(value * 10) / 10);
}
