/**
 * Which revision each quad is from. Loaded with the first call. It imports no value that a page starts with, so that bundlers can split
 * it off.
 */
import type { Repository as CoreRepository, QuadReader, Snapshot, TermPattern, toRevision } from '@quadrille/core';
import { lazySequence } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { BlameEntry, BlameOptions, Revision } from '../api/index.js';
import type { BatchSource } from './results.js';

type Record = Snapshot['record'];

/** Revisions that are kept for each repository: those of neighbours are mostly the same. */
const KEPT_REVISIONS = 1024;

/** What is known of a revision. */
interface Known {
  readonly revision: Revision;
  /** Whether it may have taken intervals over, so that an earlier revision added the quad. */
  readonly handsOver: boolean;
}

/** The batches of a blame. The snapshot stays open until they are closed. */
export function blameBatches(
  core: CoreRepository,
  snapshot: Snapshot,
  pattern: TermPattern,
  { removed, signal }: BlameOptions,
  describe: typeof toRevision,
): BatchSource<BlameEntry> {
  const revisions = revisionsOf(core, snapshot, describe);
  if (removed === true) return lazySequence(() => lives(core, snapshot.number, pattern, revisions, signal));
  return new BlameReader(core, snapshot, pattern, revisions);
}

/** Reads the quads of a snapshot. Returns promises only where something has to be fetched. */
class BlameReader implements BatchSource<BlameEntry> {
  #reader: QuadReader | undefined;
  #opened = false;

  constructor(
    private readonly core: CoreRepository,
    private readonly snapshot: Snapshot,
    private readonly pattern: TermPattern,
    private readonly revisions: Revisions,
  ) {}

  next(): ReturnType<BatchSource<BlameEntry>['next']> {
    if (this.#opened) return this.#read();
    const ids = this.snapshot.tryIds(this.pattern);
    return typeof ids === 'number'
      ? this.snapshot.ids(this.pattern).then((found) => this.#open(found))
      : this.#open(ids);
  }

  #open(ids: Awaited<ReturnType<Snapshot['ids']>>): ReturnType<BatchSource<BlameEntry>['next']> {
    this.#opened = true;
    if (ids !== undefined) this.#reader = this.snapshot.read(ids, true);
    return this.#read();
  }

  #read(): ReturnType<BatchSource<BlameEntry>['next']> {
    const quads = this.#reader?.next();
    return quads instanceof Promise ? quads.then((batch) => this.#entries(batch)) : this.#entries(quads);
  }

  #entries(quads: readonly RDF.Quad[] | undefined): ReturnType<BatchSource<BlameEntry>['next']> {
    if (quads === undefined) return undefined;
    // Before the reader moves on.
    const numbers = quads.map((_, index) => this.#reader!.addedBy(index));
    const entries: BlameEntry[] = [];
    for (let i = 0; i < quads.length; i++) {
      const known = this.revisions.tryGet(numbers[i]!);
      if (known === undefined || known.handsOver) return this.#restOf(quads, numbers, entries);
      entries.push({ quad: quads[i]!, revision: known.revision });
    }
    return entries;
  }

  async #restOf(quads: readonly RDF.Quad[], numbers: readonly number[], entries: BlameEntry[]): Promise<BlameEntry[]> {
    for (let i = entries.length; i < quads.length; i++) {
      const quad = quads[i]!;
      let known = await this.revisions.get(numbers[i]!);
      if (known.handsOver) known = await this.revisions.get(await this.#firstOf(quad, numbers[i]!));
      entries.push({ quad, revision: known.revision });
    }
    return entries;
  }

  /** The revision that began the life of a quad, of which an interval begins with this revision. */
  async #firstOf(quad: RDF.Quad, number: number): Promise<number> {
    for await (const [life] of livesOf(this.core, quad, number)) return life!.added;
    return number;
  }

  close(): void {
    this.#reader?.close();
  }
}

/** The last life of a quad. */
interface Life {
  readonly quad: RDF.Quad;
  added: number;
  /** 0 while the quad is there. */
  removed: number;
}

/** The last lives of all quads that match, up to a revision, in batches. An interval that another one takes over goes on. */
async function* livesOf(
  core: CoreRepository,
  pattern: TermPattern,
  to: number,
  signal?: AbortSignal,
): AsyncGenerator<Life[]> {
  let life: Life | undefined;
  for await (const events of core.history.events(pattern, { to }, signal)) {
    const over: Life[] = [];
    for (const { op, quad, number } of events) {
      if (life === undefined || !life.quad.equals(quad)) {
        if (life !== undefined) over.push(life);
        life = { quad, added: number, removed: 0 };
      } else if (op === 'remove') life.removed = number;
      else {
        if (life.removed !== number) life.added = number;
        life.removed = 0;
      }
    }
    if (over.length > 0) yield over;
  }
  if (life !== undefined) yield [life];
}

async function* lives(
  core: CoreRepository,
  number: number,
  pattern: TermPattern,
  revisions: Revisions,
  signal: AbortSignal | undefined,
): AsyncGenerator<BlameEntry[]> {
  for await (const batch of livesOf(core, pattern, number, signal)) {
    const entries: BlameEntry[] = [];
    for (const { quad, added, removed } of batch) {
      const { revision } = await revisions.get(added);
      entries.push(
        removed === 0 ? { quad, revision } : { quad, revision, removed: (await revisions.get(removed)).revision },
      );
    }
    yield entries;
  }
}

/** Published revisions never change. What is kept of them goes when the repository is unloaded. */
const known = new WeakMap<Snapshot['generation'], Revisions>();

function revisionsOf(core: CoreRepository, { generation }: Snapshot, describe: typeof toRevision): Revisions {
  let revisions = known.get(generation);
  if (revisions === undefined) known.set(generation, (revisions = new Revisions(core, describe)));
  return revisions;
}

/** Revisions by number. */
class Revisions {
  readonly #known = new Map<number, Known>();

  constructor(
    private readonly core: CoreRepository,
    private readonly describe: typeof toRevision,
  ) {}

  /** Returns `undefined` if the revision has to be read. */
  tryGet(number: number): Known | undefined {
    const known = this.#known.get(number);
    if (known !== undefined) return known;
    const record = this.core.tryResolve(number);
    return record && this.#keep(record);
  }

  async get(number: number): Promise<Known> {
    return this.tryGet(number) ?? this.#keep(await this.core.resolve(number));
  }

  #keep(record: Record): Known {
    const found = { revision: this.describe(record), handsOver: mayHandOver(record) };
    if (this.#known.size >= KEPT_REVISIONS) this.#known.clear();
    this.#known.set(record.number, found);
    return found;
  }
}

/** A large change counts a quad whose interval it takes over on neither side, so it has more rows than it has added. */
function mayHandOver({ payload, added, addedCount }: Record): boolean {
  if (payload === undefined) return false;
  let rows = added.length;
  for (const run of payload.added) rows += run.rows;
  return rows > addedCount;
}
