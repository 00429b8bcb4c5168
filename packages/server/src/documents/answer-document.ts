/** Answers and triples as documents, in chunks of text; and a part of an answer (`limit`, `offset`). */
import { createResultSerializer } from '@quadrille/formats';
import { HttpError } from '../http/index.js';
import type * as RDF from '@rdfjs/types';
import { type QueryOptions, type ReadView, rowsDocument, type SparqlText, tripleRows } from 'quadrille';
import { isRowsType, rdfFormat } from './media-types.js';
import type { Slice } from '../parameters/sparql-parameters.js';
import { quadsDocument } from './statements-document.js';

type Items<T> = Iterable<T> | AsyncIterable<T>;
type Prefixes = Readonly<Record<string, string>>;

const EVERYTHING: Slice = { offset: 0, limit: Infinity };
const TRIPLE_VARIABLES = ['s', 'p', 'o'];

/** Quads in an RDF format, which is given by its media type. */
export function graphDocument(mediaType: string, quads: Items<RDF.Quad>, prefixes: Prefixes): AsyncIterable<string> {
  const format = rdfFormat(mediaType);
  if (format === undefined) throw new HttpError('NOT_ACCEPTABLE', `${mediaType} cannot be written`);
  return quadsDocument(quads, format, prefixes);
}

/** The answer of a query, or a part of it. */
export async function* answerDocument(
  view: Pick<ReadView, 'query'>,
  query: SparqlText,
  mediaType: string,
  options: QueryOptions,
  prefixes: Prefixes,
  slice: Slice | undefined,
): AsyncGenerator<string> {
  const answer = await view.query(query, options);
  if (answer.type === 'boolean') yield createResultSerializer(mediaType).boolean(answer.value);
  else if (answer.type === 'bindings') yield* rowsDocument(mediaType, answer.variables, part(answer.rows, slice));
  else if (isRowsType(mediaType))
    yield* rowsDocument(mediaType, TRIPLE_VARIABLES, tripleRows(part(answer.quads, slice)));
  else yield* graphDocument(mediaType, part(answer.quads, slice), prefixes);
}

/** Leaving the loop at the limit ends the query. */
async function* part<T>(items: Items<T>, { offset, limit }: Slice = EVERYTHING): AsyncGenerator<T> {
  if (limit === 0) return;
  let at = 0;
  for await (const item of items) {
    if (at++ < offset) continue;
    yield item;
    if (at >= offset + limit) return;
  }
}
