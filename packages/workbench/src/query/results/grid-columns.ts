/** How wide the columns of a table are, by its first rows. */
import { isNumeric, parseTerm, shortened, type Term } from '../../rows/term.js';

export interface Columns {
  /** For `grid-template-columns`. */
  readonly template: string;
  /** Columns of numbers, which stand right. */
  readonly numeric: readonly boolean[];
}

/** Of these the widths are measured: a table whose columns move while it is scrolled is hard to read. */
const MEASURED = 60;
const NARROWEST = 8;
const WIDEST = 56;
/** The space beside the text of a cell, in characters. */
const SPACE = 4;

type Namespaces = Readonly<Record<string, string>>;

/** @param rows the first rows, as they came */
export function columnsOf(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  namespaces: Namespaces,
): Columns {
  const terms = rows.slice(0, MEASURED).map((row) => row.map(parseTerm));
  const numeric = names.map((_, column) => areNumbers(terms.map((row) => row[column])));
  const widths = names.map((name, column) => {
    const longest = Math.max(name.length + 2, ...terms.map((row) => lengthOf(row[column], namespaces)));
    const width = Math.min(Math.max(longest, NARROWEST), WIDEST) + SPACE;
    // The last column takes the rest of the line, but numbers stay beside what they count.
    const isLast = column === names.length - 1 && numeric[column] !== true;
    return isLast ? `minmax(${String(width)}ch, 1fr)` : `${String(width)}ch`;
  });
  return { template: widths.join(' '), numeric };
}

/** About the length of the text that is shown. */
function lengthOf(term: Term | undefined, namespaces: Namespaces): number {
  if (term === undefined) return 0;
  const { kind, value, language = '', datatype } = term;
  if (kind === 'iri') return (shortened(value, namespaces) ?? `<${value}>`).length;
  const note = datatype === undefined || isNumeric(term) ? language : (shortened(datatype, namespaces) ?? datatype);
  return value.length + note.length;
}

function areNumbers(terms: readonly (Term | undefined)[]): boolean {
  const bound = terms.filter((term) => term !== undefined && term.kind !== 'unbound');
  return bound.length > 0 && bound.every((term) => isNumeric(term!));
}
