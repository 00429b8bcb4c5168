/**
 * An index over the values of terms, of any kind. It stands over term ids, which are never used twice, so that it serves all revisions
 * and branches: what a revision does not know has greater ids, and no quads there. Terms below its mark are in runs on disk, the others
 * are read from the dictionary when somebody asks. It is derived from the terms: without it, it is made again.
 */
import { ByteReader, ByteWriter, joinBytes } from '../format/byte-codec.js';
import { FIRST_TERM_ID, TERM_BLOCK_IDS } from '../format/layout.js';
import type { Dictionary, SharedIndex, TermIndex } from '../dictionary/dictionary.js';
import { newRunNumber } from '../dictionary/dictionary-flush.js';
import { LONG_ENTRY, termBlockEntries } from '../dictionary/term-block.js';
import { readParts } from '../index/run/run-writer.js';
import type { BlockCache, ValueSource } from '../keyspace/block-cache.js';
import { BatchWriter } from '../keyspace/batch-writer.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { type Breaks, NO_BREAKS, type Pacer } from '../runtime/env.js';
import type { WriteOp } from '@quadrille/storage';

/** The share of the terms of a full tail that are not in runs yet, at which a run is written. */
const TAIL_SHARE = 1 / 4;
/** Bytes that a run may take in memory while it is built, for each byte of a full tail. */
const RUN_BYTES = 16;
/** Runs in memory at which they become one. */
const MEMORY_RUNS = 8;
/** Runs of similar size at which they are merged, and how many a build leaves until its end. */
const TIER_RUNS = 4;
const BUILT_RUNS = 16;

/** What the root of an index has of a run. */
export interface RunEntry {
  readonly id: number;
  /** The first id, and that behind the last one. */
  readonly from: number;
  readonly to: number;
  /** Its values of the first part. */
  readonly pages: number;
}

/** A run is never changed. */
export interface ValueRun {
  readonly entry: RunEntry;
  /** Who reads it now. */
  readers: number;
}

/** Takes the values of a run. It copies them. */
export type PutPart<Part extends string = string> = (part: Part, index: number, value: Uint8Array) => void;

/** Collects the values of terms, whose ids ascend, and writes them as a run. */
export interface RunBuilder<Part extends string> {
  /** About what it holds. */
  readonly bytes: number;
  add(id: number, term: Uint8Array): void;
  /** Writes the run of the ids before `to`. */
  finish(to: number, put: PutPart<Part>, pacer: Breaks, onStep?: () => Promise<void>): Promise<Omit<RunEntry, 'id'>>;
}

/** Where the values of a run are. */
export interface RunValues<Part extends string> {
  readonly cache: BlockCache;
  /** The values of a part, one by one. */
  source(part: Part): ValueSource;
  /** Reads a whole part, whose values have {@link PART_BYTES} but for the last one. */
  read(part: Part): Promise<Uint8Array>;
}

/** A kind of index. */
export interface ValueKind<Run extends ValueRun, Part extends string> {
  /** The keys of the root and of the values of runs. */
  readonly tags: { readonly root: number; readonly part: number };
  readonly parts: readonly Part[];
  /** Form and settings. An index with others is made again. */
  readonly form: readonly number[];
  /** `seed`: for hashes. */
  builder(from: number, seed: number): RunBuilder<Part>;
  run(entry: RunEntry, values: RunValues<Part>): Run;
  /** Writes one run with all that the runs have. Their ranges of ids follow one another. */
  merge(
    runs: readonly Run[],
    put: PutPart<Part>,
    pacer: Pacer,
    onStep: () => Promise<void>,
  ): Promise<Omit<RunEntry, 'id'>>;
}

/** What is on disk. */
interface Root<Run> {
  /** Ids below it are in the runs. */
  readonly mark: number;
  readonly runs: readonly Run[];
}

/** Runs of all terms before a mark. Call `release` when they have been read. */
export interface View<Run> {
  readonly runs: readonly Run[];
  readonly mark: number;
  readonly release: () => void;
}

export class ValueIndex<Run extends ValueRun, Part extends string> implements TermIndex {
  #root: Root<Run>;
  /** Runs of the ids from the mark on. */
  #memory: readonly Run[] = [];
  #extending: Promise<void> = Promise.resolve();
  /** Runs that are not in the root any more, and are read. */
  readonly #retired = new Set<Run>();

  protected constructor(
    private readonly dictionary: Dictionary,
    private readonly kind: ValueKind<Run, Part>,
    root: Root<Run>,
  ) {
    this.#root = root;
  }

  /** Whether more terms are outside runs than a search reads at once, or runs are to be merged. */
  isDue(limit: number): boolean {
    return this.isBehind(limit) || this.#tier().length > 0;
  }

  isBehind(limit: number): boolean {
    return Math.min(limit, this.dictionary.settled) - this.#root.mark > this.#tailTerms * TAIL_SHARE;
  }

  /** The share of the terms before `limit` that it has, from 0 to 1. What is left where it is 1 is read when somebody searches. */
  progress(limit: number): number {
    return this.isBehind(limit) ? this.#root.mark / limit : 1;
  }

  get #tailTerms(): number {
    return this.dictionary.keyspace.tuning.tailTerms;
  }

  async advance(limit: number, pacer: Pacer): Promise<void> {
    if (this.isBehind(limit)) await this.build(limit, pacer);
    else await this.#mergeDue(pacer);
  }

  async clear(): Promise<void> {
    this.#memory = [];
    this.onClear();
    if (this.#root.runs.length > 0) await this.#replace(emptyRoot());
    await this.#sweep();
  }

  /** What else is remembered of the terms goes. */
  protected onClear(): void {}

  /** Runs of another index of the dictionary that may be read yet: they are swept when nobody does. */
  protected retire(other: ValueIndex<Run, Part>): void {
    for (const run of other.#all) this.#retired.add(run);
  }

  get #all(): readonly Run[] {
    return [...this.#root.runs, ...this.#retired];
  }

  /** What is on disk, for another thread. Call `release` when it has been read. */
  share(): SharedIndex | undefined {
    const { release } = this.stored();
    return { root: rootBytes(this.kind, this.#root), release };
  }

  /** The runs on disk. Call `release` when they have been read. */
  stored(): Pick<View<Run>, 'runs' | 'release'> {
    return held(this.#root.runs);
  }

  /** All terms before `limit` that have texts by now. */
  async view(limit: number): Promise<View<Run>> {
    const mark = Math.min(limit, this.dictionary.settled);
    for (;;) {
      const memory = this.#behindRoot();
      if ((memory.at(-1)?.entry.to ?? this.#root.mark) >= mark)
        return { ...held([...this.#root.runs, ...memory]), mark };
      const extend = (): Promise<void> => this.#extend(mark);
      await (this.#extending = this.#extending.then(extend, extend));
    }
  }

  // A run that was written meanwhile has what stood in memory, and where terms were deleted there is none.
  #behindRoot(): readonly Run[] {
    const runs: Run[] = [];
    let end = this.#root.mark;
    for (const run of this.#memory) {
      if (run.entry.from !== end) continue;
      runs.push(run);
      end = run.entry.to;
    }
    return runs;
  }

  // Reads what is not in runs, up to a mark.
  async #extend(mark: number): Promise<void> {
    const memory = this.#behindRoot();
    const from = memory.at(-1)?.entry.to ?? this.#root.mark;
    if (from >= mark) return;
    const first = memory.length + 1 < MEMORY_RUNS ? from : this.#root.mark;
    const builder = this.kind.builder(first, this.dictionary.root.seed);
    await eachTerm(this.dictionary, first, mark, (id, term) => builder.add(id, term));
    const run = await memoryRun(this.kind, this.dictionary.keyspace, (put) => builder.finish(mark, put, NO_BREAKS));
    this.#memory = first === from ? [...memory, run] : [run];
  }

  /** Writes runs of what is not in any. The caller holds the maintenance lock. `limit`: ids from it on may be used for other terms yet. */
  async build(limit: number, pacer: Pacer): Promise<void> {
    const end = Math.min(limit, this.dictionary.settled);
    while (this.#root.mark < end) {
      const { mark } = this.#root;
      const builder = this.kind.builder(mark, this.dictionary.root.seed);
      const to = await eachTerm(
        this.dictionary,
        mark,
        end,
        (id, term) => builder.add(id, term),
        () => builder.bytes < this.dictionary.keyspace.tuning.tailBytes * RUN_BYTES,
        pacer,
      );
      const run = await this.#write((put, onStep) => builder.finish(to, put, pacer, onStep));
      await this.#replace({ mark: to, runs: [...this.#root.runs, run] });
      // One merge at the end costs less than several on the way.
      if (this.#root.runs.length >= BUILT_RUNS) await this.#mergeDue(pacer);
    }
    await this.#mergeDue(pacer);
    await this.#sweep();
  }

  async #mergeDue(pacer: Pacer): Promise<void> {
    for (let some = this.#tier(); some.length > 0; some = this.#tier()) await this.#merge(some, pacer);
  }

  /** Makes all runs one. The caller holds the maintenance lock. */
  async mergeAll(pacer: Pacer): Promise<void> {
    if (this.#root.runs.length < 2) return;
    await this.#merge(this.#root.runs, pacer);
    await this.#sweep();
  }

  async #merge(some: readonly Run[], pacer: Pacer): Promise<void> {
    const run = await this.#write((put, onStep) => this.kind.merge(some, put, pacer, onStep));
    await this.#replace({
      mark: this.#root.mark,
      runs: [...this.#root.runs.filter((each) => !some.includes(each)), run],
    });
  }

  #tier(): readonly Run[] {
    const { runs } = this.#root;
    if (runs.length < TIER_RUNS) return [];
    let first = runs.length - 1;
    let size = sizeOf(runs[first]!);
    while (first > 0 && sizeOf(runs[first - 1]!) <= size * TIER_RUNS) size += sizeOf(runs[--first]!);
    return runs.length - first < 2 ? [] : runs.slice(first);
  }

  async #write(make: (put: PutPart<Part>, onStep: () => Promise<void>) => Promise<Omit<RunEntry, 'id'>>): Promise<Run> {
    const { dictionary } = this;
    await this.#sweep();
    const id = await dictionary.lock.run(() => newRunNumber(dictionary));
    const batch = new BatchWriter(dictionary);
    const put: PutPart<Part> = (part, index, value) =>
      batch.put(partKey(dictionary.keyspace, this.kind, id, part, index), value);
    const entry = await make(put, async () => {
      if (batch.full) await batch.send();
    });
    await batch.flush();
    return storedRun(dictionary.keyspace, this.kind, { id, ...entry });
  }

  // With the root of the dictionary, which has the numbers of runs that are taken.
  async #replace(root: Root<Run>): Promise<void> {
    const { dictionary } = this;
    await dictionary.lock.run(() =>
      dictionary.write([rootOp(dictionary.keyspace, this.kind, root), dictionary.rootOp(dictionary.root)]),
    );
    for (const run of this.#root.runs) if (!root.runs.includes(run)) this.#retired.add(run);
    this.#root = root;
  }

  // Deletes runs that nobody reads.
  async #sweep(): Promise<void> {
    for (const run of this.#retired) if (run.readers === 0) this.#retired.delete(run);
    const named = this.#all.map(({ entry }) => entry.id);
    const { keyspace } = this.dictionary;
    const { part } = this.kind.tags;
    const ops: WriteOp[] = [];
    let from = 0;
    for (const id of [...named, 0xffff_ffff].sort((x, y) => x - y)) {
      if (from < id) ops.push({ type: 'deleteRange', gte: keyspace.key(part, from), lt: keyspace.key(part, id) });
      from = id + 1;
    }
    await this.dictionary.write(ops);
  }
}

/** Runs that are not deleted until they are released. */
function held<Run extends ValueRun>(runs: readonly Run[]): Pick<View<Run>, 'runs' | 'release'> {
  for (const run of runs) run.readers++;
  const release = (): void => {
    for (const run of runs) run.readers--;
  };
  return { runs, release };
}

const sizeOf = ({ entry }: ValueRun): number => entry.pages;

/** Calls `take` with all terms of a range of ids, as long as `goesOn` says so after a block. Returns where it has ended. Terms share memory. */
export async function eachTerm(
  dictionary: Dictionary,
  from: number,
  to: number,
  take: (id: number, term: Uint8Array) => void,
  goesOn: () => boolean = () => true,
  pacer?: Pacer,
): Promise<number> {
  for (let id = from; id < to;) {
    const end = Math.min(to, id + TERM_BLOCK_IDS - (id % TERM_BLOCK_IDS));
    // A flush may put the newest terms into blocks meanwhile.
    const entries = id < dictionary.root.blockMark ? await entriesOfBlock(dictionary, id) : [];
    for (; id < end; id++) {
      const entry = entries[id % TERM_BLOCK_IDS] ?? (await entryOf(dictionary, id));
      if (entry?.[0] === LONG_ENTRY) take(id, await dictionary.longText(id, entry));
      else if (entry !== null) take(id, entry);
    }
    if (!goesOn()) return id;
    if (pacer?.due() === true) await pacer.pause();
  }
  return to;
}

async function entriesOfBlock({ blocks }: Dictionary, id: number): Promise<readonly Uint8Array[]> {
  const [value] = await blocks.read([Math.floor(id / TERM_BLOCK_IDS)]);
  return termBlockEntries(value!);
}

async function entryOf(dictionary: Dictionary, id: number): Promise<Uint8Array | null> {
  for (;;) {
    const entry = dictionary.tryEntryIfAny(id);
    if (entry !== undefined) return entry;
    await dictionary.fetchMissing();
  }
}

/** The text of a term; `null`: there is none. */
export async function textOf(dictionary: Dictionary, id: number): Promise<Uint8Array | null> {
  const entry = await entryOf(dictionary, id);
  return entry?.[0] === LONG_ENTRY ? dictionary.longText(id, entry) : entry;
}

type AnyKind = Pick<ValueKind<ValueRun, string>, 'tags' | 'parts' | 'form'>;

const partKey = (keyspace: Keyspace, { tags, parts }: AnyKind, run: number, part: string, index: number): Uint8Array =>
  keyspace.key(tags.part, run, parts.indexOf(part), index);

function storedRun<Run extends ValueRun, Part extends string>(
  keyspace: Keyspace,
  kind: ValueKind<Run, Part>,
  entry: RunEntry,
): Run {
  const keyOf = (part: Part) => (index: number) => partKey(keyspace, kind, entry.id, part, index);
  const titleOf = (part: Part): string => `${part} of run ${entry.id} of an index of values`;
  return kind.run(entry, {
    cache: keyspace.cache,
    source: (part) => keyspace.source(titleOf(part), keyOf(part)),
    read: (part) => readParts(keyspace, titleOf(part), keyOf(part)),
  });
}

/** A run that is not stored. */
export async function memoryRun<Run extends ValueRun, Part extends string>(
  kind: Pick<ValueKind<Run, Part>, 'parts' | 'run'>,
  { cache }: Pick<Keyspace, 'cache'>,
  make: (put: PutPart<Part>) => Promise<Omit<RunEntry, 'id'>>,
): Promise<Run> {
  const values = new Map<Part, Uint8Array[]>(kind.parts.map((part) => [part, []]));
  const entry = await make((part, index, value) => {
    values.get(part)![index] = value.slice();
  });
  return kind.run(
    { id: 0, ...entry },
    {
      cache,
      source: (part) => ({
        id: cache.newSource(),
        readSync: (index) => values.get(part)![index]!,
        read: (indexes) => Promise.resolve(indexes.map((index) => values.get(part)![index]!)),
      }),
      read: (part) => Promise.resolve(joinBytes(values.get(part)!)),
    },
  );
}

const emptyRoot = <Run>(): Root<Run> => ({ mark: FIRST_TERM_ID, runs: [] });

const rootOp = (keyspace: Keyspace, kind: AnyKind, root: Root<ValueRun>): WriteOp => ({
  type: 'put',
  key: keyspace.key(kind.tags.root),
  value: rootBytes(kind, root),
});

function rootBytes({ form }: AnyKind, { mark, runs }: Root<ValueRun>): Uint8Array {
  const writer = new ByteWriter();
  for (const number of form) writer.varint(number);
  writer.varint(mark).varint(runs.length);
  for (const { entry } of runs) writer.varint(entry.id).varint(entry.from).varint(entry.to).varint(entry.pages);
  return writer.finish().slice();
}

/** What a dictionary has on disk of an index of a kind. */
export async function readRoot<Run extends ValueRun, Part extends string>(
  dictionary: Dictionary,
  kind: ValueKind<Run, Part>,
): Promise<Root<Run>> {
  const { keyspace } = dictionary;
  const stored = await dictionary.indexRoot(kind.tags.root);
  if (stored === undefined) return emptyRoot();
  const reader = new ByteReader(stored);
  for (const number of kind.form) if (reader.varint() !== number) return emptyRoot();
  const mark = reader.varint();
  const runs: Run[] = [];
  for (let count = reader.varint(); count > 0; count--) {
    const [id, from, to, pages] = [reader.varint(), reader.varint(), reader.varint(), reader.varint()];
    runs.push(storedRun(keyspace, kind, { id, from, to, pages }));
  }
  return { mark, runs };
}
