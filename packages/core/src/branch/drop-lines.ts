/** Deletes the data of lines that no branch, tag, merge or other line reaches. */
import type { WriteOp } from '@quadrille/storage';
import { dataKey, Tag } from '../format/layout.js';
import { revisionIdKey } from '../keyspace/line-keyspace.js';
import type { LineKeyspace } from '../keyspace/line-keyspace.js';
import { rewrittenOp } from '../keyspace/rewritten.js';
import { readRecords } from '../revision/log.js';
import { decodeHead } from '../revision/record.js';
import type { Pacer } from '../runtime/env.js';
import { TrimmedNumbers } from '../revision/trimmed-numbers.js';
import { copiedRanges, positionsOf, positionsOp } from './copied-revisions.js';
import { decodePositions, MAIN_LINE } from '../timeline/line-record.js';
import type { Lines, OpenLine } from './lines.js';

/** Number of index entries that are deleted in one batch. */
const AT_ONCE = 1024;

/** Under the maintenance lock. A line that somebody reads stays until the next time. */
export async function dropUnreachedLines(lines: Lines<OpenLine>, pacer: Pacer): Promise<void> {
  lines.handle.maintenance.assertHeld();
  const numbers = await lines.numbers();
  if (numbers.length === 0) return;
  const reached = await reachedLines(lines, pacer);
  // Lines begin on lines with lower numbers, so those above go first.
  for (const line of numbers.toReversed()) if (!reached.has(line)) await dropLine(lines, line);
}

async function reachedLines(lines: Lines<OpenLine>, pacer: Pacer): Promise<ReadonlySet<number>> {
  const reached = new Set<number>();
  const open = [MAIN_LINE, ...[...(await lines.branches()).values()].map(({ line }) => line)];
  open.push(...(await taggedLines(lines)));
  while (open.length > 0) {
    for (let line = open.pop(); line !== undefined; line = open.pop()) {
      if (reached.has(line)) continue;
      reached.add(line);
      if (line !== MAIN_LINE) open.push((await lines.record(line)).base);
      open.push(...(await mergedLines(lines, line, pacer)));
    }
    open.push(...(await sharedOrigins(lines, reached)));
  }
  return reached;
}

// Lines with revisions that several others have taken over: it must stay known that these are the same.
async function sharedOrigins(lines: Lines<OpenLine>, reached: ReadonlySet<number>): Promise<number[]> {
  const takers = new Map<number, number>();
  for (const line of reached) {
    const origins = new Set((await copiedRanges(await lines.keyspace(line))).map(({ origin }) => origin));
    for (const origin of origins) takers.set(origin, (takers.get(origin) ?? 0) + 1);
  }
  return [...takers].filter(([origin, count]) => count > 1 && !reached.has(origin)).map(([origin]) => origin);
}

async function taggedLines(lines: Lines<OpenLine>): Promise<number[]> {
  const found: number[] = [];
  const { keyspace } = lines.handle;
  for await (const { value } of keyspace.entries(Tag.tag)) found.push(...(await linesOfId(lines, value)));
  return found;
}

async function linesOfId({ handle: { keyspace } }: Lines<OpenLine>, id: Uint8Array): Promise<number[]> {
  const stored = await keyspace.getKey(revisionIdKey(keyspace, id));
  const positions = stored === undefined ? [] : decodePositions(stored).map(({ line }) => line);
  // `main` is always there.
  return positions.includes(MAIN_LINE) ? [] : positions;
}

// The lines of revisions that were merged into a line.
async function mergedLines(lines: Lines<OpenLine>, line: number, pacer: Pacer): Promise<number[]> {
  const found: number[] = [];
  const keyspace = await lines.keyspace(line);
  const first = line === MAIN_LINE ? 1 : (await lines.record(line)).fork + 1;
  const head = await keyspace.get(Tag.head);
  if (head === undefined) throw keyspace.missing(`the head of line ${line}`);
  for await (const { mergedParent } of readRecords(keyspace, first, decodeHead(head).number)) {
    if (mergedParent !== undefined) found.push(...(await linesOfId(lines, mergedParent)));
    if (pacer.due()) await pacer.pause();
  }
  return found;
}

// The record of the line goes last, so that a deletion which a crash has interrupted goes on the next time.
async function dropLine(lines: Lines<OpenLine>, line: number): Promise<void> {
  const keyspace = (await lines.keyspace(line)) as LineKeyspace;
  if (!(await lines.forget(line))) return;
  await keyspace.writeAlone([rewrittenOp(keyspace, lines.handle.env)]);
  const head = await keyspace.get(Tag.head);
  const last = head === undefined ? 0 : decodeHead(head).number;
  let ids: Uint8Array[] = [];
  for (const revisions of [
    readRecords(keyspace, keyspace.fork + 1, last),
    (await TrimmedNumbers.of(keyspace)).from(0),
  ]) {
    for await (const { id } of revisions) {
      ids.push(id);
      if (ids.length === AT_ONCE) await forgetPlaces(lines, line, ids);
      if (ids.length === AT_ONCE) ids = [];
    }
  }
  await forgetPlaces(lines, line, ids);
  await keyspace.writeAlone([
    { type: 'deleteRange', ...keyspace.everything },
    { type: 'delete', key: dataKey(keyspace.id, Tag.line, line) },
    ...(await ownFromNowOn(lines, line)),
  ]);
  lines.ancestors++;
}

// Revisions that another line has taken over stay there. Under the write lock, because a fast-forward adds places.
async function forgetPlaces(lines: Lines<OpenLine>, line: number, ids: readonly Uint8Array[]): Promise<void> {
  if (ids.length === 0) return;
  const { keyspace, writeLock } = lines.handle;
  await lines.handle.load();
  await writeLock.run(async () => {
    await lines.handle.timeline.drain();
    const places = await positionsOf(keyspace, ids);
    const ops = ids.map((id, i) =>
      positionsOp(
        keyspace,
        id,
        places[i]!.filter((place) => place.line !== line),
      ),
    );
    await keyspace.writeAlone(ops);
  });
}

// The line that has taken over revisions of a line that goes has made them, as far as anybody can tell.
async function ownFromNowOn(lines: Lines<OpenLine>, gone: number): Promise<WriteOp[]> {
  const ops: WriteOp[] = [];
  for (const line of [MAIN_LINE, ...(await lines.numbers())]) {
    if (line === gone) continue;
    const keyspace = await lines.keyspace(line);
    for (const { first, origin } of await copiedRanges(keyspace))
      if (origin === gone) ops.push({ type: 'delete', key: keyspace.key(Tag.copied, first) });
  }
  return ops;
}
