/** Finds what the memory knows by words, in the index that a memory has from its beginning. */
import type * as RDF from '@rdfjs/types';
import { termToNTriples } from '@quadrille/model';
import { literal, type QueryOptions, type ReadView, type Row } from 'quadrille';
import { cut, DEFAULT_BYTES, Page, PAGING } from '../page.js';
import type { Tool } from '../tool.js';
import { memoryOf } from './changes.js';
import { readEntity, readRelations, type Shown } from './read.js';
import { entityName, isEntity, NAME, OBSERVATION, ORDER, TYPE } from './terms.js';

/** Entities whose names have the words; all their observations are recalled. */
const MOST_NAMED = 10;
const MOST_OBSERVATIONS = 1000;
/** Most rows are longer. Where they do not fill an answer, more of them are read. */
const BYTES_OF_ROW = 128;
const GROWTH = 8;
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
    run: async ({ text, maxBytes = DEFAULT_BYTES }: { text: string; maxBytes?: number }, call) => {
      const memory = await memoryOf(call);
      const words = wordsOf(text);
      for (let most = Math.ceil(maxBytes / BYTES_OF_ROW); ; most *= GROWTH) {
        const found = words === '' ? [] : await memory.select(hitsQuery(words, most), call.limits).toArray();
        const page = await recalled(memory, found, maxBytes, call.signal);
        if (found.length < most || page.isFull)
          return { structured: { observations: page.items, hasMore: page.isFull } };
      }
    },
  };
}

interface Recalled {
  readonly name: string;
  readonly observation: string;
  readonly score: number;
}

/** Observations by their words and those of the name of their entity, the best ones first. */
async function recalled(
  view: ReadView,
  hits: readonly Row[],
  maxBytes: number,
  signal: AbortSignal,
): Promise<Page<Recalled>> {
  const named = hits.filter(({ property }) => NAME.equals(property)).slice(0, MOST_NAMED);
  const scores = new Map(named.map(({ entity, score }) => [entity!.value, Number(score!.value)]));
  const found = new Map<string, Recalled>();
  const add = (entity: RDF.Term, observation: string, score: number): void => {
    const key = `${entity.value} ${observation}`;
    if (found.has(key)) return;
    const name = isEntity(entity) ? entityName(entity) : entity.value;
    found.set(key, { name, observation, score: round(score + (scores.get(entity.value) ?? 0)) });
  };
  for (const { entity, property, text, score } of hits)
    if (OBSERVATION.equals(property)) add(entity!, text!.value, Number(score!.value));
  const page = pageOf(found, maxBytes);
  // What is known by its name alone has the score of the name.
  const least = page.isFull ? (page.items.at(-1)?.score ?? 0) : 0;
  const wanted = named.filter(({ entity }) => round(scores.get(entity!.value)!) > least);
  for (const { entity } of wanted) {
    let left = MOST_OBSERVATIONS;
    for await (const { object } of view.quads(
      { subject: entity as RDF.NamedNode, predicate: OBSERVATION },
      { signal },
    )) {
      add(entity!, object.value, 0);
      if (--left === 0) break;
    }
  }
  return wanted.length === 0 ? page : pageOf(found, maxBytes);
}

function pageOf(found: ReadonlyMap<string, Recalled>, maxBytes: number): Page<Recalled> {
  const page = new Page<Recalled>(maxBytes, { observations: [] });
  // A longer one is cut, so that it does not hide the others: open_nodes has it whole.
  const longest = Math.min(MOST_OF_OBSERVATION, Math.floor(maxBytes / 4));
  for (const row of [...found.values()].toSorted((x, y) => y.score - x.score))
    if (!page.add({ ...row, observation: cut(row.observation, longest) })) break;
  return page;
}

/** The best values of names and observations. One search has both, because ranking all that have the words takes most of its time. */
const hitsQuery = (words: string, most: number): string =>
  `SELECT * {
    (?entity ?score ?text ?graph ?property)
      <http://jena.apache.org/text#query> (<${NAME.value}> <${OBSERVATION.value}> "${words}" ${String(most)})
  }`;

const round = (score: number): number => Math.round(score * 1000) / 1000;

/** In lower case no word is an operator of the syntax of searches. Longer words stand for their beginnings, too: "ship" recalls "ships". */
const wordsOf = (text: string): string =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))]
    .slice(0, MOST_WORDS)
    .map((word) => (word.length < SHORTEST_BEGINNING ? word : `${word} ${word}*`))
    .join(' ');
const SHORTEST_BEGINNING = 4;
const MOST_WORDS = 64;
