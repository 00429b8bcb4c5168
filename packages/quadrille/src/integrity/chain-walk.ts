/** Computes the chain and the content hash of revisions, one after the other. */
import type { HashCheckpoint, Repository as CoreRepository, RevisionRecord, Snapshot } from '@quadrille/core';
import { yieldTurn } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { ContentState } from './content-state.js';
import type { Hashes } from './hashes.js';
import { chainValue, contentDigest } from './revision-chain.js';

/** Hashing a quad takes about 0.015 ms, and without Node.js 0.1 ms. */
const STEP_MS = 8;

/** Gives the event loop its turn while quads are hashed. */
export class HashPacer {
  #since = performance.now();

  constructor(private readonly signal: AbortSignal | undefined) {}

  /** To be awaited if it is a promise. */
  pause(): Promise<void> | undefined {
    if (performance.now() - this.#since < STEP_MS) return undefined;
    this.signal?.throwIfAborted();
    return yieldTurn().then(() => void (this.#since = performance.now()));
  }
}

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

  change(op: 'add' | 'remove', quad: RDF.Quad): void {
    if (op === 'add') this.content.add(quad);
    else this.content.remove(quad);
    this.hashed++;
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
  const { exportRevisions } = await core.history.files();
  const pacer = new HashPacer(signal);
  for await (const { record, changes } of exportRevisions(snapshot, range.first, range.last, signal)) {
    for await (const { op, quads } of changes()) {
      for (const quad of quads) {
        point.change(op, quad);
        const pause = pacer.pause();
        if (pause !== undefined) await pause;
      }
    }
    snapshot.check();
    point.end(record);
    yield point as ChainPoint & { record: RevisionRecord; chain: Uint8Array };
  }
}
