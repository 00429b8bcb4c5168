/** Finds a revision by bisection where some of the revisions were removed. */
import type { Keyspace } from '../keyspace/keyspace.js';
import { readRecord } from '../revision/log.js';
import type { RevisionRecord } from '../revision/record.js';
import { type TrimmedRevision, trimmedError, TrimmedNumbers } from '../revision/trimmed-numbers.js';

type Described = Pick<RevisionRecord, 'number' | 'id' | 'time'>;

/**
 * The last revision for which a condition holds; it holds for all revisions before that one. `undefined` if there is none, or if it
 * was removed and is not the wanted one. @throws NotFoundError `REVISION_TRIMMED` if it was removed and is the wanted one
 */
export async function lastAmongTrimmed(
  { keyspace, published }: { readonly keyspace: Keyspace; readonly published: RevisionRecord },
  holds: (revision: Described) => boolean,
  isWanted: (revision: TrimmedRevision) => boolean,
): Promise<RevisionRecord | undefined> {
  let low = 0;
  let high = published.number - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const trimmed = await TrimmedNumbers.at(keyspace, middle);
    const removed = trimmed.has(middle) ? await trimmed.find(middle) : undefined;
    // Of removed revisions of which nothing is known, the next one that was kept tells.
    const isUnknown = removed === undefined && trimmed.has(middle);
    const at = isUnknown ? trimmed.next(middle) : middle;
    if (at <= high && holds(removed ?? (await readRecord(keyspace, at)))) low = at;
    else high = isUnknown ? trimmed.previous(middle) : middle - 1;
  }
  if (low === 0) return undefined;
  const trimmed = await TrimmedNumbers.at(keyspace, low);
  if (!trimmed.has(low)) return readRecord(keyspace, low);
  const removed = await trimmed.find(low);
  if (removed === undefined || !isWanted(removed)) return undefined;
  throw await trimmedError(keyspace, low);
}
