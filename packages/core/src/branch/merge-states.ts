/**
 * States that a merge compares: revisions of lines, and the virtual base of lines that were merged crosswise. Only what
 * differs is read, so the size of the repository does not matter.
 */
import type { DiffRow } from '../read/diff.js';
import type { Pacer } from '../runtime/env.js';
import type { Place } from './diff-across.js';
import { rowsAcross } from './diff-across.js';

/** Quads of ids that one state lacks (`op` 1) or has (`op` -1) and another one does not. By the text of their ids. */
type Rows = Map<string, DiffRow>;

/** A revision, and what differs from it. */
export interface MergeState {
  readonly place: Place;
  readonly rows: Rows;
}

export const stateAt = (place: Place): MergeState => ({ place, rows: new Map() });

const keyOf = ({ s, p, o, g }: DiffRow): string => `${s} ${p} ${o} ${g}`;

/** The changes from one state to another. */
export async function difference(from: MergeState, to: MergeState, pacer: Pacer): Promise<Rows> {
  const changes: Rows = new Map();
  for await (const row of rowsAcross(from.place, to.place, pacer)) changes.set(keyOf(row), row);
  for (const [key, row] of from.rows) add(changes, key, { ...row, op: row.op === 1 ? -1 : 1 });
  for (const [key, row] of to.rows) add(changes, key, row);
  return changes;
}

// A quad comes and goes in turn: two changes of it cancel each other.
function add(changes: Rows, key: string, row: DiffRow): void {
  if (changes.has(key)) changes.delete(key);
  else changes.set(key, row);
}

/**
 * The base of lines that were merged crosswise: a quad is in it where both bases agree, and otherwise where it differs from
 * the base of these. That is, it has what either of them has changed.
 */
export async function virtualBase(
  first: MergeState,
  second: MergeState,
  below: MergeState,
  pacer: Pacer,
): Promise<MergeState> {
  const own = await difference(below, first, pacer);
  const rows: Rows = new Map(first.rows);
  for (const [key, row] of await difference(first, second, pacer)) if (!own.has(key)) add(rows, key, row);
  return { place: first.place, rows };
}
