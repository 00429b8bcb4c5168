/** Pages of a difference: `limit` and `cursor`. The order of a difference of two revisions never changes. */
import { badRequest } from '../../http/index.js';
import type { DiffEntry } from 'quadrille';
import { limitOf } from '../../parameters/revision-range.js';

export interface DiffPage {
  /** How many changes come before it. */
  readonly start: number;
  readonly length: number;
}

/** `undefined` for the whole difference. @throws HttpError 400 */
export function diffPage(parameters: URLSearchParams): DiffPage | undefined {
  const length = limitOf(parameters);
  const cursor = parameters.get('cursor')?.trim() ?? '';
  if (length === undefined && cursor === '') return undefined;
  if (!/^\d{0,15}$/.test(cursor)) throw badRequest(`not a cursor of a page: ${cursor.slice(0, 50)}`);
  return { start: Number(cursor), length: length ?? Infinity };
}

/** The changes of a page; all without one. Those before it are read, too. */
export async function* pageOf(
  entries: AsyncIterable<DiffEntry>,
  page: DiffPage | undefined,
): AsyncGenerator<DiffEntry> {
  const { start, length } = page ?? { start: 0, length: Infinity };
  if (length === 0) return;
  let index = 0;
  for await (const entry of entries) {
    if (index >= start) yield entry;
    if (++index >= start + length) return;
  }
}

/** Whether there are changes behind a page. None is kept, since terms may be long. */
export async function hasMore(entries: AsyncIterable<DiffEntry>, { start, length }: DiffPage): Promise<boolean> {
  if (length === 0 || length === Infinity) return false;
  for await (const _ of pageOf(entries, { start: start + length, length: 1 })) return true;
  return false;
}

/** The address of the next page, relative to that of the request. It names both revisions, so that a commit shifts nothing. */
export function nextPage(
  parameters: URLSearchParams,
  { start, length }: DiffPage,
  ends: { readonly from: string; readonly to: string },
): string {
  const next = new URLSearchParams(parameters);
  // A token is no part of an address that is handed on.
  for (const name of ['auth_token', 'revision-id', 'revision', 'revision-uuid']) next.delete(name);
  next.set('from', ends.from);
  next.set('to', ends.to);
  next.set('cursor', String(start + length));
  return `diff?${next.toString()}`;
}
