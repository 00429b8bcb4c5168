/** Tools that ask the data of a repository, at any revision and on any branch, within budgets of time, memory and bytes. */
import { termToNTriples } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { answerDiff, iri } from 'quadrille';
import { countsQuery, hasNamedGraphs } from '../resources/overview/term-counts.js';
import type { QueryAnswer, QueryOptions, ReadView, Repository, Row, SearchHit } from 'quadrille';
import type { Source } from './door.js';
import type { Schema } from './input.js';
import { originOf, refOf } from './origin.js';
import { cut, DEFAULT_BYTES, Page, PAGING } from './page.js';
import { ToolError } from './tool-error.js';
import type { Call, Tool } from './tool.js';

/** Of a query. Changes have the longest time. */
export const DEFAULT_TIMEOUT_MS = 10_000;
export const MOST_TIMEOUT_MS = 60_000;

export const REPOSITORY: Schema = { type: 'string', description: 'account/repository. Needed where there are several' };
export const BRANCH: Schema = { type: 'string', description: 'A branch. Default: main' };
const AT: Schema = {
  type: 'string',
  description: 'A past state: a time, a number or id of a revision, HEAD~1, or a tag. Default: now',
};
const TIMEOUT: Schema = {
  type: 'integer',
  minimum: 1,
  maximum: MOST_TIMEOUT_MS,
  description: `Milliseconds after which the query ends. Default ${String(DEFAULT_TIMEOUT_MS)}`,
};
const QUERY: Schema = { type: 'string', minLength: 1, description: 'A SPARQL query. It changes nothing' };
const SOURCE = { repository: REPOSITORY, branch: BRANCH } as const;

interface SourceInput extends Source {
  readonly at?: string;
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
}

/** The repository of a call, on its branch. */
export const sourceOf = (source: Source, { door, access }: Call): Promise<Repository> =>
  door.repository(source, access);

export const dataTools = (): Tool[] => [query(), describe(), compare(), find()];

function query(): Tool {
  return {
    name: 'query',
    toolset: 'data',
    title: 'Query',
    description: 'Ask the data by a SPARQL query, now or at a past revision. Terms in the rows are as in N-Triples',
    input: { properties: { query: QUERY, ...SOURCE, at: AT, timeoutMs: TIMEOUT, ...PAGING }, required: ['query'] },
    effect: 'reads',
    run: async (input: { query: string; cursor?: string } & SourceInput, call) => {
      const { query: text, at, cursor, maxBytes = DEFAULT_BYTES, ...given } = input;
      const repository = await sourceOf(given, call);
      const asked = ['query', text, given.repository, given.branch, at];
      const start =
        cursor === undefined
          ? { revision: (await viewOf(repository, at).revision()).id, offset: 0 }
          : call.context.cursors.decode(asked, cursor);
      const answer = await repository.at(start.revision).query(text, call.limits);
      const { head, items } = rowsOf(answer);
      const page = new Page<unknown>(maxBytes, head);
      let offset = 0;
      for await (const row of items) if (offset++ >= start.offset && !page.add(row)) break;
      if (page.isFull && page.items.length === 0) throw tooLong('one row', maxBytes);
      const next = { revision: start.revision, offset: start.offset + page.items.length };
      return {
        structured: {
          ...head,
          ...('boolean' in head ? {} : { rows: page.items }),
          ...(page.isFull && { hasMore: true, cursor: call.context.cursors.encode(asked, next) }),
        },
      };
    },
  };
}

const viewOf = (repository: Repository, at: string | undefined): ReadView =>
  at === undefined ? repository : repository.at(refOf(at));

/** An answer as rows of texts: the columns of a SELECT, triples of the others. */
function rowsOf(answer: QueryAnswer): { head: object; items: AsyncIterable<unknown> | Iterable<unknown> } {
  if (answer.type === 'boolean') return { head: { boolean: answer.value }, items: [] };
  if (answer.type === 'quads')
    return {
      head: { columns: ['subject', 'predicate', 'object'] },
      items: mapped(answer.quads, ({ subject, predicate, object }) => [subject, predicate, object].map(termToNTriples)),
    };
  const { variables: columns, rows } = answer;
  return { head: { columns }, items: mapped(rows, (row) => cells(columns, row)) };
}

const cells = (columns: readonly string[], row: Row): (string | null)[] =>
  columns.map((name) => (row[name] === undefined ? null : termToNTriples(row[name])));

async function* mapped<T, R>(items: AsyncIterable<T>, change: (item: T) => R): AsyncGenerator<R> {
  for await (const item of items) yield change(item);
}

function describe(): Tool {
  return {
    name: 'describe',
    toolset: 'data',
    title: 'Describe',
    description:
      'What the data are: size, graphs, classes and properties with counts and examples, prefixes. Begin with it before you write a query',
    input: { properties: { ...SOURCE, at: AT, timeoutMs: TIMEOUT, maxBytes: PAGING.maxBytes } },
    effect: 'reads',
    run: async (given: SourceInput, call) => {
      const repository = await sourceOf(given, call);
      const { id } = await viewOf(repository, given.at).revision();
      const view = repository.at(id);
      const { limits } = call;
      const head = { revision: originOf(await view.revision()), size: await view.size() };
      const named = await hasNamedGraphs(view);
      const lists: Described[] = [];
      for (const [into, position] of LISTS)
        if (position !== 'graph' || named) lists.push(await termsOf(view, { into, position, named, limits }));
      const prefixes = Object.entries(await repository.namespaces.effective());
      lists.push({ into: 'prefixes', items: prefixes.map(([prefix, namespace]) => ({ prefix, iri: namespace })) });
      const found = { graphs: [], classes: [], properties: [], prefixes: [] };
      const page = new Page<unknown>(given.maxBytes ?? DEFAULT_BYTES, { ...head, ...found });
      const shown: Record<Described['into'], Term[]> = found;
      for (const { into, item } of inTurn(lists)) if (page.add([into, item])) shown[into].push(item);
      const hasMore = page.isFull;
      // A query needs the terms; examples have what they leave.
      for (const { into, index, exampleOf } of inTurn(lists)) {
        if (page.isFull) break;
        const example = await exampleOf?.(index);
        if (example !== undefined && page.add({ example })) Object.assign(shown[into][index]!, { example });
      }
      return { structured: { ...head, ...shown, hasMore } };
    },
  };
}

/** One of each list in turn, so that a long list leaves room for the others. */
function* inTurn(
  lists: readonly Described[],
): Generator<Pick<Described, 'into' | 'exampleOf'> & { item: Term; index: number }> {
  const most = Math.max(...lists.map(({ items }) => items.length));
  for (let index = 0; index < most; index++)
    for (const { items, ...list } of lists) {
      const item = items[index];
      if (item !== undefined) yield { ...list, item, index };
    }
}

/** What `describe` says of a term, or of a prefix. */
interface Term {
  readonly iri: string;
}

/** A list of `describe`, the most frequent first. */
interface Described {
  readonly into: 'graphs' | 'classes' | 'properties' | 'prefixes';
  readonly items: readonly Term[];
  readonly exampleOf?: (index: number) => Promise<string | undefined>;
}

interface Terms {
  readonly into: Described['into'];
  readonly position: (typeof LISTS)[number][1];
  readonly named: boolean;
  readonly limits: QueryOptions;
}

async function termsOf(view: ReadView, { into, position, named, limits }: Terms): Promise<Described> {
  const rows = await view.select(countsQuery(position, named, MOST_TERMS), limits).toArray();
  return {
    into,
    items: rows.map(({ term, count }) => ({ iri: term!.value, count: Number(count!.value) })),
    exampleOf: (index) => exampleOf(view, position, rows[index]!['term']!),
  };
}

const LISTS = [
  ['graphs', 'graph'],
  ['classes', 'class'],
  ['properties', 'predicate'],
] as const;
/** More terms of a list are not told. */
const MOST_TERMS = 200;
const MOST_OF_EXAMPLE = 120;
const RDF_TYPE = iri('http://www.w3.org/1999/02/22-rdf-syntax-ns#type');

/** An instance of a class, or a value of a property. */
async function exampleOf(
  view: ReadView,
  position: (typeof LISTS)[number][1],
  term: RDF.Term,
): Promise<string | undefined> {
  if (position === 'graph') return undefined;
  const isClass = position === 'class';
  const quad = await view.quads(isClass ? { predicate: RDF_TYPE, object: term } : { predicate: term }).first();
  if (quad === undefined) return undefined;
  return cut(termToNTriples(isClass ? quad.subject : quad.object), MOST_OF_EXAMPLE);
}

function compare(): Tool {
  return {
    name: 'compare',
    toolset: 'data',
    title: 'Compare',
    description: 'What changed in the answer of a SELECT between two revisions',
    input: {
      properties: { query: QUERY, from: AT, to: AT, ...SOURCE, timeoutMs: TIMEOUT, maxBytes: PAGING.maxBytes },
      required: ['query', 'from'],
    },
    effect: 'reads',
    run: async (input: { query: string; from: string; to?: string } & SourceInput, call) => {
      const { query: text, from, to = 'HEAD', maxBytes = DEFAULT_BYTES, ...given } = input;
      const repository = await sourceOf(given, call);
      const answer = await answerDiff(repository, text, refOf(from), refOf(to), call.limits);
      const head = { columns: answer.variables };
      const page = new Page<readonly [string, unknown]>(maxBytes, head);
      const found = { added: [] as unknown[], removed: [] as unknown[] };
      for (const side of ['added', 'removed'] as const)
        for (const row of answer[side]) {
          const item = cells(answer.variables, row);
          if (page.add([side, item])) found[side].push(item);
        }
      const counts = { addedCount: answer.added.length, removedCount: answer.removed.length };
      return { structured: { ...head, ...counts, ...found, hasMore: page.isFull } };
    },
  };
}

function find(): Tool {
  return {
    name: 'find',
    toolset: 'data',
    title: 'Find',
    description:
      'Find resources by words of their literals, the best ones first: moon -lunar, +dwarf +planet, "dwarf planet", plu*, plto~1',
    input: {
      properties: {
        text: { type: 'string', minLength: 1, maxLength: 1024, description: 'Words to look for' },
        property: { type: 'string', minLength: 1, description: 'Only values of this property: an IRI' },
        language: { type: 'string', minLength: 1, description: 'Only literals with this language tag' },
        ...SOURCE,
        at: AT,
        timeoutMs: TIMEOUT,
        ...PAGING,
      },
      required: ['text'],
    },
    effect: 'reads',
    run: async (input: FindInput, call) => {
      const { text, property, language, at, cursor, maxBytes = DEFAULT_BYTES, ...given } = input;
      const repository = await sourceOf(given, call);
      const asked = ['find', text, property, language, given.repository, given.branch, at];
      const start =
        cursor === undefined
          ? { revision: (await viewOf(repository, at).revision()).id, offset: 0 }
          : call.context.cursors.decode(asked, cursor);
      const { total, hits } = await repository.at(start.revision).search(text, {
        ...(property !== undefined && { property: iri(property) }),
        ...(language !== undefined && { language }),
        limit: Math.ceil(maxBytes / BYTES_OF_HIT),
        offset: start.offset,
        signal: call.signal,
      });
      const page = new Page<object>(maxBytes, { total });
      for (const hit of hits) if (!page.add(shown(hit))) break;
      const offset = start.offset + page.items.length;
      if (page.isFull && page.items.length === 0) throw tooLong('one hit', maxBytes);
      const next = { revision: start.revision, offset };
      return {
        structured: {
          total,
          hits: page.items,
          hasMore: offset < total,
          ...(offset < total && { cursor: call.context.cursors.encode(asked, next) }),
        },
      };
    },
  };
}

interface FindInput extends SourceInput {
  readonly text: string;
  readonly property?: string;
  readonly language?: string;
  readonly cursor?: string;
}

/** No hit is shorter. */
const BYTES_OF_HIT = 64;
/** Longer literals are cut: a query has them whole. */
const MOST_OF_LITERAL = 1024;

const shown = ({ subject, property, literal, graph, score }: SearchHit): object => ({
  resource: subject.termType === 'NamedNode' ? subject.value : termToNTriples(subject),
  property: property.value,
  literal: cut(termToNTriples(literal), MOST_OF_LITERAL),
  ...(graph.termType !== 'DefaultGraph' && { graph: graph.value }),
  score: Math.round(score * 1000) / 1000,
});

const tooLong = (what: string, maxBytes: number): ToolError =>
  new ToolError(
    `${what} is larger than ${String(maxBytes)} bytes: ask for fewer or shorter values, or with a larger maxBytes`,
  );
