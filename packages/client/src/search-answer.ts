/** Searches for words on a server. */
import { dataFactory } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { Requests } from './requests.js';
import type { SearchAnswer, SearchHit, SearchOptions } from './types.js';

/** A term of SPARQL's results in JSON. */
interface JsonTerm {
  readonly type: 'uri' | 'bnode' | 'literal' | 'triple';
  readonly value: string;
  readonly 'xml:lang'?: string;
  readonly 'its:dir'?: 'ltr' | 'rtl';
  readonly datatype?: string;
}

interface JsonAnswer {
  readonly revision: string;
  readonly total: number;
  readonly hits: readonly (Readonly<Record<Exclude<keyof SearchHit, 'score'>, JsonTerm | null>> & {
    readonly score: number;
  })[];
  readonly facets: Readonly<Record<string, readonly { readonly value: JsonTerm; readonly count: number }[]>>;
}

export async function searchAnswer(
  requests: Requests,
  at: string | undefined,
  text: string,
  { property, graph, language, limit, offset, facets = [], signal }: SearchOptions,
): Promise<SearchAnswer> {
  const {
    revision,
    total,
    hits,
    facets: counts,
  } = await requests.json<JsonAnswer>({
    path: '/search',
    parameters: {
      q: text,
      property: property?.value,
      graph: graph?.value,
      lang: language,
      limit: limit?.toString(),
      offset: offset?.toString(),
      facet: facets.map(({ value }) => value),
      'revision-id': at,
    },
    signal,
  });
  return {
    revision,
    total,
    hits: hits.map(({ score, ...hit }) => ({ ...(mapped(hit) as Omit<SearchHit, 'score'>), score })),
    facets: Object.fromEntries(
      Object.entries(counts).map(([name, values]) => [
        name,
        values.map(({ value, count }) => ({ value: termOf(value), count })),
      ]),
    ),
  };
}

const mapped = (terms: Readonly<Record<string, JsonTerm | null>>): Record<string, RDF.Term> =>
  Object.fromEntries(Object.entries(terms).map(([name, term]) => [name, termOf(term)]));

function termOf(term: JsonTerm | null): RDF.Term {
  if (term === null) return dataFactory.defaultGraph();
  const { type, value } = term;
  if (type === 'triple') {
    const { subject, predicate, object } = value as unknown as Record<'subject' | 'predicate' | 'object', JsonTerm>;
    return dataFactory.quad(
      termOf(subject) as RDF.Quad_Subject,
      termOf(predicate) as RDF.Quad_Predicate,
      termOf(object) as RDF.Quad_Object,
    );
  }
  if (type === 'uri') return dataFactory.namedNode(value);
  if (type === 'bnode') return dataFactory.blankNode(value);
  const { 'xml:lang': language, 'its:dir': direction, datatype } = term;
  if (language !== undefined)
    return dataFactory.literal(value, direction === undefined ? language : { language, direction });
  return dataFactory.literal(value, datatype === undefined ? undefined : dataFactory.namedNode(datatype));
}
