/** One random query on all engines. */
import { Engine, type QueryableDataset } from '@quadrille/sparql';
import { createComunicaEngine } from '../comunica/index.js';
import { ArrayDataset } from '../../packages/sparql/src/testing/array-dataset.js';
import { ArrayIdDataset } from '../../packages/sparql/src/testing/array-id-dataset.js';
import { answerOf, printAnswer, type Answer } from './answers.js';
import { hasNewBlanks, isPartOf, modesOf, sameAnswer, type Comparison } from './compare.js';
import { toQuads, type QuadText } from './data.js';
import { knownDifference, knownRefusal } from './known.js';
import { withOtherTerms } from './other-terms.js';
import { isSorted } from './sort-order.js';
import type { Query } from './syntax.js';
import { writeQuery } from './write.js';

export interface QueryCase {
  readonly data: readonly QuadText[];
  readonly query: Query;
}

export interface Outcome {
  /** What is wrong; `undefined`: nothing. */
  readonly failure?: { readonly kind: string; readonly message: string };
  /** Rows or quads of the answer; 1 for `true`. */
  readonly rows: number;
  /** Why Comunica was not asked. */
  readonly left?: string;
}

/** Without fall-back: what it cannot do is told. */
const engine = new Engine();
/** More rows than these are not compared: Comunica would take seconds. */
const MAX_ROWS = 1500;
/** The same where new blank nodes have to be paired. */
const MAX_WITH_BLANKS = 150;
/** What plans without optimisation may come to, and all plans where a query multiplies its parts. */
export const TOO_LARGE: ReadonlySet<string> = new Set(['RESULT_TOO_LARGE', 'QUERY_TIMEOUT', 'QUERY_MEMORY']);
export const COMUNICA_MS = 500;

export async function checkQuery({ data, query }: QueryCase): Promise<Outcome> {
  const quads = toQuads(data);
  const dataset = new ArrayDataset(quads, { batchQuads: 64 });
  const full = writeQuery(withoutSlice(query));
  const answer = await answerOf(engine, full, dataset, { maxRows: MAX_ROWS });
  if (isTooLarge(answer)) return { rows: MAX_ROWS, left: 'large result' };
  if (answer.type === 'error') return fail(answer, `${answer.code}`, answer.message);
  if (dataset.openScans !== 0) return fail(answer, 'open scans', `${dataset.openScans} scans were left open`);
  if (countRows(answer) > MAX_WITH_BLANKS && hasNewBlanks(answer))
    return { rows: countRows(answer), left: 'large result' };
  return (
    (await checkEngine({ data, query }, full, answer)) ??
    (await checkShape(query, full, dataset)) ??
    (await checkSlice({ data, query }, answer)) ??
    checkComunica({ data, query }, answer)
  );
}

export const isTooLarge = (answer: Answer): boolean => answer.type === 'error' && TOO_LARGE.has(answer.code);

const exactly = (query: Query): Comparison => ({ modes: modesOf(query), byValue: false });

/** Unoptimised plans, and datasets which have to fetch everything first, lead to the same. */
async function checkEngine({ data, query }: QueryCase, text: string, answer: Answer): Promise<Outcome | undefined> {
  const quads = toQuads(data);
  const variants: [string, QueryableDataset & { openScans: number }, { unoptimised?: boolean }][] = [
    ['unoptimised', new ArrayDataset(quads, { batchQuads: 64 }), { unoptimised: true }],
    ['fetching', missing(quads), {}],
  ];
  for (const [name, dataset, options] of variants) {
    const other = await answerOf(engine, text, dataset, options);
    if (isTooLarge(other)) return { rows: countRows(answer), left: `too large ${name}` };
    const comparison = { ...exactly(query), byValue: true };
    if (!sameAnswer(answer, other, comparison)) return differ(`${name} differs`, answer, name, other);
    if (dataset.openScans !== 0) return fail(answer, 'open scans', `${dataset.openScans} scans left open, ${name}`);
  }
  return undefined;
}

/** A query with other terms takes the plan of this one. */
async function checkShape(query: Query, full: string, dataset: ArrayDataset): Promise<Outcome | undefined> {
  const text = withOtherTerms(full);
  if (text === undefined) return undefined;
  const answer = await answerOf(engine, text, dataset, { maxRows: MAX_ROWS });
  const other = await answerOf(engine, text, dataset, { maxRows: MAX_ROWS, unoptimised: true });
  if (isTooLarge(answer) || isTooLarge(other)) return undefined;
  if (countRows(answer) > MAX_WITH_BLANKS && hasNewBlanks(answer)) return undefined;
  if (sameAnswer(answer, other, { ...exactly(query), byValue: true })) return undefined;
  return differ(`${text} differs`, answer, 'unoptimised', other);
}

/** By ids only, window by window of one row, each of which has to be fetched. */
export function missing(
  quads: ConstructorParameters<typeof ArrayIdDataset>[0],
): QueryableDataset & { openScans: number } {
  const ids = new ArrayIdDataset(quads, { windowRows: 1, misses: true });
  return {
    ids,
    get openScans() {
      return ids.openScans;
    },
  };
}

/** LIMIT, OFFSET and REDUCED leave a part of the rows; ORDER BY puts them in an order. */
async function checkSlice({ data, query }: QueryCase, all: Answer): Promise<Outcome | undefined> {
  if (query.form !== 'SELECT' || all.type !== 'bindings') return undefined;
  const { orderBy, limit, offset = 0, distinct } = query.select;
  if (orderBy !== undefined && !isSorted(all.rows, orderBy)) return fail(all, 'order', orderOf(all));
  if (limit === undefined && distinct !== 'REDUCED') return undefined;
  const text = writeQuery(query);
  const dataset = new ArrayDataset(toQuads(data), { batchQuads: 64 });
  const part = await answerOf(engine, text, dataset);
  if (dataset.openScans !== 0) return fail(all, 'open scans', `${dataset.openScans} scans were left open by a LIMIT`);
  if (isTooLarge(part)) return undefined;
  if (part.type !== 'bindings') return differ('slice', part, 'all rows', all);
  const comparison = exactly(query);
  if (!isPartOf(part.rows, all.rows, comparison)) return differ('slice has other rows', part, 'all rows', all);
  if (distinct === 'REDUCED') {
    if (limit !== undefined) return undefined;
    return sameAnswer(part, all, { ...comparison, reduced: true }) ? undefined : differ('reduced', part, 'all', all);
  }
  const wanted = Math.max(0, Math.min(limit!, all.rows.length - offset));
  if (part.rows.length !== wanted) return differ(`slice has not ${wanted} rows`, part, 'all rows', all);
  if (orderBy === undefined) return undefined;
  const keys = ({ rows }: Answer & { type: 'bindings' }): string =>
    rows.map((row) => orderBy.map(({ column }) => row[column.slice(1)]?.value).join(' ')).join('\n');
  const same = keys({ ...all, rows: all.rows.slice(offset, offset + limit!) }) === keys(part);
  return same || hasFreshKey(query) ? undefined : fail(all, 'top k', `${orderOf(part)}\n of\n${orderOf(all)}`);
}

const orderOf = ({ rows }: Answer & { type: 'bindings' }): string => rows.map((row) => JSON.stringify(row)).join('\n');
const hasFreshKey = (query: Query): boolean => modesOf(query).size > 0 || JSON.stringify(query).includes('"BNODE"');

async function checkComunica({ data, query }: QueryCase, answer: Answer): Promise<Outcome> {
  const rows = countRows(answer);
  const known = knownDifference(query, data);
  if (known !== undefined) return { rows, left: known };
  const comunica = await createComunicaEngine();
  const text = writeQuery(withoutOrder(query));
  const other = await answerOf(comunica, text, new ArrayDataset(toQuads(data), { batchQuads: 64 }), {
    timeoutMs: COMUNICA_MS,
  });
  if (other.type === 'error' && other.code === 'QUERY_TIMEOUT') return { rows, left: 'too slow for Comunica' };
  const refusal = other.type === 'error' ? knownRefusal(other.message) : undefined;
  if (refusal !== undefined) return { rows, left: refusal };
  if (sameAnswer(answer, other, { modes: modesOf(query), byValue: true })) return { rows };
  return differ('Comunica differs', answer, 'Comunica', other);
}

export function countRows(answer: Answer): number {
  if (answer.type === 'bindings') return answer.rows.length;
  if (answer.type === 'quads') return answer.quads.length;
  return answer.type === 'boolean' && answer.value ? 1 : 0;
}

export const fail = (answer: Answer, kind: string, message: string): Outcome => ({
  rows: countRows(answer),
  failure: { kind, message },
});

export const differ = (kind: string, answer: Answer, name: string, other: Answer): Outcome =>
  fail(answer, kind, `engine: ${printAnswer(answer)}\n${name}: ${printAnswer(other)}`);

// Comunica ends the process where it sorts ill-formed literals; the order is checked without it.
export function withoutOrder(query: Query): Query {
  const full = withoutSlice(query);
  if (full.form !== 'SELECT') return full;
  const { orderBy: _, ...rest } = full.select;
  return { ...full, select: rest };
}

/** The same query with all of its rows. */
export function withoutSlice(query: Query): Query {
  if (query.form !== 'SELECT') return query;
  const { limit: _, offset: __, distinct, ...rest } = query.select;
  return { ...query, select: distinct === 'DISTINCT' ? { ...rest, distinct } : rest };
}
