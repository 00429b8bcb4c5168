/** The formats of tables, as users name them. */
import { InvalidArgumentError } from '@quadrille/model';

/** CSV and TSV have cells, JSON has members. */
export type TableKind = 'csv' | 'tsv' | 'json' | 'jsonl';

const NAMES: Readonly<Record<TableKind, readonly string[]>> = {
  csv: ['csv', 'text/csv'],
  tsv: ['tsv', 'tab', 'text/tab-separated-values'],
  json: ['json', 'application/json', 'text/json'],
  jsonl: ['jsonl', 'ndjson', 'json lines', 'application/jsonl', 'application/x-ndjson', 'application/x-jsonlines'],
};
const KINDS = Object.keys(NAMES) as readonly TableKind[];

/** The kind of table of a format: a name, an extension or a media type. */
export function tableKind(format: string): TableKind | undefined {
  const name = (format.split(';', 1)[0] ?? '').trim().toLowerCase().replace(/^\./, '');
  return KINDS.find((kind) => NAMES[kind].includes(name));
}

/** The error for a file that is no document, if it is a table. */
export function tableWithoutMapping(fileName: string): InvalidArgumentError | undefined {
  if (tableKindOfFile(fileName) === undefined) return undefined;
  const message = `${fileName} is a table: say what its rows are, by { mapping } or --mapping FILE`;
  return new InvalidArgumentError('INVALID_OPTION', message);
}

/** The kind of table of a file. */
const tableKindOfFile = (fileName: string): TableKind | undefined =>
  tableKind(/\.([a-z]+)(?:\.(?:gz|bz2|zst))?$/i.exec(fileName)?.[1] ?? '');

/** @throws InvalidArgumentError `INVALID_OPTION` */
export function knownTableKind(format: string | undefined, fileName: string | undefined): TableKind {
  const kind = format === undefined ? tableKindOfFile(fileName ?? '') : tableKind(format);
  if (kind !== undefined) return kind;
  const given = format === undefined ? (fileName ?? 'a stream') : `the format ${JSON.stringify(format.slice(0, 100))}`;
  throw new InvalidArgumentError(
    'INVALID_OPTION',
    `a mapping is for a table, and ${given} is none that is known; there is ${KINDS.join(', ')}: give { format } or --format`,
  );
}
