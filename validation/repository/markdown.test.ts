import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listFiles, ROOT, readText } from './source-files.ts';

const { renderMarkdown } = await import(join(ROOT, 'scripts/docs/markdown.mjs'));
const { formatPlain, replaceFormulas } = await import(join(ROOT, 'scripts/docs/formula.mjs'));

const render = (text: string): string => renderMarkdown(text, (link: string) => link).html;

describe('pages as HTML', () => {
  test('symbols have subscripts in text and tables, names in code keep their lines', () => {
    expect(render('a gap u_n of `solref_limit`, |x|²_M and a_ref & b < c')).toBe(
      '<p>a gap u<sub>n</sub> of <code>solref_limit</code>, |x|²<sub>M</sub> and a<sub>ref</sub> &amp; b &lt; c</p>\n',
    );
    expect(render('robotiq_2f85 and max_step stay')).toContain('robotiq_2f85 and max_step stay');
    expect(render('| R_t |\n| --- |\n| μ_k² |')).toMatch(/<th[^>]*>R<sub>t<\/sub><\/th>[\s\S]*μ<sub>k<\/sub>²/);
  });

  test('columns of numbers stand at their right side', () => {
    const html = render('| case | value |\n| --- | ---: |\n| fall | 4.9 |');
    expect(html).toContain('<th scope="col" class="right">value</th>');
    expect(html).toContain('<td>fall</td><td class="right">4.9</td>');
  });

  test('formulas are set with MathML beside them, in text, tables and blocks', () => {
    const html = render(
      'a gap $\\varphi^+ = \\varphi + h u_N$, but 5 $ or $6 and `$x$` stay\n\n$$\n\\tfrac12 v^\\top M v\n$$\n',
    );
    expect(html.match(/<math /g)).toHaveLength(2);
    expect(html).toContain('<annotation encoding="application/x-tex">\\varphi^+ = \\varphi + h u_N</annotation>');
    expect(html).toContain('<div class="formula" tabindex="0">');
    expect(html).toContain('but 5 $ or $6 and <code>$x$</code> stay');
    expect(render('| $R_t$ |\n| --- |\n| $\\mu_k^2$ |').match(/<math /g)).toHaveLength(2);
  });

  test('a formula that cannot be read is an error, not a red word', () => {
    expect(() => render('$\\fraq{1}{2}$')).toThrow(/fraq/);
    expect(() => render('$x^$')).toThrow();
  });

  test('a formula has one line of plain text, for searching', () => {
    expect(formatPlain('\\lvert D(\\hat A v^+ - h J^\\top f)\\rvert')).toBe('|D(Â v⁺ − h Jᵀ f)|');
    expect(formatPlain('\\tfrac12\\lVert x-\\tilde x\\rVert_M^2')).toBe('½‖x−x̃‖_M²');
    expect(formatPlain('\\frac{1-d}{d}\\,w')).toBe('(1−d)/d w');
    expect(replaceFormulas(render('gap $\\mu h v$ here'))).toBe('<p>gap μ h v here</p>\n');
  });

  test('every formula of every page renders', () => {
    let count = 0;
    for (const page of listFiles(/\.md$/)) {
      expect(() => render(readText(page)), page).not.toThrow();
      count += (render(readText(page)).match(/<math /g) ?? []).length;
    }
    expect(count).toBeGreaterThan(100);
  });
});
