/** Random expressions for filters and columns. Conditions are true of the witness more often than not. */
import type { Chance } from '../chance.js';
import { isBlank, isNode, isNumber, isString, isTime, isTripleTerm, TERMS } from '../data.js';
import { numberTerm, textTerm, ValueMaker, type Maker } from './values.js';
import type { Kind, Scope } from './scope.js';
import { call, infix, termOf, type Expression, type Pattern, type TermText } from '../syntax.js';

const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='];

export class ExpressionMaker extends ValueMaker {
  constructor(
    chance: Chance,
    /** The pattern of an EXISTS. */
    private readonly pattern: (scope: Scope, depth: number) => readonly Pattern[],
  ) {
    super(chance);
  }

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
      [0.7, () => this.either(scope, depth - 1, () => this.condition(scope, depth - 1))],
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
    const variable = this.variable(scope);
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
        () =>
          this.#equals(it, this.chance.among(['>=', '<=', '<', '>', '!=']), numberTerm(this.chance.below(4)), value),
      ])();
    }
    if (isString(value)) return this.#stringTest(it, value);
    if (isTime(value))
      return infix(it, this.chance.among(['<', '>', '<=', '!=']), termOf(this.chance.among(TERMS.times)));
    return this.chance.in(0.7) ? call('isLITERAL', it) : call('sameTerm', it, termOf(value));
  }

  #stringTest(it: Expression, value: TermText): Expression {
    return this.chance.among<Maker>([
      () => call('CONTAINS', call('STR', it), textTerm(this.chance.among(['a', 'b', '']))),
      () => call('STRSTARTS', it, textTerm(this.chance.among(['a', 'b', '']))),
      () => call('STRENDS', it, textTerm(this.chance.among(['a', 'b', '']))),
      () => call('REGEX', it, textTerm(this.chance.among(['a', '^.?b?', 'b$', '[a-b]+', '^$|.'])), ...this.#flags()),
      () => call('LANGMATCHES', call('LANG', it), textTerm(this.chance.among(['*', 'en', 'fr', 'en-GB']))),
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
    return this.chance.in(0.5) ? [textTerm('i')] : [];
  }

  #anyTest(scope: Scope): Expression {
    const it = termOf(this.variable(scope));
    const name = this.chance.among(['isIRI', 'isBLANK', 'isLITERAL', 'isNUMERIC', 'isTRIPLE', 'hasLANG', '!BOUND']);
    return call(name, it);
  }

  #comparison(scope: Scope, depth: number): Expression {
    const sign = this.chance.among(COMPARISONS);
    const pair = this.chance.weighted<() => [Expression, Expression]>([
      [4, () => [this.#sum(scope, depth), this.#sum(scope, depth)]],
      [0.3, () => [this.text(scope, depth), this.text(scope, depth)]],
      [0.3, () => [termOf(this.variable(scope)), termOf(this.variable(scope))]],
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
    return value.expr === 'term' && !isNumber(value.term) ? infix(value, '+', numberTerm(0)) : value;
  }

  #in(scope: Scope, depth: number): Expression {
    const nodes = scope.stored(isNode);
    const variable = nodes.length > 0 && this.chance.in(0.8) ? this.chance.among(nodes) : this.variable(scope);
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
  // What is known of a value that is not.
  #random(scope: Scope): Expression {
    return this.chance.among<Maker>([
      () => infix(call('RAND'), '<', numberTerm(this.chance.below(3))),
      () => infix(call('STRLEN', call('STRUUID')), '=', numberTerm(36)),
      () => call('isIRI', call('UUID')),
      () => call('isBLANK', call('BNODE')),
      () => call('sameTerm', call('BNODE', this.text(scope, 0)), call('BNODE', this.text(scope, 0))),
    ])();
  }
}
