/** Estimates the revisions behind a gap: their number, and how many quads they had added. */
import { readU32, Tag, tagRange } from '../format/layout.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { decodeHead, decodeRecord } from '../revision/record.js';
import type { RevisionRecord } from '../revision/record.js';
import { readCheckpoint } from '../revision/checkpoints.js';
import type { Pacer } from '../runtime/env.js';
import { attempt, keysIn, remnantOf, remnantsIn } from './remains.js';

export interface LostRevisions {
  readonly revisions: number;
  /**
   * Number of quads that the lost revisions had added, as far as it is known. If records cannot be read, the growth
   * of the repository.
   */
  readonly quads: number;
  /** Number of the newest lost revisions about whose quads nothing is known. */
  readonly uncounted: number;
  /** Whether there may have been more revisions, because the head cannot be read. */
  readonly openEnd: boolean;
}

export async function lostRevisions(
  keyspace: Keyspace,
  kept: RevisionRecord | undefined,
  pacer: Pacer,
): Promise<LostRevisions> {
  const { value } = await remnantOf(keyspace.engine, keyspace.key(Tag.head));
  const head = value === undefined ? 0 : decodeHead(value).number;
  const newest = Math.max(head, await newestIn(keyspace, Tag.log));
  const first = (kept?.number ?? 0) + 1;
  const openEnd = value === undefined;
  if (newest < first) return { revisions: 0, quads: 0, uncounted: 0, openEnd };
  const count = new LostQuads(first - 1, kept?.size ?? 0);
  const range = { gte: keyspace.key(Tag.log, first), lt: keyspace.key(Tag.log + 1) };
  for await (const { value: bytes } of remnantsIn(keyspace.engine, range)) {
    const read = bytes && (await attempt(async () => decodeRecord(bytes)));
    if (read !== undefined && 'result' in read) count.record(read.result);
    if (pacer.due()) await pacer.pause();
  }
  const checkpoint = await newestIn(keyspace, Tag.statistics);
  if (checkpoint > count.upTo) {
    const read = await attempt(() => readCheckpoint(keyspace, checkpoint));
    if ('result' in read)
      count.size(
        checkpoint,
        [...read.result.graphs].reduce((sum, [, quads]) => sum + quads, 0),
      );
  }
  return { revisions: newest - first + 1, quads: count.quads, uncounted: newest - count.upTo, openEnd };
}

// The greatest revision among the keys of a tag; 0 if there is none.
async function newestIn({ engine, id }: Keyspace, tag: number): Promise<number> {
  let newest = 0;
  for await (const key of keysIn(engine, { ...tagRange(id, tag), reverse: true, limit: 1 })) newest = readU32(key, 6);
  return newest;
}

/** Adds up the additions of revisions, in their sequence. */
class LostQuads {
  quads = 0;

  constructor(
    /** The last counted revision. */
    public upTo: number,
    private sizeThere: number,
  ) {}

  record({ number, addedCount, removedCount, size }: RevisionRecord): void {
    if (number <= this.upTo) return;
    if (number > this.upTo + 1) this.size(number - 1, size - addedCount + removedCount);
    this.quads += addedCount;
    this.upTo = number;
    this.sizeThere = size;
  }

  /** The size at a revision, if the records before it cannot be read. */
  size(number: number, size: number): void {
    this.quads += Math.max(0, size - this.sizeThere);
    this.upTo = number;
    this.sizeThere = size;
  }
}
