/** Makes searches of the triples whose predicate is `text:query` or `vec:nearest`, with the lists before and behind it. */
import type * as RDF from '@rdfjs/types';
import { defaultGraph, iri, literal, RDF_NS, termToText, XSD } from '@quadrille/model';
import {
  isTwoSided,
  type Nearest,
  NEAREST,
  type Operation,
  type Pattern,
  type Search,
  TEXT_QUERY,
} from '../../algebra/algebra.js';
import { isPlaceholder } from '../../algebra/template.js';
import { makePattern, makeVariable } from '../../algebra/terms.js';

const FIRST = `${RDF_NS}first`;
const REST = `${RDF_NS}rest`;
const NIL = `${RDF_NS}nil`;
/** `(?s ?score ?literal ?graph ?property)` */
const OUTPUTS = 5;

/** How many rows `vec:nearest` gives where no number stands behind it. */
const NEAREST_ROWS = '10';

export const isSearch = ({ predicate: { value } }: Pattern): boolean => value === TEXT_QUERY || value === NEAREST;

/** What makes searches: new variables, and errors. */
interface Maker {
  fresh(): RDF.Variable;
  refuse(message: string): never;
}

/** The searches of a basic graph pattern, and its other triples. A question for vectors stands behind what comes before it. */
export function takeSearches(patterns: readonly Pattern[], maker: Maker): Operation[] {
  const lists = new Lists(patterns, maker);
  const made = new Map(patterns.filter(isSearch).map((pattern) => [pattern, lists.search(pattern)]));
  const parts: Operation[] = [];
  let own: Pattern[] = [];
  let searches: Operation[] = [];
  const endPatterns = (): void => {
    if (own.length > 0) parts.push({ type: 'bgp', patterns: own });
    parts.push(...searches);
    own = [];
    searches = [];
  };
  for (const pattern of patterns) {
    const search = made.get(pattern);
    if (search?.type === 'nearest') {
      endPatterns();
      parts.push(search);
    } else if (search !== undefined) searches.push(search);
    else if (!lists.taken.has(pattern)) own.push(pattern);
  }
  endPatterns();
  return parts;
}

/** The lists of a basic graph pattern. */
class Lists {
  /** Their triples that are no data. */
  readonly taken = new Set<Pattern>();
  readonly #nodes = new Map<string, { first?: Pattern; rest?: Pattern }>();

  constructor(
    patterns: readonly Pattern[],
    private readonly maker: Maker,
  ) {
    for (const pattern of patterns) {
      const { subject, predicate } = pattern;
      if (predicate.value !== FIRST && predicate.value !== REST) continue;
      const node = this.#nodes.get(subject.value) ?? {};
      if (predicate.value === FIRST) node.first = pattern;
      else node.rest = pattern;
      this.#nodes.set(subject.value, node);
    }
  }

  search({ subject, predicate, object }: Pattern): Search | Nearest {
    const name = predicate.value === NEAREST ? 'vec:nearest' : 'text:query';
    const outputs = this.#take(subject, name) ?? [subject];
    const args = this.#take(object, name) ?? [object];
    return predicate.value === NEAREST ? nearestOf(outputs, args, this.maker) : searchOf(outputs, args, this.maker);
  }

  /** The members of a list. `undefined`: the term is no list. */
  #take(term: RDF.Term, name: string): RDF.Term[] | undefined {
    if (term.value === NIL) return [];
    if (term.termType !== 'Variable' || !this.#nodes.has(term.value)) return undefined;
    const members: RDF.Term[] = [];
    for (let node = term; node.value !== NIL;) {
      const { first, rest } = this.#nodes.get(node.value) ?? {};
      if (first === undefined || rest === undefined) this.maker.refuse(`a list of ${name} has no end`);
      this.taken.add(first).add(rest);
      members.push(first.object);
      node = rest.object as RDF.Variable;
    }
    return members;
  }
}

function searchOf(outputs: readonly RDF.Term[], args: readonly RDF.Term[], maker: Maker): Search {
  if (outputs.length === 0 || outputs.length > OUTPUTS)
    maker.refuse(`text:query has 1 to ${OUTPUTS} variables before it: (?s ?score ?literal ?graph ?property)`);
  if (args.every((term) => term.termType === 'NamedNode' && !isPlaceholder(term.value)))
    maker.refuse('text:query has no text behind it: write "words", or (rdfs:label "words" 20)');
  const [subject, ...others] = outputs;
  if (others.some(({ termType }) => termType !== 'Variable'))
    maker.refuse('score, literal, graph and property before text:query are variables');
  const [score, literal = maker.fresh(), graph, property = maker.fresh()] = others as RDF.Variable[];
  const pattern = makePattern(subject!, property, literal, defaultGraph());
  return { type: 'search', input: { type: 'bgp', patterns: [pattern] }, literal, score, graph, arguments: args };
}

function nearestOf(outputs: readonly RDF.Term[], args: readonly RDF.Term[], maker: Maker): Nearest {
  const [subject, score, ...others] = outputs;
  if (subject === undefined || others.length > 0)
    maker.refuse('vec:nearest has one or two variables before it: (?s ?score)');
  if (score !== undefined && score.termType !== 'Variable') maker.refuse('the score before vec:nearest is a variable');
  const [name, vector, count = literal(NEAREST_ROWS, iri(`${XSD}integer`)), ...more] = args;
  if (name === undefined || vector === undefined || more.length > 0)
    maker.refuse('vec:nearest has a name, a vector and a number behind it: ("name" ?vector 10)');
  const found = maker.fresh();
  const pattern = makePattern(subject, maker.fresh(), found, defaultGraph());
  const input = [
    { type: 'bgp', patterns: [] },
    { type: 'bgp', patterns: [pattern] },
  ] as const;
  return { type: 'nearest', input, literal: found, score, arguments: [name, vector, count] };
}

/** A search is made for at most so many values of variables. */
const MOST_TEXTS = 64;

/** A search whose text is a variable: one for each value that BIND or VALUES gives it in the same group. */
export function withKnownTexts(search: Search, before: readonly Operation[]): Operation {
  let searches: { readonly search: Search; readonly row: Readonly<Record<string, RDF.Term>> }[] = [{ search, row: {} }];
  const variables = search.arguments.filter(({ termType }) => termType === 'Variable');
  for (const name of new Set(variables.map(({ value }) => value))) {
    const terms = termsOf(name, before);
    // A value of the call may stand for it.
    if (terms === undefined || terms.length * searches.length > MOST_TEXTS) continue;
    searches = searches.flatMap((one) =>
      terms.map((term) => ({
        search: { ...one.search, arguments: one.search.arguments.map((own) => (isNamed(own, name) ? term : own)) },
        row: { ...one.row, [name]: term },
      })),
    );
  }
  const [first, second] = searches;
  if (first === undefined) return { type: 'values', variables: [], bindings: [] };
  if (second === undefined) return first.search;
  const names = Object.keys(first.row);
  return {
    type: 'union',
    input: searches.map(({ search: own, row }) => ({
      type: 'join',
      input: [{ type: 'values', variables: names.map(makeVariable), bindings: [row] }, own],
    })),
  };
}

const isNamed = ({ termType, value }: RDF.Term, name: string): boolean => termType === 'Variable' && value === name;

/** The different terms that a variable takes, where operations list them. */
function termsOf(name: string, operations: readonly Operation[]): readonly RDF.Term[] | undefined {
  for (const operation of operations) {
    const terms = listedTerms(name, operation);
    if (terms !== undefined) return terms;
  }
  return undefined;
}

function listedTerms(name: string, operation: Operation): readonly RDF.Term[] | undefined {
  if (isTwoSided(operation) || operation.type === 'nearest') return listedTerms(name, operation.input[0]);
  switch (operation.type) {
    case 'extend': {
      const { variable, expression, input } = operation;
      if (variable.value !== name) return listedTerms(name, input);
      return expression.subType === 'term' && expression.term.termType !== 'Variable' ? [expression.term] : undefined;
    }
    case 'values': {
      const terms = operation.bindings.map((row) => row[name]);
      if (!operation.variables.some(({ value }) => value === name) || terms.includes(undefined)) return undefined;
      return [...new Map(terms.map((term) => [termToText(term!), term!])).values()];
    }
    case 'join':
      return termsOf(name, operation.input);
    default:
      return undefined;
  }
}
