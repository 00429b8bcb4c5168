/** Random expressions of a wanted type. They are true of, or defined for, the witness more often than not. */
import type { Chance } from './chance.js';
import { isBlank, isNode, isNumber, isString, isTime, isTripleTerm, randomLiteral, TERMS } from './data.js';
import type { Kind, Scope } from './scope.js';
import { call, infix, termOf, type Expression, type Pattern, type TermText } from './syntax.js';

type Maker = () => Expression;
const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='];
const number = (value: number): Expression => termOf(String(value));
const text = (value: string): Expression => termOf(`"${value}"`);

export class ExpressionMaker {
  constructor(
    private readonly chance: Chance,
    /** The pattern of an EXISTS. */
    private readonly pattern: (scope: Scope, depth: number) => readonly Pattern[],
  ) {}

  /** A value for BIND or a column, and how far it is determined. */
  value(scope: Scope, depth = 2): { value: Expression; kind: Kind } {
    const make = this.chance.weighted<() => { value: Expression; kind: Kind }>([
      [4, () => ({ value: this.number(scope, depth), kind: 'number' })],
      [2, () => ({ value: this.integer(scope, depth), kind: 'integer' })],
      [4, () => ({ value: this.text(scope, depth), kind: 'text' })],
      [2, () => ({ value: this.time(scope), kind: 'text' })],
      [4, () => ({ value: this.term(scope, depth), kind: 'text' })],
      [2, () => ({ value: this.condition(scope, depth), kind: 'text' })],
      [0.7, () => ({ value: this.fresh(scope), kind: 'opaque' })],
    ]);
    return make();
  }

  /** Something that is true or false. */
  condition(scope: Scope, depth = 2): Expression {
    if (depth <= 0) return this.#test(scope);
    const make = this.chance.weighted<Maker>([
      [5, () => this.#test(scope)],
      [4, () => this.#comparison(scope, depth - 1)],
      [2, () => infix(this.condition(scope, depth - 1), '&&', this.condition(scope, depth - 1))],
      [2.5, () => infix(this.condition(scope, depth - 1), '||', this.condition(scope, depth - 1))],
      [1, () => ({ expr: 'prefix', sign: '!', of: this.condition(scope, depth - 1) })],
      [2, () => this.#in(scope, depth - 1)],
      [0.7, () => this.#if(scope, depth - 1, () => this.condition(scope, depth - 1))],
      [0.7, () => call('COALESCE', this.condition(scope, depth - 1), termOf(this.chance.among(['true', 'false'])))],
      [0.7, () => this.#random(scope)],
    ]);
    return make();
  }

  exists(scope: Scope, depth: number): Expression {
    return { expr: 'exists', not: this.chance.in(0.4), where: this.pattern(scope, depth) };
  }

  // A test of one variable that holds for its witness as a rule.
  #test(scope: Scope): Expression {
    const variable = this.#variable(scope);
    const value = scope.witness.get(variable) ?? '';
    const it = termOf(variable);
    const kind = scope.kinds.get(variable);
    if (kind === 'opaque') return call('BOUND', it);
    if (kind !== 'stored' || value === '' || this.chance.in(0.15)) return call('BOUND', it);
    if (this.chance.in(0.12)) return this.#anyTest(scope);
    if (isBlank(value)) return call(this.chance.among(['isBLANK', '!isIRI', '!isLITERAL']), it);
    if (isTripleTerm(value)) return call('isTRIPLE', it);
    const same: Maker = () =>
      this.chance.in(0.5) ? this.#equals(it, '=', termOf(value), value) : call('sameTerm', it, termOf(value));
    if (isNode(value)) return this.chance.in(0.5) ? same() : call('isIRI', it);
    if (isNumber(value)) {
      return this.chance.among<Maker>([
        same,
        () => call('isNUMERIC', it),
        () => this.#equals(it, this.chance.among(['>=', '<=', '<', '>', '!=']), number(this.chance.below(4)), value),
      ])();
    }
    if (isString(value)) return this.#stringTest(it, value);
    if (isTime(value))
      return infix(it, this.chance.among(['<', '>', '<=', '!=']), termOf(this.chance.among(TERMS.times)));
    return this.chance.in(0.7) ? call('isLITERAL', it) : call('sameTerm', it, termOf(value));
  }

  #stringTest(it: Expression, value: TermText): Expression {
    return this.chance.among<Maker>([
      () => call('CONTAINS', call('STR', it), text(this.chance.among(['a', 'b', '']))),
      () => call('STRSTARTS', it, text(this.chance.among(['a', 'b', '']))),
      () => call('STRENDS', it, text(this.chance.among(['a', 'b', '']))),
      () => call('REGEX', it, text(this.chance.among(['a', '^.?b?', 'b$', '[a-b]+', '^$|.'])), ...this.#flags()),
      () => call('LANGMATCHES', call('LANG', it), text(this.chance.among(['*', 'en', 'fr', 'en-GB']))),
      () => call(this.chance.among(['hasLANG', 'hasLANGDIR']), it),
      () => this.#equals(it, this.#sign(), this.#plainString(), value),
    ])();
  }

  // Rarely < and its kin: Comunica has another order of strings.
  #sign(): string {
    return this.chance.among(this.chance.in(0.9) ? ['=', '!='] : COMPARISONS);
  }

  #plainString(): Expression {
    return termOf(this.chance.among(TERMS.strings.filter((string) => string.endsWith('"'))));
  }

  // Mostly behind a condition on its type: between literals of different types the engines do not agree on what = is.
  #equals(it: Expression, sign: string, other: Expression, value: TermText): Expression {
    const comparison = infix(it, sign, other);
    if (this.chance.in(0.1)) return comparison;
    if (isNumber(value)) return infix(call('isNUMERIC', it), '&&', comparison);
    if (isString(value)) return infix(infix(call('DATATYPE', it), '=', termOf('xsd:string')), '&&', comparison);
    return comparison;
  }

  #flags(): Expression[] {
    return this.chance.in(0.5) ? [text('i')] : [];
  }

  #anyTest(scope: Scope): Expression {
    const it = termOf(this.#variable(scope));
    const name = this.chance.among(['isIRI', 'isBLANK', 'isLITERAL', 'isNUMERIC', 'isTRIPLE', 'hasLANG', '!BOUND']);
    return call(name, it);
  }

  #comparison(scope: Scope, depth: number): Expression {
    const sign = this.chance.among(COMPARISONS);
    const pair = this.chance.weighted<() => [Expression, Expression]>([
      [4, () => [this.#sum(scope, depth), this.#sum(scope, depth)]],
      [0.3, () => [this.text(scope, depth), this.text(scope, depth)]],
      [0.3, () => [termOf(this.#variable(scope)), termOf(this.#variable(scope))]],
      [0.3, () => [this.term(scope, depth), this.term(scope, depth)]],
    ]);
    if (this.chance.in(0.4)) {
      return infix(call('STR', this.text(scope, depth)), this.#sign(), call('STR', this.text(scope, depth)));
    }
    if (this.chance.in(0.2)) return infix(this.time(scope), this.chance.among(['<', '>']), this.time(scope));
    const [left, right] = pair();
    return infix(left, sign, right);
  }

  // Never a bare variable, which might be no number.
  #sum(scope: Scope, depth: number): Expression {
    const value = this.number(scope, depth);
    return value.expr === 'term' && !isNumber(value.term) ? infix(value, '+', number(0)) : value;
  }

  #in(scope: Scope, depth: number): Expression {
    const nodes = scope.stored(isNode);
    const variable = nodes.length > 0 && this.chance.in(0.8) ? this.chance.among(nodes) : this.#variable(scope);
    const value = scope.witness.get(variable);
    if (nodes.includes(variable) && this.chance.in(0.9)) {
      const others = TERMS.nodes.filter((node) => !isBlank(node));
      const iris = [...this.chance.times(1, 2, () => this.chance.among(others)), ...(isBlank(value!) ? [] : [value!])];
      return { expr: 'in', not: this.chance.in(0.3), value: termOf(variable), list: iris.map(termOf) };
    }
    if (value !== undefined && isNumber(value) && this.chance.in(0.8)) {
      const numbers = this.chance.times(1, 3, () => termOf(this.chance.among(TERMS.numbers)));
      const among = { expr: 'in' as const, not: this.chance.in(0.3), value: termOf(variable), list: numbers };
      return infix(call('isNUMERIC', termOf(variable)), '&&', among);
    }
    if (this.chance.in(0.8)) return this.#test(scope);
    const list = this.chance.times(1, 3, () => this.term(scope, Math.min(depth, 0)));
    if (value !== undefined && !isBlank(value) && !isTripleTerm(value) && this.chance.in(0.7)) list.push(termOf(value));
    return { expr: 'in', not: this.chance.in(0.3), value: termOf(variable), list: this.chance.shuffled(list) };
  }

  #if(scope: Scope, depth: number, make: Maker): Expression {
    return call('IF', this.condition(scope, depth), make(), make());
  }

  number(scope: Scope, depth: number): Expression {
    const variables = [...scope.stored(isNumber), ...scope.variables('number', 'integer')];
    if (depth <= 0 || this.chance.in(0.35)) {
      if (variables.length > 0 && this.chance.in(0.8)) return termOf(this.chance.among(variables));
      return this.chance.in(0.1) ? termOf(this.#variable(scope, 'stored')) : termOf(this.chance.among(TERMS.numbers));
    }
    const next = (): Expression => this.number(scope, depth - 1);
    return this.chance.weighted<Maker>([
      [4, () => infix(next(), this.chance.among(['+', '-', '*']), next())],
      [1, () => infix(next(), '/', number(this.chance.among([2, 4, 0])))],
      [1, () => ({ expr: 'prefix', sign: '-', of: next() })],
      [3, () => call(this.chance.among(['ABS', 'CEIL', 'FLOOR', 'ROUND']), next())],
      [2, () => this.integer(scope, depth - 1)],
      [
        2,
        () => call(this.chance.among(['xsd:integer', 'xsd:decimal', 'xsd:double', 'xsd:float']), this.#castable(scope)),
      ],
      [1, () => this.#if(scope, depth - 1, next)],
      [1, () => call('COALESCE', next(), next())],
    ])();
  }

  /** An integer that is the same term everywhere. */
  integer(scope: Scope, depth: number): Expression {
    return this.chance.weighted<Maker>([
      [3, () => call('STRLEN', this.text(scope, depth - 1))],
      [3, () => call(this.chance.among(['YEAR', 'MONTH', 'DAY', 'HOURS', 'MINUTES']), this.time(scope))],
      [1, () => number(this.chance.below(4))],
    ])();
  }

  text(scope: Scope, depth: number): Expression {
    const variables = [...scope.stored(isString), ...scope.variables('text')];
    if (depth <= 0 || this.chance.in(0.3)) {
      if (variables.length > 0 && this.chance.in(0.6)) return termOf(this.chance.among(variables));
      if (this.chance.in(0.5)) return call('STR', termOf(this.#variable(scope, 'stored')));
      return termOf(this.chance.among(TERMS.strings));
    }
    const next = (): Expression => this.text(scope, depth - 1);
    const part = (): Expression => text(this.chance.among(['a', 'b', '', 'x']));
    return this.chance.weighted<Maker>([
      [2, () => call(this.chance.among(['UCASE', 'LCASE', 'STR', 'ENCODE_FOR_URI']), next())],
      [2, () => call('CONCAT', ...this.chance.times(1, 3, next))],
      [
        2,
        () =>
          call(
            'SUBSTR',
            next(),
            number(1 + this.chance.below(3)),
            ...this.chance.times(0, 1, () => number(this.chance.below(3))),
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
              .map(text),
          ),
      ],
      [2, () => call(this.chance.among(['MD5', 'SHA1', 'SHA256', 'SHA384', 'SHA512']), next())],
      [1, () => call(this.chance.among(['LANG', 'LANGDIR']), termOf(this.#variable(scope, 'stored')))],
      [1, () => call('xsd:string', termOf(this.#variable(scope, 'stored')))],
      [1, () => call('TZ', this.time(scope))],
      [1, () => this.#if(scope, depth - 1, next)],
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
      if (this.chance.in(0.5)) return termOf(this.#variable(scope, 'stored', 'text', 'integer'));
      return termOf(
        this.chance.in(0.4)
          ? this.chance.among(TERMS.nodes.filter((node) => !isBlank(node)))
          : randomLiteral(this.chance),
      );
    }
    const next = (): Expression => this.term(scope, depth - 1);
    const stored = (): Expression => termOf(this.#variable(scope, 'stored'));
    return this.chance.weighted<Maker>([
      [
        2,
        () =>
          call(
            'IRI',
            this.chance.in(0.6) ? stored() : call('CONCAT', text('http://example.org/'), this.text(scope, 0)),
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
      [1, () => call('STRLANG', this.text(scope, 0), text('en'))],
      [1, () => call('STRLANGDIR', this.text(scope, 0), text('en'), text('ltr'))],
      [2, () => call('DATATYPE', stored())],
      [2, () => call('TRIPLE', stored(), termOf(this.chance.among(TERMS.links)), next())],
      [2, () => call(this.chance.among(['SUBJECT', 'PREDICATE', 'OBJECT']), this.#triple(scope))],
      [1, () => call('xsd:boolean', this.#castable(scope))],
      [2, () => this.#if(scope, depth - 1, next)],
      [2, () => call('COALESCE', ...this.chance.times(1, 3, next))],
    ])();
  }

  #triple(scope: Scope): Expression {
    const variables = scope.stored(isTripleTerm);
    if (variables.length > 0) return termOf(this.chance.among(variables));
    return call('TRIPLE', termOf('ex:a'), termOf('ex:p'), termOf(this.#variable(scope, 'stored')));
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

  // What is known of a value that is not.
  #random(scope: Scope): Expression {
    return this.chance.among<Maker>([
      () => infix(call('RAND'), '<', number(this.chance.below(3))),
      () => infix(call('STRLEN', call('STRUUID')), '=', number(36)),
      () => call('isIRI', call('UUID')),
      () => call('isBLANK', call('BNODE')),
      () => call('sameTerm', call('BNODE', this.text(scope, 0)), call('BNODE', this.text(scope, 0))),
    ])();
  }

  #castable(scope: Scope): Expression {
    const variables = scope.variables('stored');
    if (variables.length > 0 && this.chance.in(0.6)) return termOf(this.chance.among(variables));
    return this.chance.in(0.3)
      ? text(this.chance.among(['1', '01', '1.5', '1e0', 'abc', 'true', '2020-01-01', '2020-01-01T00:00:00Z']))
      : termOf(randomLiteral(this.chance));
  }

  // Now and then one that is not visible here, which is unbound.
  #variable(scope: Scope, ...kinds: readonly Kind[]): TermText {
    const visible = kinds.length === 0 ? [...scope.visible] : scope.variables(...kinds);
    if (visible.length === 0 || this.chance.in(0.04)) {
      const known = [...scope.kinds].filter(([, kind]) => kind === 'stored').map(([name]) => name);
      return known.length > 0 ? this.chance.among(known) : '?none';
    }
    return this.chance.among(visible);
  }
}
