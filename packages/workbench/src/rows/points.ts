/** What a chart shows of the rows of an answer: which columns fit, and their values as numbers. */
import type { RowSource } from './row-source.js';
import { isNumeric, parseTerm, type Term } from './term.js';

export type ColumnKind = 'number' | 'date' | 'text';

export interface Column {
  /** Its place among the columns of the answer; -1 for the numbers of the rows. */
  readonly index: number;
  readonly kind: ColumnKind;
}

export type Form = 'bars' | 'lines' | 'points';

/** What is drawn: columns by their places. What is undefined is chosen by the values. */
export interface ChartChoice {
  readonly x?: number;
  readonly y?: number;
  readonly form?: Form;
}

export interface ChartRows {
  readonly columns: readonly Column[];
  readonly x: Column;
  /** Undefined where no column has numbers. */
  readonly y: Column | undefined;
  readonly form: Form;
  readonly points: Points;
  /** The number of rows that were looked at; not all of very many are. */
  readonly rows: number;
}

export interface Points {
  /** Ascending. Seconds since 1970 for dates; the places of `names` for texts. */
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  /** What stands at each x, as cells. */
  readonly names: readonly string[];
  /** Rows without a number in the column of y, or without a value in that of x. */
  readonly left: number;
}

const MOST_ROWS = 20_000;
/** More bars would be thinner than what is between them. */
const MOST_NAMES = 300;
/** The number of rows that decide the kind of a column. */
const LOOKED_AT = 500;
const ROW: Column = { index: -1, kind: 'number' };
const DATE = /#(?:date|dateTime|dateTimeStamp|gYear|gYearMonth)$/;

/**
 * The values of two columns. Where none are named, those that make most sense: values are the last column of numbers, since counts and sums stand
 * behind what they count; they stand over a date, else a text, else another number, else the number of the row.
 */
export function chartOf(source: RowSource, { x: wantedX, y: wantedY, form }: ChartChoice): ChartRows {
  const columns = columnsOf(source);
  const at = (index: number | undefined): Column | undefined => [...columns, ROW].find((each) => each.index === index);
  const y = at(wantedY) ?? columns.findLast(({ kind }) => kind === 'number');
  const of = (wanted: ColumnKind): Column | undefined => columns.find((each) => each !== y && each.kind === wanted);
  const x = at(wantedX) ?? of('date') ?? of('text') ?? of('number') ?? ROW;
  const rows = Math.min(source.shown, x.kind === 'text' ? MOST_NAMES : MOST_ROWS);
  const points = pointsOf(source, rows, x, y);
  return { columns, x, y, form: form ?? formOf(x, points), points, rows };
}

/** A column is of numbers, or of dates, where all its first values are. */
function columnsOf(source: RowSource): Column[] {
  const rows = Array.from({ length: Math.min(source.shown, LOOKED_AT) }, (_, row) => source.cells(row));
  return (source.columns ?? []).map((_, index) => {
    const cells = rows.map((row) => row[index] ?? '').filter((cell) => cell !== '');
    return { index, kind: kindOf(cells.map(parseTerm)) };
  });
}

function kindOf(terms: readonly Term[]): ColumnKind {
  if (terms.length === 0) return 'text';
  if (terms.every(isNumeric)) return 'number';
  return terms.every((term) => secondsOf(term) !== undefined) ? 'date' : 'text';
}

/** Texts have no order that a line could show, and a line goes through one value at each place. */
function formOf({ kind }: Column, { xs }: Points): Form {
  if (kind === 'text') return 'bars';
  return xs.some((x, place) => x === xs[place - 1]) ? 'points' : 'lines';
}

/** Texts keep the order of the rows, all else is sorted. */
function pointsOf(source: RowSource, rows: number, x: Column, y: Column | undefined): Points {
  if (y === undefined) return { xs: [], ys: [], names: [], left: rows };
  const found: { readonly x: number; readonly y: number; readonly name: string }[] = [];
  for (let row = 0; row < rows; row++) {
    const cells = source.cells(row);
    const value = numberOf(parseTerm(cells[y.index] ?? ''));
    const name = x === ROW ? String(row + 1) : (cells[x.index] ?? '');
    const place = placeOf(x, name, found.length);
    if (value !== undefined && place !== undefined) found.push({ x: place, y: value, name });
  }
  found.sort((a, b) => a.x - b.x);
  return {
    xs: found.map((point) => point.x),
    ys: found.map((point) => point.y),
    names: found.map(({ name }) => name),
    left: rows - found.length,
  };
}

function placeOf({ kind }: Column, cell: string, next: number): number | undefined {
  if (kind === 'text') return next;
  const term = parseTerm(cell);
  return kind === 'number' ? numberOf(term) : secondsOf(term);
}

function numberOf(term: Term): number | undefined {
  if (!isNumeric(term)) return undefined;
  const value = Number(term.value);
  return Number.isFinite(value) ? value : undefined;
}

const TIME = /^(-?\d{4,6})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d):(\d\d(?:\.\d+)?))?)?)?(?:Z|([+-])(\d\d):(\d\d))?$/;

/** The beginning of a date in seconds since 1970. Dates without a zone are those of UTC. */
export function secondsOf({ datatype, value }: Term): number | undefined {
  const parts = datatype !== undefined && DATE.test(datatype) ? TIME.exec(value) : null;
  if (parts === null) return undefined;
  const [, year, month = '1', day = '1', hour = '0', minute = '0', second = '0', sign, zoneHour, zoneMinute] = parts;
  // Date.UTC takes years below 100 for those of the last century.
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const offset = sign === undefined ? 0 : Number(`${sign}1`) * (Number(zoneHour) * 3600 + Number(zoneMinute) * 60);
  return date.getTime() / 1000 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset;
}
