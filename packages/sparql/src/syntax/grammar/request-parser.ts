/**
 * The parser of requests: recursive descent over the grammar of SPARQL 1.2, one area a class, each on top of the one before:
 * tokens, terms, paths, triples, expressions, groups, SELECT, queries, updates, and here the prologue and the whole.
 */
import type * as RDF from '@rdfjs/types';
import type { Operation, UpdateOperation } from '../../algebra/algebra.js';
import { noteNoService } from '../../algebra/asked-repositories.js';
import { markContexts } from '../context-solution.js';
import type { DatasetClause, ParsedSparql } from '../../algebra/request.js';
import { inSteps } from '../../algebra/rewrite.js';
import { distinctTerms } from '../../algebra/terms.js';
import { withSources } from '../named-sources.js';
import type { PrologueOptions } from './prologue.js';
import type { Parsing } from './token-reader.js';
import { UpdateParser } from './update-parser.js';

export class RequestParser extends UpdateParser {
  readonly #graphs: RDF.NamedNode[] = [];

  protected override noteGraph(name: RDF.Term): void {
    if (name.termType === 'NamedNode') this.#graphs.push(name);
  }

  /** The whole text. */
  *request(): Parsing<ParsedSparql> {
    yield* this.#prologue();
    const query = this.query();
    if (query === undefined) {
      const operations = yield* this.#operations();
      return withSources({ kind: 'update', operations, ...this.#meaning(this.usingClauses) }, this.sources);
    }
    const { kind, algebra: given } = yield* query;
    this.#end();
    const algebra = yield* this.#withContexts(given);
    if (!this.hasService) noteNoService(algebra);
    return withSources({ kind, algebra, ...this.#meaning(this.fromClauses) }, this.sources);
  }

  /** Whether the algebra has a variable of its own by the name of one of the text. */
  get clashes(): boolean {
    return this.names.clash;
  }

  *#operations(): Parsing<UpdateOperation[]> {
    const operations: UpdateOperation[] = [];
    while (this.lexer.token !== 'end') {
      if (this.isPauseDue) yield;
      const operation = yield* this.operation();
      const where = 'where' in operation && operation.where && (yield* this.#withContexts(operation.where));
      operations.push(where ? { ...operation, where } : operation);
      if (!this.take(';')) break;
      yield* this.#prologue();
    }
    this.#end();
    return operations;
  }

  *#withContexts(operation: Operation): Parsing<Operation> {
    if (!this.hasMinusInExistence) return operation;
    const steps = inSteps(markContexts(operation));
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (this.pauseAt !== Infinity) yield;
    }
  }

  #end(): void {
    if (this.lexer.token !== 'end') this.fail('nothing more');
  }

  #meaning(dataset: DatasetClause | undefined): Omit<ParsedSparql, 'kind' | 'algebra' | 'operations'> {
    const graphs = [...(dataset?.default ?? []), ...(dataset?.named ?? []), ...this.#graphs];
    return {
      dataset,
      // Each place has its term where the origins are asked for.
      graphs: this.origins === undefined ? distinctTerms(graphs) : graphs,
      variables: this.names.all,
      baseIRI: this.prologue.baseIRI,
      prefixes: Object.fromEntries(this.prologue.used),
    };
  }

  // ── Prologue ────────────────────────────────────────────────────────────────────────────────────────────────────

  *#prologue(): Parsing<void> {
    for (;;) {
      if (this.isPauseDue) yield;
      if (this.take('PREFIX')) this.#prefix();
      else if (this.take('BASE')) this.prologue.setBase(this.#namespace());
      else if (this.take('VERSION')) this.#version();
      else return;
    }
  }

  #prefix(): void {
    const { token, colon, end, value } = this.lexer;
    if (token !== 'name' || colon !== end - 1) this.fail("a prefix with a colon, such as 'ex:'");
    this.advance();
    this.prologue.declare(value.slice(0, -1), this.#namespace());
  }

  #namespace(): string {
    if (this.lexer.token !== 'iri') this.fail('an IRI in <…>');
    const reference = this.iriText();
    const namespace = this.prologue.resolve(reference) ?? this.refuseRelative(reference);
    this.advance();
    return namespace;
  }

  #version(): void {
    const { token, value } = this.lexer;
    const isLong = value.length >= 6 && value[1] === value[0] && value[2] === value[0];
    if (token !== 'string' || isLong) this.fail("a version in quotes, such as '1.2'");
    this.advance();
  }
}

export type { PrologueOptions };
