/** Computes the chain and the content hash of revisions, one after the other. */
import type { HashCheckpoint, Repository as CoreRepository, RevisionRecord, Snapshot } from '@quadrille/core';
import { ContentState, type ReadLines } from './content-state.js';
import type { Hashes } from './hashes.js';
import { chainValue, contentDigest } from './revision-chain.js';

/** The hashes at a revision. The next step of the walk changes them. */
export class ChainPoint {
  record: RevisionRecord | undefined;
  /** Quads that were hashed since {@link mark}. */
  hashed = 0;
  /** Revisions that were passed since {@link mark}. */
  passed = 0;
  content: ContentState;
  chain: Uint8Array | undefined;

  constructor(
    readonly hashes: Hashes,
    start?: HashCheckpoint,
  ) {
    this.content = new ContentState(hashes, start?.content);
    this.chain = start?.chain;
  }

  /** Begins to count anew. */
  mark(): void {
    this.hashed = this.passed = 0;
  }

  async change(changes: ReadLines): Promise<void> {
    this.hashed += await this.content.change(changes);
  }

  end(record: RevisionRecord): void {
    const content = contentDigest(this.hashes, record, this.content.hash());
    // What a squash stands for cannot be hashed any more. It has the value that its revision had before the trim.
    const anchor = record.kind === 'squash' ? record.integrity?.chain : undefined;
    this.chain = anchor ?? chainValue(this.hashes, record, this.chain, content);
    this.record = record;
    this.passed++;
  }
}

/** Moves a point, which stands at revision `first` - 1, up to revision `last`. Yields it at each revision. */
export async function* walkChain(
  core: CoreRepository,
  snapshot: Snapshot,
  point: ChainPoint,
  range: { readonly first: number; readonly last: number },
  signal: AbortSignal | undefined,
): AsyncGenerator<ChainPoint & { readonly record: RevisionRecord; readonly chain: Uint8Array }> {
  const { revisionLines } = await core.history.lines();
  for await (const { record, changes } of revisionLines(snapshot, range.first, range.last, signal)) {
    await point.change(changes);
    snapshot.check();
    point.end(record);
    yield point as ChainPoint & { record: RevisionRecord; chain: Uint8Array };
  }
}
