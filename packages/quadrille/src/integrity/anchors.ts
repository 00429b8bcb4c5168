/** The digests that a trim keeps: the chain goes on from them, so signatures of the revisions that are left still verify. */
import type { IntegrityPart, Repository as CoreRepository } from '@quadrille/core';
import { ChainPoint, walkChain } from './chain-walk.js';
import { checkpointWhereDue } from './digests.js';
import { loadHashes } from './hashes.js';
import { contentDigest } from './revision-chain.js';

interface Last {
  readonly number: number;
  readonly chain: Uint8Array;
  readonly content: Uint8Array;
}

export class Anchors {
  #last: Last | undefined;

  constructor(
    private readonly core: CoreRepository,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** The digests of revisions, as they are before the trim. Hashes the changes since the last known state. */
  async at(numbers: readonly number[]): Promise<ReadonlyMap<number, IntegrityPart>> {
    const { core, signal } = this;
    const wanted = new Set(numbers);
    const found = new Map<number, IntegrityPart>();
    const [first = 0] = numbers;
    const last = numbers.at(-1) ?? 0;
    const hashes = await loadHashes();
    const start = await (await core.history.attestations()).checkpoint(first - 1);
    const point = new ChainPoint(hashes, start);
    const snapshot = await core.snapshotAt('HEAD');
    try {
      for await (const at of walkChain(core, snapshot, point, { first: (start?.number ?? 0) + 1, last }, signal)) {
        await checkpointWhereDue(core, at);
        const { record, chain } = at;
        if (!wanted.has(record.number)) continue;
        const { addedCount, removedCount, size } = record.integrity ?? record;
        const content = contentDigest(hashes, record, at.content.hash());
        found.set(record.number, { addedCount, removedCount, size, content, chain });
        if (record.number === last) this.#last = { number: last, chain, content: at.content.bytes() };
      }
    } finally {
      snapshot.close();
    }
    return found;
  }

  /** Keeps the last state, from which hashing goes on. The trim is made. */
  async keep(): Promise<void> {
    if (this.#last === undefined) return;
    const { number, chain, content } = this.#last;
    const record = await this.core.resolve(number);
    await (await this.core.history.attestations()).saveCheckpoint(record, chain, content);
  }
}
