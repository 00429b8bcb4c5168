/** The answer of CONSTRUCT or DESCRIBE in a format of query results: its triples as rows (interface, section 6). */
import { createResultSerializer, findResultFormat } from '@quadrille/formats';
import type { QueryOptions, ReadView } from 'quadrille';

const VARIABLES = ['s', 'p', 'o'];
const BATCH_ROWS = 256;

/** True for a media type that holds rows. */
export const isRowsType = (mediaType: string): boolean => findResultFormat(mediaType)?.bindings === true;

/** The document, in chunks of text. */
export async function* graphAsRows(
  view: ReadView,
  query: string,
  mediaType: string,
  options: QueryOptions,
): AsyncGenerator<string> {
  const answer = await view.query(query, options);
  if (answer.type !== 'quads') return;
  const serializer = createResultSerializer(mediaType);
  yield serializer.head(VARIABLES);
  let rows: Parameters<typeof serializer.rows>[0][number][] = [];
  for await (const { subject, predicate, object } of answer.quads) {
    if (rows.push({ s: subject, p: predicate, o: object }) < BATCH_ROWS) continue;
    yield serializer.rows(rows);
    rows = [];
  }
  yield serializer.rows(rows) + serializer.end();
}
