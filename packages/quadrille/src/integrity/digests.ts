/** The digest of history and the hash of content at a revision. Both go on from the last state that is known. */
import type { HashCheckpoint, Repository as CoreRepository, RevisionRecord } from '@quadrille/core';
import { QuadrilleError } from '@quadrille/model';
import { equalBytes } from '@quadrille/storage';
import { ChainPoint, walkChain } from './chain-walk.js';
import { ContentState } from './content-state.js';
import { loadHashes } from './hashes.js';

/** The work after which a checkpoint is written. A checkpoint is an entry of 2,097 bytes. */
const CHECKPOINT_QUADS = 4096;
const CHECKPOINT_REVISIONS = 256;

/** The digests of a revision. */
export interface RevisionDigests {
  readonly record: RevisionRecord;
  /** The value of the chain, 32 bytes. */
  readonly chain: Uint8Array;
  /** The content hash, 32 bytes. */
  readonly content: Uint8Array;
}

interface Known extends HashCheckpoint {
  readonly record: RevisionRecord;
}

/** The last computed state of each repository: that of the next revision is a few steps away. */
const latest = new WeakMap<CoreRepository, Known>();

/** The digest and the content hash at a revision. */
export async function digestsAt(
  core: CoreRepository,
  record: RevisionRecord,
  signal?: AbortSignal,
): Promise<RevisionDigests> {
  const hashes = await loadHashes();
  const start = await knownBefore(core, record);
  const point = new ChainPoint(hashes, start);
  point.record = record;
  const snapshot = await core.snapshotAt('HEAD');
  try {
    const range = { first: (start?.number ?? 0) + 1, last: record.number };
    for await (const at of walkChain(core, snapshot, point, range, signal)) await checkpointWhereDue(core, at);
  } finally {
    snapshot.close();
  }
  const chain = point.chain!;
  const { number } = point.record;
  latest.set(core, { number, record: point.record, chain, content: point.content.bytes() });
  return { record: point.record, chain, content: point.content.hash() };
}

/** The content hash at a revision, 32 bytes: by the changes since a known state, or else by its quads. */
export async function contentHashAt(
  core: CoreRepository,
  record: RevisionRecord,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  if ((await knownBefore(core, record)) !== undefined) return (await digestsAt(core, record, signal)).content;
  const content = new ContentState(await loadHashes());
  const { snapshotLines } = await core.history.lines();
  await core.ready();
  const snapshot = core.snapshotOf(record);
  try {
    await content.change((take) => snapshotLines(snapshot, signal, take));
    snapshot.check();
  } finally {
    snapshot.close();
  }
  return content.hash();
}

async function knownBefore(core: CoreRepository, { number }: RevisionRecord): Promise<HashCheckpoint | undefined> {
  const stored = await (await core.history.attestations()).checkpoint(number);
  const known = latest.get(core);
  if (known === undefined || known.number > number || known.number <= (stored?.number ?? 0)) return stored;
  // The record may have been replaced since, by an import of history into an empty repository.
  // The record may also have been trimmed.
  const now = await core.resolve(known.number).catch(() => undefined);
  return now !== undefined && equalBytes(now.digest, known.record.digest) ? known : stored;
}

/** Keeps the state of a point, if there was much work since the last one that was kept. */
export async function checkpointWhereDue(
  core: CoreRepository,
  point: ChainPoint & { readonly record: RevisionRecord; readonly chain: Uint8Array },
): Promise<void> {
  if (point.hashed < CHECKPOINT_QUADS && point.passed < CHECKPOINT_REVISIONS) return;
  point.mark();
  try {
    await (await core.history.attestations()).saveCheckpoint(point.record, point.chain, point.content.bytes());
  } catch (error) {
    // It saves work, and the answer does not need it: the store may be read-only or full.
    if (!(error instanceof QuadrilleError) || !/^(?:READ_ONLY|STORAGE_)/.test(error.code)) throw error;
  }
}
