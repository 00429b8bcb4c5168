/** Expressions: operators, functions, aggregates, EXISTS. */
import type * as RDF from '@rdfjs/types';
import type { AggregateExpression, Expression } from '../../algebra/algebra.js';
import {
  AGGREGATES,
  FUNCTIONS,
  isAggregate,
  isFunction,
  type AggregateName,
  type FunctionName,
} from '../lexer/tokens.js';
import { Aggregates } from './aggregates.js';
import { withCondition, type Group } from './group-builder.js';
import { operatorExpression, OperatorStack, precedenceOf, SIGN_PRECEDENCE } from './operators.js';
import type { Parsing } from './token-reader.js';
import { TOO_DEEP } from './token-reader.js';
import { tripleTerm, TriplesParser } from './triples-parser.js';

const EXPRESSION = 'an expression';
const SIGNS = { '+': 'uplus', '-': 'uminus' } as const;

/** A variable of an expression, with its place. */
export interface Mention {
  readonly name: string;
  readonly offset: number;
}

export const termExpression = (term: RDF.Term): Expression => ({ type: 'expression', subType: 'term', term });

export abstract class ExpressionParser extends TriplesParser {
  /** The aggregates of the query level that is being parsed. */
  protected aggregates = new Aggregates();
  /** The variables that stand outside of aggregates, where somebody asks for them. */
  protected mentions: Mention[] | undefined;
  protected isInExistence = false;
  protected hasMinusInExistence = false;
  #isInAggregate = false;

  protected abstract group(): Parsing<Group>;

  protected *expression(): Parsing<Expression> {
    const first = yield* this.#operand();
    if (precedenceOf(this.lexer.token) === 0 && !this.#isSignedNumber) return first;
    const stack = new OperatorStack();
    stack.operand(first);
    for (;;) {
      if (this.isPauseDue) yield;
      const { token } = this.lexer;
      if (token === 'IN' || token === 'NOT') {
        if (!stack.completeComparand()) return stack.end();
        const operator = this.#inOperator();
        const list = yield* this.#expressionList();
        stack.comparisonOf((left) => operatorExpression(operator, [left, ...list]));
      } else if (this.#isSignedNumber) {
        // `?x -1`: the sign of the number is the operator.
        if (!stack.operator(this.text[this.lexer.start]!, SIGN_PRECEDENCE)) return stack.end();
        stack.operand(this.#numberWithoutSign());
      } else {
        const precedence = precedenceOf(token);
        if (precedence === 0 || !stack.operator(token, precedence)) return stack.end();
        this.advance();
        stack.operand(yield* this.#operand());
      }
    }
  }

  #inOperator(): string {
    const isNot = this.take('NOT');
    this.expect('IN', 'IN');
    return isNot ? 'notin' : 'in';
  }

  get #isSignedNumber(): boolean {
    const { token, start } = this.lexer;
    if (token !== 'integer' && token !== 'decimal' && token !== 'double') return false;
    return this.text[start] === '+' || this.text[start] === '-';
  }

  #numberWithoutSign(): Expression {
    const { value, token } = this.lexer;
    this.advance();
    return termExpression(this.number(value.slice(1), token));
  }

  /** An operand, with the signs before it. */
  *#operand(): Parsing<Expression> {
    let signs = 0;
    while (this.lexer.token === '!') {
      if (!this.trail.enterSign()) this.refuse(TOO_DEEP);
      this.advance();
      signs++;
    }
    const { token } = this.lexer;
    let expression: Expression;
    if (token === '+' || token === '-') {
      this.advance();
      expression = operatorExpression(SIGNS[token], [this.#simplePrimary() ?? (yield* this.#primary())]);
    } else expression = this.#simplePrimary() ?? (yield* this.#primary());
    this.trail.leaveSigns(signs);
    for (; signs > 0; signs--) expression = operatorExpression('!', [expression]);
    return expression;
  }

  /** A variable or a literal. */
  #simplePrimary(): Expression | undefined {
    if (this.lexer.token !== 'variable') {
      const literal = this.literal();
      return literal && termExpression(literal);
    }
    return termExpression(this.#mentionedVariable());
  }

  /** What is more than one token, or an IRI. It has not been read yet. */
  #primary(): Parsing<Expression> {
    switch (this.lexer.token) {
      case '(':
        return this.parenthesised();
      case 'iri':
      case 'name':
        return this.#iriOrCall();
      case '<<(':
        return this.#tripleTermExpression();
      default:
        return this.builtInCall() ?? this.fail(EXPRESSION);
    }
  }

  *#iriOrCall(): Parsing<Expression> {
    const iri = this.iri();
    const isCall = this.lexer.token === '(' || this.lexer.token === '()';
    return isCall ? yield* this.#namedCall(iri) : termExpression(iri);
  }

  protected *parenthesised(): Parsing<Expression> {
    this.expect('(');
    const expression = yield* this.expression();
    this.expect(')', "an operator or ')'");
    return expression;
  }

  // ── Calls ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** A call of a function of the language, if the token begins one. It has not been read yet. */
  protected builtInCall(): Parsing<Expression> | undefined {
    const { token } = this.lexer;
    if (token === 'EXISTS' || token === 'NOT') return this.#existence();
    if (token === 'BOUND') return this.#bound();
    if (isFunction(token)) return this.#functionCall(token);
    return isAggregate(token) ? this.#aggregate(token) : undefined;
  }

  /** A call of a function that an IRI names. */
  protected *functionCall(): Parsing<Expression> {
    const iri = this.iri(EXPRESSION);
    if (this.lexer.token !== '(' && this.lexer.token !== '()') this.fail("'('");
    return yield* this.#namedCall(iri);
  }

  *#namedCall(name: RDF.NamedNode): Parsing<Expression> {
    if (this.take('()')) return { type: 'expression', subType: 'named', name, args: [] };
    const { start } = this.lexer;
    this.advance();
    if (this.prologue.isAggregate(name.value)) return yield* this.#namedAggregate(name, start);
    const isDistinct = this.take('DISTINCT');
    if (isDistinct && !this.aggregates.allowed) {
      this.refuse('DISTINCT stands only in an aggregate, in SELECT, HAVING and ORDER BY', start);
    }
    const args = yield* this.#arguments();
    return { type: 'expression', subType: 'named', name, args, ...(isDistinct && { distinct: true }) };
  }

  /** An aggregate that the embedder added. Its parenthesis has been read. */
  *#namedAggregate({ value: iri }: RDF.NamedNode, start: number): Parsing<Expression> {
    if (!this.aggregates.allowed) this.refuse(`<${iri}> stands only in SELECT, HAVING and ORDER BY`, start);
    if (this.#isInAggregate) this.refuse(`<${iri}> stands within another aggregate`, start);
    const distinct = this.take('DISTINCT');
    const expression = yield* this.#aggregated();
    this.expect(')', "')'");
    return this.#boundAggregate({ aggregator: 'custom', iri, expression, distinct });
  }

  /** The expression that an aggregate is over. */
  *#aggregated(): Parsing<Expression> {
    const { mentions } = this;
    this.mentions = undefined;
    this.#isInAggregate = true;
    const expression = yield* this.expression();
    this.#isInAggregate = false;
    this.mentions = mentions;
    return expression;
  }

  #boundAggregate(aggregate: Omit<AggregateExpression, 'subType'>): Expression {
    const whole = { type: 'expression', subType: 'aggregate', ...aggregate } as const;
    return termExpression(this.aggregates.variableOf(whole, () => this.names.fresh()));
  }

  *#functionCall(name: FunctionName): Parsing<Expression> {
    const [least, most] = FUNCTIONS[name];
    this.advance();
    const { start, token } = this.lexer;
    if (token !== '()' && token !== '(') this.fail(most === 0 ? "'()'" : "'('");
    const args = yield* this.#expressionList();
    if (args.length < least || args.length > most) this.refuse(`${name} ${argumentsOf(least, most)}`, start);
    return operatorExpression(name.toLowerCase(), args);
  }

  /** Expressions in parentheses, or `()`. */
  *#expressionList(): Parsing<Expression[]> {
    if (this.take('()')) return [];
    this.expect('(');
    return yield* this.#arguments();
  }

  *#arguments(): Parsing<Expression[]> {
    const args: Expression[] = [];
    do {
      if (this.isPauseDue) yield;
      args.push(yield* this.expression());
    } while (this.take(','));
    this.expect(')', "',' or ')'");
    return args;
  }

  *#bound(): Parsing<Expression> {
    if (this.isPauseDue) yield;
    this.advance();
    this.expect('(');
    const variable = this.#mentionedVariable();
    this.expect(')');
    return operatorExpression('bound', [termExpression(variable)]);
  }

  *#existence(): Parsing<Expression> {
    const not = this.take('NOT');
    this.expect('EXISTS', 'EXISTS');
    const { mentions, aggregates, isInExistence } = this;
    const { scope } = this.patternLabels;
    this.isInExistence = true;
    this.mentions = undefined;
    this.aggregates = new Aggregates();
    const input = withCondition(yield* this.group());
    this.mentions = mentions;
    this.aggregates = aggregates;
    this.isInExistence = isInExistence;
    this.patternLabels.scope = scope;
    return { type: 'expression', subType: 'existence', not, input };
  }

  *#aggregate(name: AggregateName): Parsing<Expression> {
    if (!this.aggregates.allowed) this.refuse(`${name} stands only in SELECT, HAVING and ORDER BY`);
    if (this.#isInAggregate) this.refuse(`${name} stands within another aggregate`);
    this.advance();
    this.expect('(');
    const distinct = this.take('DISTINCT');
    const isWildcard = name === 'COUNT' && this.take('*');
    const expression: Expression = isWildcard ? { type: 'expression', subType: 'wildcard' } : yield* this.#aggregated();
    const separator = name === 'GROUP_CONCAT' ? this.#separator() : undefined;
    this.expect(')', "')'");
    return this.#boundAggregate({
      aggregator: AGGREGATES[name],
      expression,
      distinct,
      ...(separator !== undefined && { separator }),
    });
  }

  #separator(): string {
    if (!this.take(';')) return ' ';
    this.expect('SEPARATOR', 'SEPARATOR');
    this.expect('=');
    return this.string();
  }

  // ── Triple terms ────────────────────────────────────────────────────────────────────────────────────────────────

  *#tripleTermExpression(): Parsing<Expression> {
    if (this.isPauseDue) yield;
    return termExpression(this.#tripleTerm());
  }

  #tripleTerm(): RDF.Term {
    this.expect('<<(', EXPRESSION);
    const subject = this.#memberTerm() ?? this.fail('a variable or an IRI');
    const predicate = this.#verb();
    const object = this.#memberTerm() ?? this.literal() ?? this.#tripleTerm();
    this.expect(')>>');
    return tripleTerm(subject, predicate, object);
  }

  #memberTerm(): RDF.Term | undefined {
    if (this.isIri) return this.iri();
    return this.lexer.token === 'variable' ? this.#mentionedVariable() : undefined;
  }

  #verb(): RDF.Term {
    return this.lexer.token === 'variable' ? this.#mentionedVariable() : this.predicate();
  }

  #mentionedVariable(): RDF.Variable {
    const { start } = this.lexer;
    const variable = this.variable();
    this.mentions?.push({ name: variable.value, offset: start });
    return variable;
  }
}

function argumentsOf(least: number, most: number): string {
  if (most === 0) return 'takes no arguments';
  if (least === most) return `takes ${least} argument${least === 1 ? '' : 's'}`;
  return least === 0 ? `takes at most ${most} argument${most === 1 ? '' : 's'}` : `takes ${least} to ${most} arguments`;
}
