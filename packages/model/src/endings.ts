/** The endings of tables, and of packed files. It needs nothing else, so that a page may have it at its start. */

/** CSV and TSV have cells, JSON has members. */
export type TableKind = 'csv' | 'tsv' | 'json' | 'jsonl';

/** The endings of the files of each kind. */
export const TABLE_ENDINGS: Readonly<Record<TableKind, readonly string[]>> = {
  csv: ['csv'],
  tsv: ['tsv', 'tab'],
  json: ['json'],
  jsonl: ['jsonl', 'ndjson'],
};

const KINDS = Object.keys(TABLE_ENDINGS) as readonly TableKind[];

/** The kind of a table by the name of its file, which may be packed; `undefined` for another file. */
export function tableKindOfFile(
  fileName: string,
  packings: readonly string[] = ['gz', 'bz2', 'zst'],
): TableKind | undefined {
  const [last = '', before = ''] = fileName.toLowerCase().split('.').slice(1).reverse();
  const ending = packings.includes(last) ? before : last;
  return KINDS.find((kind) => TABLE_ENDINGS[kind].includes(ending));
}
