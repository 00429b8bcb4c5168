/**
 * Which revision each quad is from. Loaded with the first call. It imports no value that a page starts with, so that bundlers can split
 * it off.
 */
import type {
  IdPattern,
  Repository as CoreRepository,
  QuadReader,
  Snapshot,
  TermPattern,
  toRevision,
} from '@quadrille/core';
import { lazySequence, yieldTurn } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { BlameEntry, BlameOptions } from '../api/index.js';
import { livesOf, QuadOrigins } from './quad-origins.js';
import type { BatchSource } from './results.js';

/** Milliseconds of work between two turns of the event loop. */
const STEP_MS = 4;

type Next = ReturnType<BatchSource<BlameEntry>['next']>;

/** The batches of a blame. The snapshot stays open until they are closed. */
export function blameBatches(
  core: CoreRepository,
  snapshot: Snapshot,
  pattern: TermPattern,
  { removed, signal }: BlameOptions,
  describe: typeof toRevision,
): BatchSource<BlameEntry> {
  const origins = QuadOrigins.of(core, snapshot, describe);
  if (removed === true) return lazySequence(() => lives(core, snapshot, pattern, origins, signal));
  return new BlameReader(snapshot, pattern, origins, signal);
}

/** Reads the quads of a snapshot. Returns promises only where something has to be fetched. */
class BlameReader implements BatchSource<BlameEntry> {
  #reader: QuadReader | undefined;
  #opened = false;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly pattern: TermPattern,
    private readonly origins: QuadOrigins,
    private readonly signal: AbortSignal | undefined,
  ) {}

  next(): Next {
    if (this.#opened) return this.#read();
    const { snapshot, pattern } = this;
    const ids = snapshot.tryIds(pattern);
    return typeof ids === 'number' ? snapshot.ids(pattern).then((found) => this.#open(found)) : this.#open(ids);
  }

  #open(ids: Awaited<ReturnType<Snapshot['ids']>>): Next {
    this.#opened = true;
    if (ids !== undefined) this.#reader = this.snapshot.read(ids, true);
    return this.#read();
  }

  #read(): Next {
    const quads = this.#reader?.next();
    return quads instanceof Promise ? quads.then((batch) => this.#entries(batch)) : this.#entries(quads);
  }

  #entries(quads: readonly RDF.Quad[] | undefined): Next {
    if (quads === undefined) return undefined;
    // Before the reader moves on.
    const numbers = quads.map((_, index) => this.#reader!.addedBy(index));
    const entries: BlameEntry[] = [];
    const reader = this.#reader!;
    for (let i = 0; i < quads.length; i++) {
      const origin = this.origins.tryOrigin(numbers[i]!, () => reader.ids(i));
      if (origin === undefined) return this.#restOf(quads, numbers, entries);
      entries.push({ quad: quads[i]!, ...origin });
    }
    return entries;
  }

  /** Where a large change took intervals over, or a merge brought quads, each of them is a lookup. Who aborts gets what there is; no more is asked for then. */
  async #restOf(quads: readonly RDF.Quad[], numbers: readonly number[], entries: BlameEntry[]): Promise<BlameEntry[]> {
    // Before the reader moves on.
    const ids = quads.map((_, index) => this.#reader!.ids(index));
    let since = performance.now();
    for (let i = entries.length; i < quads.length; i++) {
      if (performance.now() - since > STEP_MS) {
        await yieldTurn();
        if (this.signal?.aborted === true) return entries;
        this.snapshot.check();
        since = performance.now();
      }
      const quad = quads[i]!;
      const asked = { quad: () => quad, ids: () => ids[i]! };
      entries.push({ quad, ...(await this.origins.origin(numbers[i]!, asked)) });
    }
    return entries;
  }

  close(): void {
    this.#reader?.close();
  }
}

async function* lives(
  core: CoreRepository,
  snapshot: Snapshot,
  pattern: TermPattern,
  origins: QuadOrigins,
  signal: AbortSignal | undefined,
): AsyncGenerator<BlameEntry[]> {
  const idsOf = async (quad: RDF.Quad): Promise<IdPattern> => (await snapshot.ids(quad))!;
  for await (const batch of livesOf(core, pattern, snapshot.number, signal)) {
    const entries: BlameEntry[] = [];
    for (const { quad, added, removed } of batch) {
      const asked = { quad: () => quad, ids: () => idsOf(quad) };
      const entry = { quad, ...(await origins.origin(added, asked)) };
      entries.push(removed === 0 ? entry : { ...entry, removed: await origins.revision(removed) });
    }
    yield entries;
  }
}
