/** The forms of queries. */
import type * as RDF from '@rdfjs/types';
import { defaultGraph } from '@quadrille/model';
import type { Operation, Pattern } from '../../algebra/algebra.js';
import type { DatasetClause, QueryKind } from '../../algebra/request.js';
import { makePattern, makeVariable, mapTripleTerm } from '../../algebra/terms.js';
import { Aggregates } from './aggregates.js';
import { emptyPattern, type Group } from './group-builder.js';
import { ordered, SelectParser, sliced, visibleIn, type Modifiers } from './select-parser.js';
import { PATTERN, type TermRules } from './term-parser.js';
import type { Parsing } from './token-reader.js';
import { Template } from './triple-sinks.js';

const TEMPLATE: TermRules = { name: 'a template', variables: true, blankNodes: 'template', paths: false };
/** The triples of CONSTRUCT WHERE, which are template and pattern in one. */
const TEMPLATE_PATTERN: TermRules = { ...PATTERN, name: 'CONSTRUCT WHERE', paths: false };

export interface ParsedForm {
  readonly kind: QueryKind;
  readonly algebra: Operation;
}

export abstract class QueryParser extends SelectParser {
  readonly #default: RDF.NamedNode[] = [];
  readonly #named: RDF.NamedNode[] = [];

  /** The graphs that FROM names. */
  protected get fromClauses(): DatasetClause | undefined {
    if (this.#default.length === 0 && this.#named.length === 0) return undefined;
    return { default: this.#default, named: this.#named };
  }

  protected override datasetClauses(): void {
    while (this.take('FROM')) {
      const isNamed = this.take('NAMED');
      const { start, end } = this.lexer;
      const graph = this.iri();
      if (!isNamed) this.noteSource(graph, start, end, 'FROM');
      (isNamed ? this.#named : this.#default).push(graph);
    }
  }

  /** The query that the token begins, if it begins one. */
  protected query(): Parsing<ParsedForm> | undefined {
    switch (this.lexer.token) {
      case 'SELECT':
        return this.#select();
      case 'CONSTRUCT':
        return this.#construct();
      case 'DESCRIBE':
        return this.#describe();
      case 'ASK':
        return this.#ask();
      default:
        return undefined;
    }
  }

  *#select(): Parsing<ParsedForm> {
    const { operation } = yield* this.select(true);
    return { kind: 'select', algebra: operation };
  }

  *#ask(): Parsing<ParsedForm> {
    this.advance();
    this.datasetClauses();
    return yield* this.#form('ask', yield* this.whereClause(), (input) => ({ type: 'ask', input }));
  }

  *#form(
    kind: QueryKind,
    where: Group,
    make: (input: Operation, modifiers: Modifiers) => Operation,
  ): Parsing<ParsedForm> {
    this.aggregates = new Aggregates();
    const modifiers = yield* this.modifiers(where);
    const solutions = ordered(this.grouped(where, modifiers), modifiers);
    return { kind, algebra: sliced(make(solutions, modifiers), modifiers) };
  }

  *#describe(): Parsing<ParsedForm> {
    this.advance();
    const terms: RDF.Term[] = [];
    const isAll = this.take('*');
    if (!isAll) {
      do {
        if (this.isPauseDue) yield;
        terms.push(this.variableOrIri());
      } while (this.lexer.token === 'variable' || this.isIri);
    }
    this.datasetClauses();
    const hasWhere = this.lexer.token === 'WHERE' || this.lexer.token === '{';
    const where: Group = hasWhere
      ? yield* this.whereClause()
      : { pattern: emptyPattern(), condition: undefined, variables: new Set() };
    return yield* this.#form('describe', where, (input, modifiers) => ({
      type: 'describe',
      input,
      terms: isAll ? this.names.inTextOrder(visibleIn(where, modifiers)) : terms,
    }));
  }

  *#construct(): Parsing<ParsedForm> {
    this.advance();
    if (this.lexer.token !== '{') return yield* this.#constructWhere();
    const template = yield* this.#template(TEMPLATE);
    this.datasetClauses();
    const where = yield* this.whereClause();
    return yield* this.#form('construct', where, (input) => ({ type: 'construct', input, template }));
  }

  *#constructWhere(): Parsing<ParsedForm> {
    this.datasetClauses();
    this.expect('WHERE', 'a template in braces, or WHERE');
    this.patternLabels.begin();
    this.scope = new Set();
    const patterns = yield* this.#template(TEMPLATE_PATTERN);
    const where: Group = { pattern: { type: 'bgp', patterns }, condition: undefined, variables: this.scope };
    const template = patterns.map((pattern) => this.#withNewBlankNodes(pattern));
    return yield* this.#form('construct', where, (input) => ({ type: 'construct', input, template }));
  }

  *#template(rules: TermRules): Parsing<readonly Pattern[]> {
    const template = new Template();
    this.expect('{');
    this.rules = rules;
    this.sink = template;
    yield* this.triples();
    this.rules = PATTERN;
    this.expect('}', "a triple or '}'");
    return template.patterns;
  }

  /** A blank node of a template is a new one for each solution. */
  #withNewBlankNodes({ subject, predicate, object }: Pattern): Pattern {
    const convert = (term: RDF.Term): RDF.Term => {
      if (term.termType === 'Quad') return mapTripleTerm(term, convert);
      return term.termType === 'Variable' && this.names.isMade(term.value) ? makeVariable(`_:${term.value}`) : term;
    };
    return makePattern(convert(subject), predicate, convert(object), defaultGraph());
  }
}
