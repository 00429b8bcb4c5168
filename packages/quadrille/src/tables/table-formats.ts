/** The formats of tables, as users name them. */
import { TABLE_ENDINGS, type TableKind, tableKindOfFile } from '@quadrille/model/endings';
import { InvalidArgumentError } from '@quadrille/model';

export type { TableKind } from '@quadrille/model/endings';

/** Beside the endings of files. */
const NAMES: Readonly<Record<TableKind, readonly string[]>> = {
  csv: ['text/csv'],
  tsv: ['text/tab-separated-values'],
  json: ['application/json', 'text/json'],
  jsonl: ['json lines', 'application/jsonl', 'application/x-ndjson', 'application/x-jsonlines'],
};
const KINDS = Object.keys(NAMES) as readonly TableKind[];

/** The kind of table of a format: a name, an extension or a media type. */
export function tableKind(format: string): TableKind | undefined {
  const name = (format.split(';', 1)[0] ?? '').trim().toLowerCase().replace(/^\./, '');
  return KINDS.find((kind) => TABLE_ENDINGS[kind].includes(name) || NAMES[kind].includes(name));
}

/** The error for a file that is no document, if it is a table. */
export function tableWithoutMapping(fileName: string): InvalidArgumentError | undefined {
  if (tableKindOfFile(fileName) === undefined) return undefined;
  const message = `${fileName} is a table: say what its rows are, by { mapping } or --mapping FILE`;
  return new InvalidArgumentError('INVALID_OPTION', message);
}

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
