/** Updates. */
import type * as RDF from '@rdfjs/types';
import { defaultGraph, iri } from '@quadrille/model';
import type { GraphTarget, Operation, Pattern, UpdateOperation } from '../../algebra/algebra.js';
import type { DatasetClause } from '../../algebra/request.js';
import { makePattern } from '../../algebra/terms.js';
import { Aggregates } from './aggregates.js';
import { withCondition } from './group-builder.js';
import { QueryParser } from './query-parser.js';
import { PATTERN, type TermRules } from './term-parser.js';
import type { Parsing } from './token-reader.js';
import { Template } from './triple-sinks.js';

const INSERT_DATA: TermRules = { name: 'INSERT DATA', variables: false, blankNodes: 'data', paths: false };
const DELETE_DATA: TermRules = { name: 'DELETE DATA', variables: false, blankNodes: 'none', paths: false };
const DELETE_WHERE: TermRules = { name: 'DELETE WHERE', variables: true, blankNodes: 'none', paths: false };
const DELETE: TermRules = { name: 'the template of DELETE', variables: true, blankNodes: 'none', paths: false };
const INSERT: TermRules = { name: 'the template of INSERT', variables: true, blankNodes: 'template', paths: false };

const EVERY_NAMED_GRAPH = iri('urn:quadrille:named');
const OPERATION = 'a query or an update';
const TARGET = 'GRAPH, DEFAULT, NAMED or ALL';

type DeleteInsert = Extract<UpdateOperation, { type: 'deleteinsert' }>;

export abstract class UpdateParser extends QueryParser {
  /** The graphs of USING and WITH, of all operations together. */
  #dataset: { default: RDF.NamedNode[]; named: RDF.NamedNode[] } | undefined;

  protected get usingClauses(): DatasetClause | undefined {
    return this.#dataset;
  }

  /** One operation. */
  protected *operation(): Parsing<UpdateOperation> {
    const { token } = this.lexer;
    switch (token) {
      case 'INSERT':
      case 'DELETE':
        return yield* this.#insertOrDelete(token);
      case 'WITH':
        return yield* this.#modifyGraph();
      case 'LOAD':
        return this.#load();
      case 'CLEAR':
      case 'DROP':
      case 'CREATE':
        return this.#clearOrCreate(token);
      case 'ADD':
      case 'MOVE':
      case 'COPY':
        return this.#transfer(token);
      default:
        return this.fail(OPERATION);
    }
  }

  // ── Whole graphs ────────────────────────────────────────────────────────────────────────────────────────────────

  #namedGraph(): RDF.NamedNode {
    const graph = this.iri();
    this.noteGraph(graph);
    return graph;
  }

  #silent(): { readonly silent?: true } {
    return this.take('SILENT') ? { silent: true } : {};
  }

  #load(): UpdateOperation {
    this.advance();
    const silent = this.#silent();
    const source = this.iri();
    if (!this.take('INTO')) return { type: 'load', source, ...silent };
    this.expect('GRAPH', 'GRAPH');
    return { type: 'load', source, destination: this.#namedGraph(), ...silent };
  }

  #clearOrCreate(token: 'CLEAR' | 'DROP' | 'CREATE'): UpdateOperation {
    this.advance();
    const silent = this.#silent();
    if (token !== 'CREATE') {
      const type = token === 'CLEAR' ? 'clear' : 'drop';
      for (const all of ['DEFAULT', 'NAMED', 'ALL'] as const) {
        if (this.take(all)) return { type, source: all, ...silent };
      }
      this.expect('GRAPH', TARGET);
      return { type, source: this.#namedGraph(), ...silent };
    }
    this.expect('GRAPH', 'GRAPH');
    return { type: 'create', source: this.#namedGraph(), ...silent };
  }

  #transfer(token: 'ADD' | 'MOVE' | 'COPY'): UpdateOperation {
    this.advance();
    const silent = this.#silent();
    const source = this.#graphOrDefault();
    this.expect('TO', 'TO');
    const destination = this.#graphOrDefault();
    return { type: token === 'ADD' ? 'add' : token === 'MOVE' ? 'move' : 'copy', source, destination, ...silent };
  }

  #graphOrDefault(): GraphTarget {
    if (this.take('DEFAULT')) return 'DEFAULT';
    if (!this.take('GRAPH') && !this.isIri) this.fail('DEFAULT, GRAPH or an IRI');
    return this.#namedGraph();
  }

  // ── Quads ───────────────────────────────────────────────────────────────────────────────────────────────────────

  *#insertOrDelete(token: 'INSERT' | 'DELETE'): Parsing<UpdateOperation> {
    const { end } = this.lexer;
    this.advance();
    // `INSERT DATA` is one token, with blanks in it.
    const second = this.lexer.start > end ? this.lexer.token : undefined;
    if (second === 'DATA') return yield* this.#data(token);
    if (second === 'WHERE' && token === 'DELETE') return yield* this.#deleteWhere();
    return yield* this.#modify(token, undefined);
  }

  *#data(token: 'INSERT' | 'DELETE'): Parsing<UpdateOperation> {
    this.advance();
    this.dataLabels.begin();
    const data = yield* this.#quads(token === 'INSERT' ? INSERT_DATA : DELETE_DATA, undefined);
    return token === 'INSERT' ? deleteInsert([], data) : deleteInsert(data, []);
  }

  *#deleteWhere(): Parsing<UpdateOperation> {
    this.advance();
    const patterns = yield* this.#quads(DELETE_WHERE, undefined);
    return { ...deleteInsert(patterns, []), where: graphsAsNodes(patterns) };
  }

  *#modifyGraph(): Parsing<UpdateOperation> {
    this.advance();
    const graph = this.#namedGraph();
    const { token } = this.lexer;
    if (token !== 'DELETE' && token !== 'INSERT') this.fail('DELETE or INSERT');
    this.advance();
    return yield* this.#modify(token, graph);
  }

  /** DELETE and INSERT with a pattern; the first of the two words has been read. */
  *#modify(first: 'INSERT' | 'DELETE', graph: RDF.NamedNode | undefined): Parsing<UpdateOperation> {
    const removals = first === 'DELETE' ? yield* this.#quads(DELETE, graph) : [];
    const hasInsert = first === 'INSERT' || this.take('INSERT');
    const additions = hasInsert ? yield* this.#quads(INSERT, graph) : [];
    const using = this.#usingClauses();
    this.expect('WHERE', 'WHERE');
    this.aggregates = new Aggregates();
    const group = yield* this.group();
    const where = withCondition(group);
    const operation = deleteInsert(removals, additions);
    if (where.type === 'bgp' && where.patterns.length === 0) return operation;
    // WITH names the default graph of the pattern (Update, 3.1.3). A GRAPH around the pattern would differ where the graph is empty.
    const dataset = using ?? (graph && { default: [graph], named: [EVERY_NAMED_GRAPH] });
    this.#addToDataset(dataset);
    return { ...operation, where: dataset === undefined ? where : { type: 'from', input: where, ...dataset } };
  }

  #usingClauses(): DatasetClause | undefined {
    const dataset: { default: RDF.NamedNode[]; named: RDF.NamedNode[] } = { default: [], named: [] };
    while (this.take('USING')) {
      const graphs = this.take('NAMED') ? dataset.named : dataset.default;
      graphs.push(this.iri());
    }
    return dataset.default.length === 0 && dataset.named.length === 0 ? undefined : dataset;
  }

  #addToDataset(clause: DatasetClause | undefined): void {
    if (clause === undefined) return;
    this.#dataset ??= { default: [], named: [] };
    this.#dataset.default.push(...clause.default);
    this.#dataset.named.push(...clause.named.filter((graph) => graph !== EVERY_NAMED_GRAPH));
  }

  /** `{ … }` with triples, and triples in graphs. */
  *#quads(rules: TermRules, graph: RDF.NamedNode | undefined): Parsing<readonly Pattern[]> {
    const template = new Template(graph);
    this.expect('{');
    this.rules = rules;
    this.sink = template;
    yield* this.triples();
    while (this.take('GRAPH')) {
      if (this.isPauseDue) yield;
      const name = this.variableOrIri();
      this.noteGraph(name);
      this.expect('{');
      template.graph = name;
      yield* this.triples();
      this.expect('}', "a triple or '}'");
      template.graph = graph ?? defaultGraph();
      this.take('.');
      yield* this.triples();
    }
    this.expect('}', "a triple, GRAPH or '}'");
    this.rules = PATTERN;
    return template.patterns;
  }
}

function deleteInsert(removals: readonly Pattern[], additions: readonly Pattern[]): DeleteInsert {
  return Object.assign(
    { type: 'deleteinsert' as const },
    removals.length > 0 && { delete: removals },
    additions.length > 0 && { insert: additions },
  );
}

/** In DELETE WHERE the patterns carry their graphs; everywhere else GRAPH is a node around patterns without one. */
function graphsAsNodes(patterns: readonly Pattern[]): Operation {
  const byGraph = new Map<string, Pattern[]>();
  for (const pattern of patterns) {
    const key = `${pattern.graph.termType} ${pattern.graph.value}`;
    const same = byGraph.get(key);
    if (same === undefined) byGraph.set(key, [pattern]);
    else same.push(pattern);
  }
  const groups = [...byGraph.values()].map(inGraphNode);
  return groups.length === 1
    ? groups[0]!
    : groups.length === 0
      ? { type: 'bgp', patterns }
      : { type: 'join', input: groups };
}

function inGraphNode(patterns: readonly Pattern[]): Operation {
  const name = patterns[0]!.graph;
  if (name.termType !== 'NamedNode' && name.termType !== 'Variable') return { type: 'bgp', patterns };
  const plain = patterns.map(({ subject, predicate, object }) =>
    makePattern(subject, predicate, object, defaultGraph()),
  );
  return { type: 'graph', name, input: { type: 'bgp', patterns: plain } };
}
