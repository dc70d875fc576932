import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './source-files.ts';

const { renderMarkdown } = await import(join(ROOT, 'scripts/docs/markdown.mjs'));
const { formatFormula, isFormula } = await import(join(ROOT, 'scripts/docs/formula.mjs'));

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

  test('blocks of mathematics are told from output and help', () => {
    expect(isFormula('γ = argmin ½ γᵀ N γ')).toBe(true);
    expect(isFormula('minimise over x   ½ |x − x̃|²_M')).toBe(true);
    expect(isFormula('after 2 s the ball lies at 0.100 m')).toBe(false);
    expect(isFormula('Usage: nexdyn solve\nminimise ½ rᵀ W r, u = W r')).toBe(false);
  });

  test('columns of a formula stay below each other: what subscripts are narrower is given back', () => {
    // two subscripts of one letter: each takes 0.8 of a letter where the text has two
    expect(formatFormula('y_n < y_t   x\nopen        x')).toBe(
      'y<sub>n</sub> &lt; y<sub>t</sub>   <span class="spacer" style="width:2.40ch"></span>x\nopen        x'.replace(
        '&lt;',
        '<',
      ),
    );
  });
});
