/** Random expressions by the type of their value. Most of them have one for the witness. */
import type { Chance } from '../chance.js';
import { isBlank, isNumber, isString, isTime, isTripleTerm, randomLiteral, TERMS } from '../data.js';
import type { Kind, Scope } from './scope.js';
import { call, infix, termOf, type Expression, type TermText } from '../syntax.js';

export type Maker = () => Expression;
export const numberTerm = (value: number): Expression => termOf(String(value));
export const textTerm = (value: string): Expression => termOf(`"${value}"`);

export abstract class ValueMaker {
  constructor(protected readonly chance: Chance) {}

  abstract condition(scope: Scope, depth: number): Expression;

  protected either(scope: Scope, depth: number, make: Maker): Expression {
    return call('IF', this.condition(scope, depth), make(), make());
  }

  number(scope: Scope, depth: number): Expression {
    const variables = [...scope.stored(isNumber), ...scope.variables('number', 'integer')];
    if (depth <= 0 || this.chance.in(0.35)) {
      if (variables.length > 0 && this.chance.in(0.8)) return termOf(this.chance.among(variables));
      return this.chance.in(0.1) ? termOf(this.variable(scope, 'stored')) : termOf(this.chance.among(TERMS.numbers));
    }
    const next = (): Expression => this.number(scope, depth - 1);
    return this.chance.weighted<Maker>([
      [4, () => infix(next(), this.chance.among(['+', '-', '*']), next())],
      [1, () => infix(next(), '/', numberTerm(this.chance.among([2, 4, 0])))],
      [1, () => ({ expr: 'prefix', sign: '-', of: next() })],
      [3, () => call(this.chance.among(['ABS', 'CEIL', 'FLOOR', 'ROUND']), next())],
      [2, () => this.integer(scope, depth - 1)],
      [
        2,
        () => call(this.chance.among(['xsd:integer', 'xsd:decimal', 'xsd:double', 'xsd:float']), this.#castable(scope)),
      ],
      [1, () => this.either(scope, depth - 1, next)],
      [1, () => call('COALESCE', next(), next())],
    ])();
  }

  /** An integer that is the same term everywhere. */
  integer(scope: Scope, depth: number): Expression {
    return this.chance.weighted<Maker>([
      [3, () => call('STRLEN', this.text(scope, depth - 1))],
      [3, () => call(this.chance.among(['YEAR', 'MONTH', 'DAY', 'HOURS', 'MINUTES']), this.time(scope))],
      [1, () => numberTerm(this.chance.below(4))],
    ])();
  }

  text(scope: Scope, depth: number): Expression {
    const variables = [...scope.stored(isString), ...scope.variables('text')];
    if (depth <= 0 || this.chance.in(0.3)) {
      if (variables.length > 0 && this.chance.in(0.6)) return termOf(this.chance.among(variables));
      if (this.chance.in(0.5)) return call('STR', termOf(this.variable(scope, 'stored')));
      return termOf(this.chance.among(TERMS.strings));
    }
    const next = (): Expression => this.text(scope, depth - 1);
    const part = (): Expression => textTerm(this.chance.among(['a', 'b', '', 'x']));
    return this.chance.weighted<Maker>([
      [2, () => call(this.chance.among(['UCASE', 'LCASE', 'STR', 'ENCODE_FOR_URI']), next())],
      [2, () => call('CONCAT', ...this.chance.times(1, 3, next))],
      [
        2,
        () =>
          call(
            'SUBSTR',
            next(),
            numberTerm(1 + this.chance.below(3)),
            ...this.chance.times(0, 1, () => numberTerm(this.chance.below(3))),
          ),
      ],
      [
        2,
        () =>
          call(
            this.chance.among(['STRBEFORE', 'STRAFTER']),
            this.chance.in(0.8) ? call('STR', next()) : next(),
            part(),
          ),
      ],
      [
        2,
        () =>
          call(
            'REPLACE',
            next(),
            ...this.chance
              .among([
                ['a', 'x'],
                ['b+', ''],
                ['[ab]', 'xx'],
                ['(a)(b)', '$2$1'],
              ])
              .map(textTerm),
          ),
      ],
      [2, () => call(this.chance.among(['MD5', 'SHA1', 'SHA256', 'SHA384', 'SHA512']), next())],
      [1, () => call(this.chance.among(['LANG', 'LANGDIR']), termOf(this.variable(scope, 'stored')))],
      [1, () => call('xsd:string', termOf(this.variable(scope, 'stored')))],
      [1, () => call('TZ', this.time(scope))],
      [1, () => this.either(scope, depth - 1, next)],
      [1, () => call('COALESCE', next(), next())],
    ])();
  }

  time(scope: Scope): Expression {
    const variables = scope.stored(isTime);
    if (variables.length > 0 && this.chance.in(0.7)) return termOf(this.chance.among(variables));
    return this.chance.weighted<Maker>([
      [2, () => termOf(this.chance.among(TERMS.times))],
      [1, () => call('NOW')],
      [1, () => call(this.chance.among(['xsd:dateTime', 'xsd:date']), this.#castable(scope))],
    ])();
  }

  /** Any term that is the same everywhere. */
  term(scope: Scope, depth: number): Expression {
    if (depth <= 0 || this.chance.in(0.3)) {
      if (this.chance.in(0.5)) return termOf(this.variable(scope, 'stored', 'text', 'integer'));
      return termOf(
        this.chance.in(0.4)
          ? this.chance.among(TERMS.nodes.filter((node) => !isBlank(node)))
          : randomLiteral(this.chance),
      );
    }
    const next = (): Expression => this.term(scope, depth - 1);
    const stored = (): Expression => termOf(this.variable(scope, 'stored'));
    return this.chance.weighted<Maker>([
      [
        2,
        () =>
          call(
            'IRI',
            this.chance.in(0.6) ? stored() : call('CONCAT', textTerm('http://example.org/'), this.text(scope, 0)),
          ),
      ],
      [
        1,
        () =>
          call(
            'STRDT',
            this.text(scope, 0),
            termOf(this.chance.among(['ex:dt', 'xsd:integer', 'xsd:string', 'xsd:date'])),
          ),
      ],
      [1, () => call('STRLANG', this.text(scope, 0), textTerm('en'))],
      [1, () => call('STRLANGDIR', this.text(scope, 0), textTerm('en'), textTerm('ltr'))],
      [2, () => call('DATATYPE', stored())],
      [2, () => call('TRIPLE', stored(), termOf(this.chance.among(TERMS.links)), next())],
      [2, () => call(this.chance.among(['SUBJECT', 'PREDICATE', 'OBJECT']), this.#triple(scope))],
      [1, () => call('xsd:boolean', this.#castable(scope))],
      [2, () => this.either(scope, depth - 1, next)],
      [2, () => call('COALESCE', ...this.chance.times(1, 3, next))],
    ])();
  }

  #triple(scope: Scope): Expression {
    const variables = scope.stored(isTripleTerm);
    if (variables.length > 0) return termOf(this.chance.among(variables));
    return call('TRIPLE', termOf('ex:a'), termOf('ex:p'), termOf(this.variable(scope, 'stored')));
  }

  /** A value that is another one in every evaluation. */
  fresh(scope: Scope): Expression {
    return this.chance.among<Maker>([
      () => call('BNODE'),
      () => call('BNODE', this.text(scope, 0)),
      () => call('UUID'),
      () => call('STRUUID'),
      () => call('RAND'),
    ])();
  }

  #castable(scope: Scope): Expression {
    const variables = scope.variables('stored');
    if (variables.length > 0 && this.chance.in(0.6)) return termOf(this.chance.among(variables));
    return this.chance.in(0.3)
      ? textTerm(this.chance.among(['1', '01', '1.5', '1e0', 'abc', 'true', '2020-01-01', '2020-01-01T00:00:00Z']))
      : termOf(randomLiteral(this.chance));
  }

  // Now and then one that is not visible here, which is unbound.
  protected variable(scope: Scope, ...kinds: readonly Kind[]): TermText {
    const visible = kinds.length === 0 ? [...scope.visible] : scope.variables(...kinds);
    if (visible.length === 0 || this.chance.in(0.04)) {
      const known = [...scope.kinds].filter(([, kind]) => kind === 'stored').map(([name]) => name);
      return known.length > 0 ? this.chance.among(known) : '?none';
    }
    return this.chance.among(visible);
  }
}
