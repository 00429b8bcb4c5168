/** The order that the specification gives to the values of ORDER BY (SPARQL 1.2, section 15.1), as far as it gives one. */
import { XSD } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { type Row } from './answers.js';
import type { SortKey } from './syntax.js';

const NUMERIC = new Set(['integer', 'decimal', 'double', 'float', 'int'].map((name) => XSD + name));

/** Whether no row stands after one that it has to stand before. */
export function isSorted(rows: readonly Row[], keys: readonly SortKey[]): boolean {
  return rows.every((row, i) => rows.slice(i + 1).every((later) => !(compareRows(later, row, keys) === -1)));
}

/** `undefined` where the order is not determined. */
function compareRows(a: Row, b: Row, keys: readonly SortKey[]): number | undefined {
  for (const { column, descending } of keys) {
    const order = compareTerms(a[column.slice(1)], b[column.slice(1)]);
    if (order === undefined) return undefined;
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

const CLASSES = ['BlankNode', 'NamedNode', 'Literal', 'Quad'];
const rank = (term: RDF.Term | undefined): number => (term === undefined ? -1 : CLASSES.indexOf(term.termType));

function compareTerms(a: RDF.Term | undefined, b: RDF.Term | undefined): number | undefined {
  if (rank(a) !== rank(b)) return Math.sign(rank(a) - rank(b));
  if (a === undefined || b === undefined) return 0;
  if (a.termType === 'NamedNode') return compareTexts(a.value, b.value);
  if (a.termType === 'Literal' && b.termType === 'Literal') return compareLiterals(a, b);
  return a.equals(b) ? 0 : undefined;
}

function compareLiterals(a: RDF.Literal, b: RDF.Literal): number | undefined {
  if (a.equals(b)) return 0;
  const [first, second] = [a, b].map(({ datatype }) => datatype.value);
  if (NUMERIC.has(first!) && NUMERIC.has(second!)) return compareNumbers(toNumber(a), toNumber(b));
  if (first !== second) return undefined;
  if (first === `${XSD}string`) return compareTexts(a.value, b.value);
  if (first === `${XSD}dateTime` || first === `${XSD}date`) return compareTimes(a.value, b.value);
  return undefined;
}

const toNumber = ({ value }: RDF.Literal): number => Number(value.replace('INF', 'Infinity'));
const compareNumbers = (a: number, b: number): number | undefined =>
  Number.isNaN(a) || Number.isNaN(b) ? undefined : Math.sign(a - b);

// Only where both have a time zone.
function compareTimes(a: string, b: string): number | undefined {
  const zone = /(?:Z|[+-]\d\d:\d\d)$/;
  if (!zone.test(a) || !zone.test(b)) return undefined;
  return compareNumbers(Date.parse(a), Date.parse(b));
}

/** By code points. */
function compareTexts(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const at = left.findIndex((char, i) => char !== right[i]);
  if (at === -1) return left.length === right.length ? 0 : -1;
  if (right[at] === undefined) return 1;
  return Math.sign(left[at]!.codePointAt(0)! - right[at].codePointAt(0)!);
}
