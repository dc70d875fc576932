import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { spaceFunctions } from './space-functions.ts';

type Typeset = (tex: string) => string;

let typesetter: Promise<Typeset> | undefined;

/** KaTeX comes with the first formula. It writes MathML, which the browser draws: no styles and no fonts come along. */
function loadTypesetter(): Promise<Typeset> {
  typesetter ??= import('katex').then(
    ({ default: katex }) =>
      (tex) =>
        spaceFunctions(
          katex.renderToString(tex, {
            output: 'mathml',
            throwOnError: false,
            strict: false,
            trust: false,
            maxExpand: 100,
          }),
        ),
  );
  return typesetter;
}

/** Text in which formulas stand between dollar signs and code between backticks. */
export function FormulaText({ text }: { text: string }): JSX.Element {
  const [typeset, setTypeset] = useState<{ of: Typeset } | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    void loadTypesetter().then((of) => isWanted && setTypeset({ of }));
    return () => {
      isWanted = false;
    };
  }, []);
  const parts = text.split(/(\$[^$]+\$|`[^`]+`)/);
  return (
    <>
      {parts.map((part, i) => {
        if (part.startsWith('`')) return <code key={i}>{part.slice(1, -1)}</code>;
        if (!part.startsWith('$')) return part;
        const tex = part.slice(1, -1);
        return typeset ? (
          <span key={i} class="formula" dangerouslySetInnerHTML={{ __html: typeset.of(tex) }} />
        ) : (
          <span key={i}>{tex}</span>
        );
      })}
    </>
  );
}
