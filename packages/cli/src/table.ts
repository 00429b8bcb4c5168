/** The rows of a SELECT as a table for terminals. */
import type * as RDF from '@rdfjs/types';
import { termToNTriples, XSD_STRING } from '@quadrille/model';
import type { Row } from 'quadrille';

/** The first rows decide the widths of the columns, so that the table can start before the query ends. */
const ROWS_MEASURED = 200;
const MAX_CELL = 60;

export type Prefixes = Readonly<Record<string, string>>;

/** Lines of the table, and at the end the number of rows. */
export async function* tableLines(
  variables: readonly string[],
  rows: AsyncIterable<Row>,
  prefixes: Prefixes,
): AsyncGenerator<string> {
  const measured: string[][] = [];
  let widths: number[] | undefined;
  let count = 0;
  for await (const row of rows) {
    count++;
    const cells = variables.map((variable) => cellText(row[variable], prefixes));
    if (widths !== undefined) yield tableLine(cells, widths);
    else if (measured.push(cells) === ROWS_MEASURED) yield* head((widths = widthsOf(variables, measured)));
  }
  if (widths === undefined) yield* head(widthsOf(variables, measured));
  yield `${String(count)} ${count === 1 ? 'row' : 'rows'}\n`;

  function* head(columns: readonly number[]): Generator<string> {
    yield tableLine(
      variables.map((variable) => `?${variable}`),
      columns,
    );
    yield tableLine(
      columns.map((width) => '-'.repeat(width)),
      columns,
    );
    for (const cells of measured) yield tableLine(cells, columns);
  }
}

/** A short text of a term: with a prefix if there is one, and a plain string without quotes. */
export function cellText(term: RDF.Term | undefined, prefixes: Prefixes): string {
  if (term === undefined) return '';
  if (term.termType === 'NamedNode') return prefixed(term.value, prefixes) ?? termToNTriples(term);
  if (term.termType !== 'Literal') return termToNTriples(term);
  const { value, language, datatype } = term;
  if (language === '' && datatype.value === XSD_STRING) return visible(value);
  const short = language === '' ? prefixed(datatype.value, prefixes) : undefined;
  return short === undefined ? termToNTriples(term) : `${JSON.stringify(value)}^^${short}`;
}

function prefixed(iri: string, prefixes: Prefixes): string | undefined {
  for (const [prefix, namespace] of Object.entries(prefixes)) {
    const local = iri.startsWith(namespace) ? iri.slice(namespace.length) : '';
    if (/^[A-Za-z0-9_](?:[A-Za-z0-9_-]*)$/.test(local)) return `${prefix}:${local}`;
  }
  return undefined;
}

// Literals may contain control characters, which must not reach the terminal.
// oxlint-disable-next-line no-control-regex
const visible = (text: string): string => text.replace(/[\u0000-\u001F\u007F-\u009F]/g, ' ');

function widthsOf(variables: readonly string[], rows: readonly string[][]): number[] {
  return variables.map((variable, i) =>
    Math.min(MAX_CELL, Math.max(variable.length + 1, ...rows.map((cells) => (cells[i] ?? '').length))),
  );
}

function tableLine(cells: readonly string[], widths: readonly number[]): string {
  const last = cells.length - 1;
  return `${cells.map((cell, i) => (i === last ? cell : cell.padEnd(widths[i] ?? 0))).join('  ')}\n`;
}
