/** Sets the branches of a restored repository back, after its `main` was. Nothing else has the store open. */
import type { WriteOp } from '@quadrille/storage';
import { clipCopies } from '../branch/copied-revisions.js';
import { decodeBranch, decodePositions, MAIN_LINE } from '../timeline/line-record.js';
import type { LineRecord } from '../timeline/line-record.js';
import { Lines } from '../branch/lines.js';
import type { OpenLine } from '../branch/lines.js';
import { dataKey, FOREVER, Tag } from '../format/layout.js';
import { firstFreeRun } from '../index/run/run-session.js';
import { LineKeyspace, revisionIdKey } from '../keyspace/line-keyspace.js';
import { rebuildIndexes } from '../integrity/rebuild.js';
import type { RepositoryHandle } from '../open/handle.js';
import { encodeManifest } from '../timeline/manifest.js';
import { readRecords } from '../revision/log.js';
import type { RevisionRecord } from '../revision/record.js';
import { decodeHead, encodeHead } from '../revision/record.js';

export const lineOf = (handle: RepositoryHandle): OpenLine => ({ handle, ready: () => handle.ready() });

export const linesOf = (main: OpenLine): Lines<OpenLine> =>
  new Lines(main, { make: lineOf, forget: () => undefined, discard: () => true });

/**
 * Deletes the lines that begin after the end of their base. `time`: each line ends with its last revision at or before
 * it; otherwise the others stay as they are. The handle is that of the repository.
 */
export async function cutLines(handle: RepositoryHandle, time: number | undefined): Promise<void> {
  const lines = linesOf(lineOf(handle));
  const ends = new Map([[MAIN_LINE, handle.head.number]]);
  const cut: number[] = [];
  for (const line of await lines.numbers()) {
    const record = await lines.record(line);
    const last = await lastOf(handle, line, record, ends, time);
    if (last === undefined) continue;
    ends.set(line, last.number);
    if (last.cut) cut.push(line);
  }
  await clipCopies(handle.keyspace, ends);
  await deleteNames(lines, ends, time);
  for (const line of cut) {
    const held = await lines.hold(line);
    try {
      await rebuildIndexes(held);
    } finally {
      held.users.leave();
    }
  }
}

// The last revision of a line, which is cut there; `undefined` if it is deleted.
async function lastOf(
  { keyspace }: RepositoryHandle,
  line: number,
  { base, fork }: LineRecord,
  ends: ReadonlyMap<number, number>,
  time: number | undefined,
): Promise<{ number: number; cut: boolean } | undefined> {
  // Only its own log is read, so its base does not matter.
  const own = new LineKeyspace(keyspace, keyspace, line, fork);
  const head = await own.get(Tag.head);
  if (head === undefined) throw own.missing(`the head of line ${line}`);
  const { number } = decodeHead(head);
  const lost = fork > (ends.get(base) ?? 0);
  let last: RevisionRecord | undefined;
  let gone = 0;
  for await (const record of readRecords(own, fork + 1, number)) {
    if (!lost && (time === undefined || record.time <= time)) last = record;
    else gone++;
  }
  if (lost) {
    await keyspace.write([
      { type: 'deleteRange', ...own.everything },
      { type: 'delete', key: dataKey(keyspace.id, Tag.line, line) },
    ]);
    return undefined;
  }
  if (gone === 0) return { number, cut: false };
  await keyspace.write(await cutOps(own, keyspace, last));
  return { number: last?.number ?? fork, cut: true };
}

// The records after the last one go, and the indexes are made again from the others.
async function cutOps(
  own: LineKeyspace,
  keyspace: RepositoryHandle['keyspace'],
  last: RevisionRecord | undefined,
): Promise<WriteOp[]> {
  const { fork } = own;
  const number = last?.number ?? fork;
  const digest = last?.digest ?? (await digestAt(keyspace, own));
  const root = encodeManifest({ flushed: fork, checkpoint: fork, nextRun: await firstFreeRun(own), runs: [] });
  return [
    ...[Tag.log, Tag.hashCheckpoint, Tag.signature, Tag.trimmed].map((tag): WriteOp => ({
      type: 'deleteRange',
      gte: own.key(tag, number + 1),
      lt: own.tagRange(tag).lt,
    })),
    { type: 'deleteRange', ...own.tagRange(Tag.statistics) },
    { type: 'put', key: own.key(Tag.head), value: encodeHead({ number, digest }) },
    { type: 'deleteRange', ...own.tagRange(Tag.root) },
    { type: 'put', key: own.key(Tag.root), value: root },
  ];
}

// The first record of a line has the digest of the revision on which it begins.
async function digestAt(keyspace: RepositoryHandle['keyspace'], own: LineKeyspace): Promise<Uint8Array> {
  for await (const record of readRecords(own, own.fork + 1, FOREVER - 1)) return record.parentDigest;
  throw keyspace.missing(`revision ${own.fork + 1} of line ${own.line}`);
}

// Branches of lines that are gone, and those that were not there yet.
async function deleteNames(
  lines: Lines<OpenLine>,
  ends: ReadonlyMap<number, number>,
  time = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { keyspace } = lines.handle;
  const ops: WriteOp[] = [];
  const fromUtf8 = new TextDecoder();
  for await (const { rest, value } of keyspace.entries(Tag.branch))
    if (!ends.has(decodeBranch(value).line) || decodeBranch(value).created > time)
      ops.push({ type: 'delete', key: lines.branchKey(fromUtf8.decode(rest)) });
  await keyspace.write(ops);
}

/** Whether an id is that of a revision on another line than `main`. */
export async function isOnLine(keyspace: RepositoryHandle['keyspace'], id: Uint8Array): Promise<boolean> {
  const stored = await keyspace.getKey(revisionIdKey(keyspace, id));
  return stored !== undefined && decodePositions(stored).length > 0;
}
