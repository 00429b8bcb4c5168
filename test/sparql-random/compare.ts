/** Whether two answers are the same: rows as multisets, blank nodes of the request up to their names. */
import { termToText } from '@quadrille/model';
import { expectSameAnswer, expectSameQuads } from '../w3c/sparql-compare.js';
import {
  comparableQuad,
  comparableRow,
  NEW_LABELS,
  rowText,
  type Answer,
  type ColumnMode,
  type Row,
} from './answers.js';
import type { Query } from './syntax.js';

export interface Comparison {
  readonly modes: ReadonlyMap<string, ColumnMode>;
  /** Whether numbers are compared by their values. */
  readonly byValue: boolean;
  /** Whether the first answer may leave out rows that are equal to another. */
  readonly reduced?: boolean;
}

export function sameAnswer(actual: Answer, wanted: Answer, comparison: Comparison): boolean {
  const { modes, byValue, reduced = false } = comparison;
  if (actual.type === 'boolean' && wanted.type === 'boolean') return actual.value === wanted.value;
  if (actual.type === 'error' && wanted.type === 'error') return true;
  if (actual.type === 'quads' && wanted.type === 'quads') {
    const [a, b] = [actual, wanted].map(({ quads }) => quads.map((quad) => comparableQuad(quad, byValue)));
    return holds(() => expectSameQuads(a!, b!));
  }
  if (actual.type !== 'bindings' || wanted.type !== 'bindings') return false;
  if (actual.variables.toSorted().join() !== wanted.variables.toSorted().join()) return false;
  const [a, b] = [actual, wanted].map(({ rows }) => rows.map((row) => comparableRow(row, modes, byValue)));
  if (!reduced && sortedTexts(a!) === sortedTexts(b!)) return true;
  if (!reduced && a!.length !== b!.length) return false;
  if (!reduced && ![...a!, ...b!].some(hasNewBlank)) return false;
  const { variables } = actual;
  return holds(() =>
    expectSameAnswer(
      { type: 'bindings', variables: [...variables], rows: a! },
      { type: 'bindings', variables: [...variables], rows: b! },
      { anyCardinality: reduced },
    ),
  );
}

const hasNewBlank = (row: Row): boolean =>
  Object.values(row).some((term) => termToText(term).includes(`_:${NEW_LABELS}`));
/** Whether an answer has blank nodes that the request made. */
export function hasNewBlanks(answer: Answer): boolean {
  if (answer.type === 'bindings') return answer.rows.some(hasNewBlank);
  return answer.type === 'quads' && answer.quads.some(({ subject, object }) => hasNewBlank({ subject, object }));
}

const sortedTexts = (rows: readonly Row[]): string => rows.map(rowText).toSorted().join('\n');

function holds(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

/** Whether every row of a part is among those of the whole, as often as it is there. */
export function isPartOf(part: readonly Row[], whole: readonly Row[], comparison: Comparison): boolean {
  const texts = (rows: readonly Row[]): string[] =>
    rows.map((row) => rowText(comparableRow(row, comparison.modes, comparison.byValue)).replace(/_:new\w+/g, '_:new'));
  const left = new Map<string, number>();
  for (const text of texts(whole)) left.set(text, (left.get(text) ?? 0) + 1);
  return texts(part).every((text) => {
    const times = left.get(text) ?? 0;
    left.set(text, times - 1);
    return times > 0;
  });
}

const FRESH = new Set(['UUID', 'STRUUID', 'RAND', 'SAMPLE']);

/** The columns of a query that may differ from one right answer to another. */
export function modesOf(query: Query): Map<string, ColumnMode> {
  const modes = new Map<string, ColumnMode>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as { name?: string; as?: string; value?: unknown };
    const name = node.as ?? node.name;
    if (name?.startsWith('?') === true && node.value !== undefined) {
      const text = JSON.stringify(node.value);
      if (text.includes('"SUM"')) modes.set(name.slice(1), 'number');
      if (text.includes('"GROUP_CONCAT"')) modes.set(name.slice(1), 'pieces');
      if ([...FRESH].some((fresh) => text.includes(`"${fresh}"`))) modes.set(name.slice(1), 'bound');
    }
    Object.values(value).forEach(visit);
  };
  visit(query);
  return modes;
}
