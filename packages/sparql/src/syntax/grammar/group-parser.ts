/** Group graph patterns and their elements. */
import type * as RDF from '@rdfjs/types';
import type { Expression, Operation } from '../../algebra/algebra.js';
import type { NamedSource } from '../named-sources.js';
import { ExpressionParser } from './expression-parser.js';
import { GroupBuilder, unite, withCondition, type Group } from './group-builder.js';
import type { Parsing } from './token-reader.js';
import { PATTERN } from './term-parser.js';
import { withKnownTexts } from './text-searches.js';
import { TriplesBlock } from './triple-sinks.js';
import { tripleTerm } from './triples-parser.js';

type Values = Extract<Operation, { type: 'values' }>;
/** A query within a group: its variables are those that it selects. */
export interface SubSelect {
  readonly operation: Operation;
  readonly variables: Set<string>;
}

const GROUP = "a group in braces: '{'";
const ELEMENT = "a triple, an element of the group, or '}'";

export abstract class GroupParser extends ExpressionParser {
  protected hasService = false;
  protected readonly sources: NamedSource[] = [];

  protected abstract subSelect(): Parsing<SubSelect>;

  /** Called with the name of each graph of the text. */
  protected abstract noteGraph(name: RDF.Term): void;

  /** `{ … }` */
  protected override *group(): Parsing<Group> {
    const { scope, rules } = this;
    this.expect('{', GROUP);
    this.rules = PATTERN;
    this.scope = new Set();
    this.patternLabels.begin();
    const builder = new GroupBuilder();
    if (this.lexer.token === 'SELECT') builder.join(yield* this.#select());
    else {
      for (;;) {
        if (this.isPauseDue) yield;
        if (this.isTriple) yield* this.#triplesBlock(builder);
        const element = this.#element(builder);
        if (element === undefined) break;
        const isFilter = this.lexer.token === 'FILTER';
        yield* element;
        // Filters stand within a basic graph pattern, everything else ends it.
        if (!isFilter) this.patternLabels.begin();
        this.take('.');
      }
    }
    this.expect('}', ELEMENT);
    const group = { pattern: builder.pattern, condition: builder.condition, variables: this.scope };
    this.patternLabels.begin();
    this.scope = scope;
    this.rules = rules;
    return group;
  }

  /** The element of the group that the token begins; it has not been read yet. */
  #element(builder: GroupBuilder): Parsing<void> | undefined {
    switch (this.lexer.token) {
      case 'FILTER':
        return this.#filter(builder);
      case '{':
        return this.#union(builder);
      case 'OPTIONAL':
        return this.#optional(builder);
      case 'MINUS':
        return this.#minus(builder);
      case 'GRAPH':
        return this.#graph(builder);
      case 'SERVICE':
        return this.#service(builder);
      case 'BIND':
        return this.#bind(builder);
      case 'VALUES':
        return this.#inlineData(builder);
      default:
        return undefined;
    }
  }

  *#select(): Parsing<Operation> {
    const { operation, variables } = yield* this.subSelect();
    this.scope = variables;
    return operation;
  }

  *#triplesBlock(builder: GroupBuilder): Parsing<void> {
    const { start } = this.lexer;
    const block = new TriplesBlock(this.names, (message) => this.refuse(message, start));
    const { sink } = this;
    this.sink = block;
    yield* this.triples();
    this.sink = sink;
    const parts = block.end();
    const isPlain = parts.every(({ type }) => type !== 'search' && type !== 'nearest');
    if (isPlain) builder.join(parts.length === 1 ? parts[0]! : { type: 'join', input: parts });
    else for (const part of parts) builder.add(part.type === 'search' ? withKnownTexts(part, builder.parts) : part);
  }

  *#filter(builder: GroupBuilder): Parsing<void> {
    this.advance();
    builder.filter(yield* this.constraint('FILTER'));
  }

  *#union(builder: GroupBuilder): Parsing<void> {
    const branches: Operation[] = [];
    do {
      if (this.isPauseDue) yield;
      const branch = yield* this.#visibleGroup();
      if (branch.type === 'union') for (const part of branch.input) branches.push(part);
      else branches.push(branch);
    } while (this.take('UNION'));
    builder.join(branches.length === 1 ? branches[0]! : { type: 'union', input: branches });
  }

  /** A group whose variables the enclosing one has too. */
  *#visibleGroup(): Parsing<Operation> {
    const group = yield* this.group();
    this.scope = unite(this.scope, group.variables);
    return withCondition(group);
  }

  *#optional(builder: GroupBuilder): Parsing<void> {
    this.advance();
    const { pattern, condition, variables } = yield* this.group();
    this.scope = unite(this.scope, variables);
    builder.wrap((left) => ({
      type: 'leftjoin',
      input: [left, pattern],
      ...(condition !== undefined && { expression: condition }),
    }));
  }

  *#minus(builder: GroupBuilder): Parsing<void> {
    this.advance();
    this.hasMinusInExistence ||= this.isInExistence;
    const right = withCondition(yield* this.group());
    builder.wrap((left) => ({ type: 'minus', input: [left, right] }));
  }

  *#graph(builder: GroupBuilder): Parsing<void> {
    this.advance();
    const name = this.variableOrIri();
    this.noteGraph(name);
    builder.join({ type: 'graph', input: yield* this.#visibleGroup(), name });
  }

  *#service(builder: GroupBuilder): Parsing<void> {
    this.hasService = true;
    this.advance();
    const silent = this.take('SILENT');
    const { start, end } = this.lexer;
    const name = this.variableOrIri();
    this.noteSource(name, start, end, silent ? 'SERVICE SILENT' : 'SERVICE');
    builder.join({ type: 'service', input: yield* this.#visibleGroup(), name, silent });
  }

  protected noteSource(
    { termType, value: iri }: RDF.Term,
    start: number,
    end: number,
    clause: NamedSource['clause'],
  ): void {
    if (termType === 'NamedNode') this.sources.push({ iri, start, end, clause });
  }

  *#bind(builder: GroupBuilder): Parsing<void> {
    this.advance();
    this.expect('(');
    const expression = yield* this.expression();
    this.expect('AS', 'AS');
    const { start } = this.lexer;
    const variable = this.variable();
    this.expect(')');
    if (this.scope.has(variable.value)) this.refuseBoundAgain(variable.value, start);
    this.scope.add(variable.value);
    builder.wrap((input) => ({ type: 'extend', input, variable, expression }));
  }

  protected refuseBoundAgain(name: string, offset: number): never {
    return this.refuse(`the variable ?${name} is bound already, and cannot be bound again by AS`, offset);
  }

  /** A condition: an expression in parentheses, or a call. */
  protected constraint(clause: string): Parsing<Expression> {
    if (this.lexer.token === '(') return this.parenthesised();
    if (this.isIri) return this.functionCall();
    return this.builtInCall() ?? this.fail(`a condition in parentheses behind ${clause}`);
  }

  // ── VALUES ──────────────────────────────────────────────────────────────────────────────────────────────────────

  *#inlineData(builder: GroupBuilder): Parsing<void> {
    const values = yield* this.values();
    for (const { value } of values.variables) this.scope.add(value);
    builder.join(values);
  }

  protected *values(): Parsing<Values> {
    this.advance();
    const { start } = this.lexer;
    const isList = this.lexer.token !== 'variable';
    const variables = isList ? this.#valuesVariables() : [this.variable()];
    const names = variables.map(({ value }) => value);
    if (new Set(names).size < names.length) this.refuse('VALUES names a variable twice', start);
    this.expect('{');
    const bindings: Record<string, RDF.Term>[] = [];
    while (this.lexer.token !== '}') {
      if (this.isPauseDue) yield;
      bindings.push(isList ? this.#row(names) : rowOf(names, [this.#dataValue()]));
    }
    this.advance();
    return { type: 'values', variables, bindings };
  }

  #valuesVariables(): RDF.Variable[] {
    const variables: RDF.Variable[] = [];
    if (this.take('()')) return variables;
    this.expect('(', 'a variable, or variables in parentheses');
    while (this.lexer.token !== ')') variables.push(this.variable("a variable or ')'"));
    this.advance();
    return variables;
  }

  #row(names: readonly string[]): Record<string, RDF.Term> {
    const { start } = this.lexer;
    const values: (RDF.Term | undefined)[] = [];
    if (!this.take('()')) {
      this.expect('(', "a row in parentheses, or '}'");
      while (this.lexer.token !== ')') values.push(this.#dataValue());
      this.advance();
    }
    if (values.length === names.length) return rowOf(names, values);
    return this.refuse(`a row of VALUES has ${values.length} values for ${names.length} variables`, start);
  }

  /** A value of VALUES; `undefined` for UNDEF. */
  #dataValue(): RDF.Term | undefined {
    if (this.take('UNDEF')) return undefined;
    return this.isIri ? this.iri() : (this.literal() ?? this.#dataTripleTerm());
  }

  #dataTripleTerm(): RDF.Term {
    this.expect('<<(', 'a value: an IRI, a literal, a triple term or UNDEF');
    const subject = this.iri();
    const predicate = this.predicate();
    const object = this.isIri ? this.iri() : (this.literal() ?? this.#dataTripleTerm());
    this.expect(')>>');
    return tripleTerm(subject, predicate, object);
  }
}

function rowOf(names: readonly string[], values: readonly (RDF.Term | undefined)[]): Record<string, RDF.Term> {
  const row: Record<string, RDF.Term> = {};
  for (const [index, name] of names.entries()) {
    const value = values[index];
    if (value === undefined) continue;
    // A variable may be called __proto__.
    if (Object.hasOwn(Object.prototype, name)) Object.defineProperty(row, name, { value, enumerable: true });
    else row[name] = value;
  }
  return row;
}
