/** A table in Markdown whose source is aligned as well; the columns named in `right` are set to the right. */
export function formatMarkdownTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  right: (column: number) => boolean = () => false,
): string {
  const widths = headings.map((heading, column) =>
    Math.max(3, heading.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const formatRow = (cells: readonly string[]): string => {
    const padded = widths.map((width, column) => {
      const cell = cells[column] ?? '';
      return right(column) ? cell.padStart(width) : cell.padEnd(width);
    });
    return `| ${padded.join(' | ')} |\n`;
  };
  const rule = widths.map((width, column) => (right(column) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  return [headings, rule, ...rows].map(formatRow).join('');
}
