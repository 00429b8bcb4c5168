/** The answer of CONSTRUCT or DESCRIBE in a format of query results: its triples as rows (interface, section 6). */
import { type QueryOptions, type ReadView, rowsDocument, type SparqlText, tripleRows } from 'quadrille';

export { isRowsType } from './media-types.js';

/** The document, in chunks of text. */
export async function* graphAsRows(
  view: ReadView,
  query: SparqlText,
  mediaType: string,
  options: QueryOptions,
): AsyncGenerator<string> {
  const answer = await view.query(query, options);
  if (answer.type === 'quads') yield* rowsDocument(mediaType, ['s', 'p', 'o'], tripleRows(answer.quads));
}
