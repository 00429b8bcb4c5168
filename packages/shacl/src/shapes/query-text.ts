/** The queries in a graph of shapes: their texts, prefixes and messages. */
import type * as RDF from '@rdfjs/types';
import { iri, literal, ParseError, RDF_NS, termToNTriples, XSD } from '@quadrille/model';
import {
  isForbidden,
  PreboundQuery,
  type PreboundOptions,
  type Reach,
  type ReachedPath,
} from '@quadrille/sparql/prebound';
import { OWL, OWL_IMPORTS, RDFS, SH } from '../vocabulary.js';
import { invalid, shownTerm } from './invalid.js';
import type { Bind } from './parse-path.js';
import type { BoundTerm, Path } from './paths.js';
import type { QueryReads } from './shape.js';
import type { TermGraph } from './term-graph.js';

type PropertyPath = NonNullable<PreboundOptions['path']>;

/** Declares a prefix that is no local name, so that the text cannot use it before it is declared. */
const PREFIX = /^(?:[\p{L}](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_-])?)?$/u;

/** What published shapes use without a declaration, since other validators know them. */
const WELL_KNOWN: Readonly<Record<string, string>> = { rdf: RDF_NS, rdfs: RDFS, owl: OWL, xsd: XSD, sh: SH };

/**
 * The prefixes of a query: `sh:declare` of the values of `sh:prefixes` and of what these import, before those that are well known.
 * @throws ShapesError `SHAPES_INVALID` for a prefix with two namespaces
 */
export function prefixesOf(graph: TermGraph, owner: RDF.Term, node: RDF.Term): Record<string, string> {
  const prefixes = new Map<string, string>();
  const open = [...graph.sh(node, 'prefixes')];
  const seen = new Set<string>();
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const key = termToNTriples(at);
    if (seen.has(key)) continue;
    seen.add(key);
    open.push(...graph.values(at, OWL_IMPORTS));
    for (const declaration of graph.sh(at, 'declare')) {
      const [prefix, namespace] = [graph.one(declaration, 'prefix'), graph.one(declaration, 'namespace')];
      if (prefix?.termType !== 'Literal' || namespace === undefined || !PREFIX.test(prefix.value))
        throw invalid(owner, 'a declaration of sh:declare has no sh:prefix or no sh:namespace that can be used');
      const before = prefixes.get(prefix.value);
      if (before !== undefined && before !== namespace.value)
        throw invalid(owner, `the prefix ${prefix.value}: is declared as <${before}> and as <${namespace.value}>`);
      prefixes.set(prefix.value, namespace.value);
    }
  }
  return { ...WELL_KNOWN, ...Object.fromEntries(prefixes) };
}

/** Where a query stands in the shapes. */
export interface QueryPlace {
  readonly graph: TermGraph;
  /** The shape that errors name. */
  readonly owner: RDF.Term;
  /** The node of the constraint, validator or target. */
  readonly node: RDF.Term;
}

/** @throws ShapesError `SHAPES_INVALID` with line and column */
export function queryOf({ graph, owner, node }: QueryPlace, options: Omit<PreboundOptions, 'prefixes'>): PreboundQuery {
  const name = options.kind;
  const text = graph.one(node, name);
  if (text?.termType !== 'Literal') throw invalid(owner, `${shownTerm(node)} has no sh:${name} that is a text`);
  const prefixes = prefixesOf(graph, owner, node);
  try {
    return new PreboundQuery(text.value, { ...options, prefixes });
  } catch (error) {
    if (error instanceof ParseError) {
      const { line, column } = error;
      const where = line === undefined ? '' : ` (line ${String(line)}, column ${String(column)})`;
      const details = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
      throw invalid(owner, `sh:${name} of ${shownTerm(node)} is no SPARQL${where}: ${error.message}`, details);
    }
    if (isForbidden(error)) throw invalid(owner, `sh:${name} of ${shownTerm(node)}: ${error.message}`);
    throw error;
  }
}

/** A path of SHACL as one of SPARQL. */
export function sparqlPath(path: Path): PropertyPath {
  switch (path.kind) {
    case 'predicate':
      return { type: 'link', iri: path.predicate.term as RDF.NamedNode };
    case 'inverse':
      return { type: 'inv', path: sparqlPath(path.path) };
    case 'sequence':
      return { type: 'seq', input: path.paths.map(sparqlPath) };
    case 'alternative':
      return { type: 'alt', input: path.paths.map(sparqlPath) };
    case 'repeat': {
      const type = path.many ? (path.least === 0 ? 'ZeroOrMorePath' : 'OneOrMorePath') : 'ZeroOrOnePath';
      return { type, path: sparqlPath(path.path) };
    }
    case 'any':
    case 'reifiers':
      throw new Error('no path of SHACL');
  }
}

/** What a query reads, from the focus node (`$this`) and from the value node (`$value`). */
export function readsOf({ paths, touched }: Reach, bind: Bind): QueryReads {
  const of = (name: string): Path[] =>
    paths.filter(({ from }) => from === name).map((reached) => shaclPath(reached, bind));
  const bound = (term: RDF.Term | undefined): BoundTerm | undefined => term && bind(term);
  return {
    fromFocus: of('this'),
    fromValues: of('value'),
    forAll: touched.map(({ subject, predicate, object }) => ({
      subject: bound(subject),
      predicate: bound(predicate),
      object: bound(object),
    })),
  };
}

function shaclPath({ steps, edges }: ReachedPath, bind: Bind): Path {
  const paths = steps.map((step) => fromSparql(step, bind));
  const any: Path = { kind: 'any' };
  if (edges !== undefined) paths.push(edges === 'out' ? any : { kind: 'inverse', path: any });
  return paths.length === 1 ? paths[0]! : { kind: 'sequence', paths };
}

function fromSparql(path: PropertyPath, bind: Bind): Path {
  switch (path.type) {
    case 'link':
      return { kind: 'predicate', predicate: bind(path.iri) };
    case 'inv':
      return { kind: 'inverse', path: fromSparql(path.path, bind) };
    case 'seq':
      return { kind: 'sequence', paths: path.input.map((one) => fromSparql(one, bind)) };
    case 'alt':
      return { kind: 'alternative', paths: path.input.map((one) => fromSparql(one, bind)) };
    case 'nps':
      throw new Error('a negated set is read for all nodes');
    default:
      return {
        kind: 'repeat',
        path: fromSparql(path.path, bind),
        least: path.type === 'OneOrMorePath' ? 1 : 0,
        many: path.type !== 'ZeroOrOnePath',
      };
  }
}

const PLACE = /\{[?$]([\p{L}\p{N}_]+)\}/gu;

/** Messages with the values of a solution in the places of `{?x}` and `{$x}`. What has no value stays as it stands. */
export const filled = (
  messages: readonly RDF.Term[],
  values: Readonly<Record<string, RDF.Term>>,
): readonly RDF.Term[] =>
  messages.map((message) => {
    if (message.termType !== 'Literal' || !message.value.includes('{')) return message;
    const text = message.value.replace(PLACE, (place, name: string) => values[name]?.value ?? place);
    return literal(text, message.language === '' ? message.datatype : message.language);
  });

/** The component of `sh:sparql`. */
export const SPARQL_COMPONENT = iri(`${SH}SPARQLConstraintComponent`);
