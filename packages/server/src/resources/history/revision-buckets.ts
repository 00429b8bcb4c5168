/** `buckets=n` of the list of revisions: neighbouring revisions counted together, for timelines. */
import { refuseParameter } from '../../http/index.js';
import type { Repository } from 'quadrille';
import type { Context } from '../../context.js';
import { revisionRange } from '../../parameters/revision-range.js';
import { filterOf } from './revision-page.js';

export interface RevisionBucket {
  /** The ordinals of its first and last revision. */
  readonly from: number;
  readonly until: number;
  /** How many of its revisions pass the filters, and the sums of what these have added and removed. */
  count: number;
  added: number;
  removed: number;
  /** The times of the first and the last revision that pass, ISO 8601; `null` where none does. */
  first: string | null;
  last: string | null;
}

const MOST_BUCKETS = 1000;

/** The parameter; `undefined` without it. @throws HttpError 400 */
export function bucketsOf(parameters: URLSearchParams): number | undefined {
  const text = parameters.get('buckets')?.trim();
  if (text === undefined) return undefined;
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MOST_BUCKETS) return count;
  throw refuseParameter('buckets')(`buckets is 1 to ${String(MOST_BUCKETS)}, not ${text.slice(0, 50)}`);
}

/** At most so many buckets of equal width, the oldest first. The revisions of the range are read, not kept. */
export async function revisionBuckets(
  repository: Repository,
  { parameters, request }: Context,
  most: number,
): Promise<RevisionBucket[]> {
  const { first, last } = await revisionRange(repository, parameters, request.headers);
  if (first > last) return [];
  const width = Math.ceil((last - first + 1) / most);
  const buckets: RevisionBucket[] = [];
  for (let from = first; from <= last; from += width) {
    const until = Math.min(last, from + width - 1);
    buckets.push({ from, until, count: 0, added: 0, removed: 0, first: null, last: null });
  }
  const options = { ...filterOf(parameters), from: first, to: last, signal: request.signal };
  for await (const { number, added, removed, time } of repository.log(options)) {
    const bucket = buckets[Math.floor((number - first) / width)]!;
    bucket.count++;
    bucket.added += added;
    bucket.removed += removed;
    // The newest comes first.
    bucket.first = time.toISOString();
    bucket.last ??= bucket.first;
  }
  return buckets;
}
