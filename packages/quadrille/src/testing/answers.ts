/** Answers as multisets of texts. */
import { expect } from 'vitest';
import type { LiveUpdate, Repository, Row } from '../index.js';
import { termToText } from '../index.js';

const textOf = (row: Row): string =>
  Object.entries(row)
    .map(([name, term]) => `${name}=${termToText(term)}`)
    .toSorted()
    .join(' ');
export const texts = (rows: readonly Row[]): string[] => rows.map(textOf).toSorted();

export const answer = async (repo: Repository, text: string, ref?: number): Promise<string[]> =>
  texts(await (ref === undefined ? repo : repo.at(ref)).select(text).toArray());

/** What a multiset becomes. */
export function applied(
  before: readonly string[],
  { added, removed }: Pick<LiveUpdate, 'added' | 'removed'>,
): string[] {
  const rows = [...before];
  for (const gone of texts(removed)) {
    const at = rows.indexOf(gone);
    expect(at, 'a row is removed that was there').not.toBe(-1);
    rows.splice(at, 1);
  }
  return [...rows, ...texts(added)].toSorted();
}

/** Whole numbers below a bound, by a seed. */
export function randomNumbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % most;
  };
}
