/**
 * Formulas of users as trees: `last(bodies.cube.position.x) - first(bodies.cube.position.x)`. They are read by this parser and computed by
 * a walk over the tree; no text ever becomes code.
 *
 *   choice   = or [ "?" choice ":" choice ]          sum     = product { ("+" | "-") product }
 *   or       = and { "||" and }                      product = sign { ("*" | "/" | "%") sign }
 *   and      = relation { "&&" relation }            sign    = ("-" | "!") sign | power
 *   relation = sum [ ("<" | "<=" | …) sum ]          power   = atom [ "^" sign ]
 *   atom     = number | "(" choice ")" | name [ "(" [ choice { "," choice } ] ")" ]
 *   name     = word { "." word | "." digits | "[" string "]" }
 */
import { NexdynError } from '../../error.ts';

/** A formula. */
export type Formula =
  | { kind: 'number'; value: number }
  | { kind: 'name'; words: readonly string[] }
  | { kind: 'call'; name: string; inputs: readonly Formula[] }
  | { kind: 'operation'; operator: string; inputs: readonly Formula[] };

const LONGEST_TEXT = 4000;
const DEEPEST = 100;
const TOKEN =
  /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([\p{L}_][\p{L}\p{N}_]*)|('[^']*'|"[^"]*")|(<=|>=|==|!=|&&|\|\||[-+*/%^<>!?:(),.[\]]))/uy;

interface Token {
  kind: 'number' | 'word' | 'string' | 'sign';
  text: string;
  start: number;
}

/** Reads a formula; `place` is where it stands in the plan, for errors. */
export function parseFormula(text: string, place: string): Formula {
  return new Parser(text, place).parse();
}

class Parser {
  readonly #text: string;
  readonly #place: string;
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(text: string, place: string) {
    this.#text = text;
    this.#place = place;
    if (text.length > LONGEST_TEXT) this.#fail(`${text.length} characters are too many for a formula`, 0);
    this.#tokens = this.#split();
  }

  parse(): Formula {
    const formula = this.#choice();
    const rest = this.#tokens[this.#next];
    if (rest) this.#fail(`'${rest.text}' is not expected here`, rest.start);
    return formula;
  }

  #split(): Token[] {
    const tokens: Token[] = [];
    let start = 0;
    const end = this.#text.trimEnd().length;
    while (start < end) {
      TOKEN.lastIndex = start;
      const match = TOKEN.exec(this.#text);
      if (!match) return this.#fail('this is not part of a formula', start);
      const [whole, number, word, string, sign] = match;
      const text = (number ?? word ?? string ?? sign)!;
      const kind = number ? 'number' : word ? 'word' : string ? 'string' : 'sign';
      tokens.push({ kind, text, start: start + whole.length - text.length });
      start += whole.length;
    }
    return tokens;
  }

  #choice(): Formula {
    if (++this.#depth > DEEPEST) this.#fail('the formula is nested too deeply', this.#position());
    const condition = this.#chain(['||'], () => this.#chain(['&&'], () => this.#relation()));
    let formula = condition;
    if (this.#take('?')) {
      const yes = this.#choice();
      this.#expect(':');
      formula = { kind: 'operation', operator: '?', inputs: [condition, yes, this.#choice()] };
    }
    this.#depth--;
    return formula;
  }

  #relation(): Formula {
    const left = this.#sum();
    const operator = ['<=', '>=', '==', '!=', '<', '>'].find((sign) => this.#take(sign));
    return operator ? { kind: 'operation', operator, inputs: [left, this.#sum()] } : left;
  }

  #sum(): Formula {
    return this.#chain(['+', '-'], () => this.#chain(['*', '/', '%'], () => this.#sign()));
  }

  /** Operands with operators of one rank between them, from left to right. */
  #chain(operators: readonly string[], operand: () => Formula): Formula {
    let left = operand();
    for (;;) {
      const operator = operators.find((sign) => this.#take(sign));
      if (!operator) return left;
      left = { kind: 'operation', operator, inputs: [left, operand()] };
    }
  }

  #sign(): Formula {
    const operator = ['-', '!'].find((sign) => this.#take(sign));
    if (!operator) return this.#power();
    if (++this.#depth > DEEPEST) this.#fail('the formula is nested too deeply', this.#position());
    const formula: Formula = { kind: 'operation', operator, inputs: [this.#sign()] };
    this.#depth--;
    return formula;
  }

  #power(): Formula {
    const base = this.#atom();
    return this.#take('^') ? { kind: 'operation', operator: '^', inputs: [base, this.#sign()] } : base;
  }

  #atom(): Formula {
    const token = this.#tokens[this.#next];
    if (!token) return this.#fail('the formula ends too early', this.#text.length);
    this.#next++;
    if (token.kind === 'number') return { kind: 'number', value: Number(token.text) };
    if (token.text === '(') {
      const inner = this.#choice();
      this.#expect(')');
      return inner;
    }
    if (token.kind !== 'word') return this.#fail(`'${token.text}' is not expected here`, token.start);
    if (this.#take('(')) return { kind: 'call', name: token.text, inputs: this.#inputs() };
    return { kind: 'name', words: [token.text, ...this.#furtherWords()] };
  }

  #inputs(): Formula[] {
    const inputs: Formula[] = [];
    if (this.#take(')')) return inputs;
    do inputs.push(this.#choice());
    while (this.#take(','));
    this.#expect(')');
    return inputs;
  }

  #furtherWords(): string[] {
    const words: string[] = [];
    for (;;) {
      const token = this.#tokens[this.#next];
      // `.0` of `gravity.0` reads as a number
      if (token?.kind === 'number' && /^\.\d+$/.test(token.text)) {
        words.push(token.text.slice(1));
        this.#next++;
      } else if (this.#take('.')) {
        const word = this.#tokens[this.#next++];
        if (word?.kind !== 'word')
          return this.#fail('a name is missing after the dot', word?.start ?? this.#text.length);
        words.push(word.text);
      } else if (this.#take('[')) {
        const name = this.#tokens[this.#next++];
        if (name?.kind !== 'string') {
          return this.#fail("names in brackets have quotes, as in bodies['my cube']", name?.start ?? this.#text.length);
        }
        words.push(name.text.slice(1, -1));
        this.#expect(']');
      } else return words;
    }
  }

  #take(text: string): boolean {
    const token = this.#tokens[this.#next];
    if (token?.kind !== 'sign' || token.text !== text) return false;
    this.#next++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) this.#fail(`'${text}' is missing`, this.#position());
  }

  #position(): number {
    return this.#tokens[this.#next]?.start ?? this.#text.length;
  }

  #fail(reason: string, position: number): never {
    const hint = `at character ${position + 1} of ${JSON.stringify(this.#text.slice(0, 200))}`;
    throw new NexdynError('invalid-value', reason, { path: this.#place, hint });
  }
}

/** The names of a formula, each once. */
export function listNames(formula: Formula): string[][] {
  const names = new Map<string, string[]>();
  const pending: Formula[] = [formula];
  while (pending.length > 0) {
    const next = pending.pop()!;
    if (next.kind === 'name') names.set(JSON.stringify(next.words), [...next.words]);
    else if (next.kind !== 'number') pending.push(...[...next.inputs].reverse());
  }
  return [...names.values()];
}
