/** Finds what the memory knows by words, in the index that a memory has from its beginning. */
import type * as RDF from '@rdfjs/types';
import { termToNTriples } from '@quadrille/model';
import { literal, type QueryOptions, type ReadView } from 'quadrille';
import { cut, DEFAULT_BYTES, Page, PAGING } from '../page.js';
import type { Tool } from '../tool.js';
import { memoryOf } from './changes.js';
import { readEntity, readRelations, type Shown } from './read.js';
import { entityName, isEntity, NAME, OBSERVATION, ORDER, TYPE } from './terms.js';

/** Entities whose names have the words; all their observations are recalled. */
const MOST_NAMED = 10;
const MOST_OBSERVATIONS = 1000;
const BYTES_OF_ROW = 64;
const MOST_OF_OBSERVATION = 2048;

/**
 * The entities whose name, type or observations contain a text, and the relations that begin or end there. They are read when they are
 * shown: an answer has few of them.
 */
export async function entitiesWith(view: ReadView, text: string, limits: QueryOptions): Promise<Shown> {
  const found = new Map<string, Ordered>();
  for await (const { entity, order } of view.select(entitiesQuery(text), limits))
    found.set(entity!.value, { entity: entity as RDF.NamedNode, order: Number(order?.value ?? 0) });
  const entities = [...found.values()].toSorted((x, y) => x.order - y.order).map(({ entity }) => entity);
  const { signal } = limits;
  return {
    size: entities.length,
    entity: (index) => readEntity(view, entities[index]!, signal),
    relations: () => readRelations(view, entities, signal),
  };
}

interface Ordered {
  readonly entity: RDF.NamedNode;
  readonly order: number;
}

/** An index of words helps a filter with a constant. */
function entitiesQuery(text: string): string {
  const wanted = termToNTriples(literal(text.toLowerCase()));
  const parts = [NAME, TYPE, OBSERVATION].map(
    ({ value }) => `{ ?entity <${value}> ?value FILTER(CONTAINS(LCASE(?value), ${wanted})) }`,
  );
  return `SELECT ?entity ?order {
    { SELECT DISTINCT ?entity { ${parts.join(' UNION ')} } }
    ?entity <${NAME.value}> ?name OPTIONAL { ?entity <${ORDER.value}> ?order }
  }`;
}

export function recall(): Tool {
  return {
    name: 'recall',
    toolset: 'memory',
    title: 'Recall',
    description: 'Find the observations that fit some words best, within a budget of bytes',
    input: {
      properties: {
        text: { type: 'string', minLength: 1, maxLength: 2048, description: 'Words to look for' },
        maxBytes: PAGING.maxBytes,
      },
      required: ['text'],
    },
    effect: 'reads',
    run: async (input: { text: string; maxBytes?: number }, call) => {
      const { text, maxBytes = DEFAULT_BYTES } = input;
      const page = new Page<Recalled>(maxBytes, { observations: [] });
      const found = await recalled(await memoryOf(call), text, Math.ceil(maxBytes / BYTES_OF_ROW), call.limits);
      // A longer one is cut, so that it does not hide the others: open_nodes has it whole.
      const longest = Math.min(MOST_OF_OBSERVATION, Math.floor(maxBytes / 4));
      for (const row of found) if (!page.add({ ...row, observation: cut(row.observation, longest) })) break;
      return { structured: { observations: page.items, hasMore: page.isFull } };
    },
  };
}

interface Recalled {
  readonly name: string;
  readonly observation: string;
  readonly score: number;
}

/** Observations by their words and those of the name of their entity, the best ones first. */
async function recalled(view: ReadView, text: string, most: number, limits: QueryOptions): Promise<Recalled[]> {
  const words = wordsOf(text);
  if (words === '') return [];
  const found = new Map<string, Recalled>();
  const add = (entity: RDF.Term, observation: string, score: number): void => {
    const key = JSON.stringify([entity.value, observation]);
    const before = found.get(key)?.score ?? 0;
    const name = isEntity(entity) ? entityName(entity) : entity.value;
    found.set(key, { name, observation, score: round(before + score) });
  };
  for (const { entity, score, text: said } of await hits(view, OBSERVATION, words, most, limits))
    add(entity, said, score);
  for (const { entity, score } of await hits(view, NAME, words, MOST_NAMED, limits)) {
    let left = MOST_OBSERVATIONS;
    for await (const { object } of view.quads({ subject: entity, predicate: OBSERVATION }, { signal: limits.signal })) {
      add(entity, object.value, score);
      if (--left === 0) break;
    }
  }
  return [...found.values()].toSorted((x, y) => y.score - x.score);
}

interface Hit {
  readonly entity: RDF.NamedNode;
  readonly text: string;
  readonly score: number;
}

/** Values of a property, the best ones first. A search of the library would count all of them. */
async function hits(
  view: ReadView,
  property: RDF.NamedNode,
  words: string,
  most: number,
  limits: QueryOptions,
): Promise<Hit[]> {
  const query = `SELECT * {
    (?entity ?score ?text) <http://jena.apache.org/text#query> (<${property.value}> "${words}" ${String(most)})
  }`;
  const rows = await view.select(query, limits).toArray();
  return rows.map(({ entity, text, score }) => ({
    entity: entity as RDF.NamedNode,
    text: text!.value,
    score: Number(score!.value),
  }));
}

const round = (score: number): number => Math.round(score * 1000) / 1000;

/** In lower case no word is an operator of the syntax of searches. Longer words stand for their beginnings, too: "ship" recalls "ships". */
const wordsOf = (text: string): string =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))]
    .slice(0, MOST_WORDS)
    .map((word) => (word.length < SHORTEST_BEGINNING ? word : `${word} ${word}*`))
    .join(' ');
const SHORTEST_BEGINNING = 4;
const MOST_WORDS = 64;
