/** The updates of a live query as lines: a row that came begins with `+`, one that went with `-`. */
import type * as RDF from '@rdfjs/types';
import { createResultSerializer } from '@quadrille/formats';
import { termToNTriples } from '@quadrille/model';

const SPARQL_JSON = 'application/sparql-results+json';
type Row = Readonly<Record<string, RDF.Term>>;

/** An update, with the id of its revision. */
export interface Update {
  readonly revision: string;
  readonly path: string;
  readonly added: readonly Row[];
  readonly removed: readonly Row[];
}

/** Lines for a person, with the columns that have a value; or a line of JSON, with terms as in SPARQL results. */
export function* updateLines({ revision, path, added, removed }: Update, json: boolean): Generator<string> {
  if (json) {
    yield `{"revision": "${revision}", "path": "${path}", "added": [${bindings(added)}], "removed": [${bindings(removed)}]}\n`;
    return;
  }
  yield `# ${revision} ${path}\n`;
  for (const row of removed) yield `- ${cells(row)}\n`;
  for (const row of added) yield `+ ${cells(row)}\n`;
}

const cells = (row: Row): string =>
  Object.entries(row)
    .map(([name, term]) => `?${name} ${termToNTriples(term)}`)
    .join('\t');

function bindings(rows: readonly Row[]): string {
  const serializer = createResultSerializer(SPARQL_JSON);
  serializer.head([...new Set(rows.flatMap((row) => Object.keys(row)))]);
  return serializer.rows(rows).replaceAll('\n', '');
}
