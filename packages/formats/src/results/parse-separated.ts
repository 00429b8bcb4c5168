/**
 * Reads SPARQL results in TSV and CSV. TSV has whole terms. CSV has only their text: all but blank nodes become plain
 * literals, since an IRI and a string look the same. A boolean, for which neither has a form, is the word alone.
 */
import type * as RDF from '@rdfjs/types';
import { dataFactory, ParseError, XSD } from '@quadrille/model';
import { parseTerm } from '../terms/parse-term.js';
import { checkVariables, emptyRow, ResultFault, resultError, ResultTerms, show } from './result-terms.js';
import type { MutableRow, ParsedResults } from './result-terms.js';

const BARE: readonly (readonly [RegExp, string])[] = [
  [/^(?:true|false)$/, 'boolean'],
  [/^[+-]?[0-9]+$/, 'integer'],
  [/^[+-]?[0-9]*\.[0-9]+$/, 'decimal'],
  [/^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+$/, 'double'],
];
const SINGLE_QUOTED = /^'((?:[^'\\]|\\.)*)'(@.*|\^\^.*)?$/s;
const BOOLEAN = /^(true|false)(?:\r?\n)?$/;

/** @throws ParseError `RDF_SYNTAX`, with the line */
export function parseTsvResults(text: string): ParsedResults {
  const boolean = BOOLEAN.exec(text)?.[1];
  if (boolean !== undefined) return { type: 'boolean', value: boolean === 'true' };
  if (text === '') throw resultError('the document is empty');
  const lines = text.split(/\r?\n/);
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  const records = lines.map((line, index) => ({
    line: index + 1,
    cells: line.split('\t').map((cell) => ({ text: cell, quoted: false })),
  }));
  const terms = new ResultTerms();
  return toResults(records, tsvVariable, ({ text: cell }) => (cell === '' ? undefined : tsvTerm(cell, terms)));
}

/** @throws ParseError `RDF_SYNTAX`, with the line */
export function parseCsvResults(text: string): ParsedResults {
  const boolean = BOOLEAN.exec(text)?.[1];
  if (boolean !== undefined) return { type: 'boolean', value: boolean === 'true' };
  const terms = new ResultTerms();
  return toResults(
    readCsv(text),
    (name) => name,
    ({ text: cell, quoted }) => {
      if (quoted) return terms.literal(cell);
      if (cell === '') return undefined;
      return cell.startsWith('_:') ? terms.blankNode(cell.slice(2)) : terms.literal(cell);
    },
  );
}

interface Cell {
  readonly text: string;
  readonly quoted: boolean;
}
interface SeparatedRecord {
  readonly line: number;
  readonly cells: readonly Cell[];
}

function toResults(
  records: readonly SeparatedRecord[],
  nameOf: (cell: string) => string,
  termOf: (cell: Cell) => RDF.Term | undefined,
): ParsedResults {
  const [head, ...body] = records;
  if (head === undefined) throw resultError('the document is empty');
  const variables = at(head.line, () =>
    isBlank(head) ? [] : checkVariables(head.cells.map(({ text }) => nameOf(text))),
  );
  return { type: 'bindings', variables, rows: body.map((record) => readRow(record, variables, termOf)) };
}

/** An empty line: there is no column, or the only column is unbound. */
const isBlank = ({ cells }: SeparatedRecord): boolean =>
  cells.length === 1 && cells[0]?.text === '' && !cells[0].quoted;

function readRow(
  record: SeparatedRecord,
  variables: readonly string[],
  termOf: (cell: Cell) => RDF.Term | undefined,
): MutableRow {
  const row = emptyRow();
  const { line, cells } = record;
  if (variables.length === 0 && isBlank(record)) return row;
  if (cells.length !== variables.length) {
    throw resultError(`a row of ${cells.length} where there are ${variables.length} columns`, { line });
  }
  for (const [index, name] of variables.entries()) {
    const term = at(line, () => termOf(cells[index]!));
    if (term !== undefined) row[name] = term;
  }
  return row;
}

function at<T>(line: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ResultFault) throw resultError(error.message, { line }, error);
    throw error;
  }
}

function tsvVariable(cell: string): string {
  if (!/^[?$]/.test(cell)) throw new ResultFault(`the column ${show(cell)} does not begin with ?`);
  return cell.slice(1);
}

function tsvTerm(cell: string, terms: ResultTerms): RDF.Term {
  const bare = BARE.find(([pattern]) => pattern.test(cell));
  if (bare !== undefined) return dataFactory.literal(cell, dataFactory.namedNode(XSD + bare[1]));
  const single = SINGLE_QUOTED.exec(cell);
  const text = single === null ? cell : `"${(single[1] ?? '').replace(/\\.|"/gs, escapeQuote)}"${single[2] ?? ''}`;
  try {
    const term = parseTerm(text);
    return term.termType === 'BlankNode' ? terms.blankNode(term.value) : term;
  } catch (error) {
    if (error instanceof ParseError) throw new ResultFault(`${error.reason} (column ${error.column ?? 1} of a cell)`);
    throw error;
  }
}

const escapeQuote = (match: string): string => (match === '"' ? '\\"' : match);

/** The records of RFC 4180; a line feed alone ends one as well. */
function readCsv(text: string): SeparatedRecord[] {
  const records: SeparatedRecord[] = [];
  let cells: Cell[] = [];
  let line = 1;
  let first = 1;
  const piece = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  while (piece.lastIndex < text.length || cells.length > 0) {
    const match = piece.exec(text);
    if (match === null) throw resultError('a quote is missing or misplaced', { line });
    const [whole, quoted, plain = '', end] = match;
    cells.push({ text: quoted === undefined ? plain : quoted.replaceAll('""', '"'), quoted: quoted !== undefined });
    line += whole.split('\n').length - 1;
    if (end === ',') continue;
    records.push({ line: first, cells });
    cells = [];
    first = line;
  }
  return records;
}
