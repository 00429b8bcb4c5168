/**
 * Finds the terms that no revision uses and deletes them. Writers go on meanwhile. They are kept out only for the
 * moment in which the terms leave the hash runs.
 */
import { combinedRun, flushTerms, replaceHashRuns } from '../dictionary/dictionary-flush.js';
import type { Dictionary } from '../dictionary/dictionary.js';
import { componentsOf, dropInBlocks, dropInTail, findUnused, IdSet } from '../dictionary/drop-terms.js';
import { TermEncoder } from '../dictionary/term-encoder.js';
import type { Pacer } from '../runtime/env.js';
import { FIRST_INLINE_ID, FIRST_TERM_ID, TERM_BLOCK_IDS } from '../format/layout.js';
import { SPOG } from '../index/orders.js';
import { dropEmbeddings, forgetValues } from '../values/no-values.js';
import { IndexVersion } from '../index/index-version.js';
import type { Timeline } from '../timeline/timeline.js';
import type { RepositoryHandle } from '../open/handle.js';
import { deltaRows } from '../revision/delta.js';
import { intervals } from '../index/read/intervals.js';
import { readRecords } from '../revision/log.js';

/** How long the deletion waits for a moment without writers, in milliseconds. */
const PATIENCE_MS = 1000;

/**
 * Deletes unused terms, under the maintenance lock. Does nothing if writers are always at work, or if one
 * of them uses such a term again.
 */
export async function dropUnusedTerms(timeline: Timeline, lines: AllLines, pacer: Pacer): Promise<void> {
  timeline.maintenance.assertHeld();
  const { dictionary } = timeline;
  await dictionary.lock.run(async () => {
    if (dictionary.tail.size > 0) await flushTerms(dictionary, pacer);
  });
  const { runs, blockMark } = dictionary.root;
  const used = new UsedTerms(lines, dictionary, blockMark, pacer);
  await used.collect();
  const unused = await findUnused(dictionary, used.ids, pacer);
  if (unused.count === 0) return;
  await used.catchUp();
  const { revived } = used;
  const rest = await combinedRun(dictionary, runs, pacer, used.ids);
  await used.catchUp();
  let hidden = false;
  const hide = async (): Promise<void> => {
    await used.catchUp();
    // Newer triple terms can contain older terms, and their hashes are in newer runs.
    if (used.revived !== revived || dictionary.root.runs !== runs) return;
    timeline.checkWritable();
    // The terms leave the hash runs first, and their texts are deleted later. A crash in between leaves texts without
    // a hash, but never a hash without a text.
    await replaceHashRuns(dictionary, runs, rest);
    await dropInTail(dictionary, used.ids);
    // The old encoder caches ids of deleted terms.
    timeline.encoder = new TermEncoder(dictionary);
    hidden = true;
  };
  const { changes, env } = timeline;
  const end = env.ticks() + PATIENCE_MS;
  while (await changes.quiet(end - env.ticks())) if (await changes.alone(() => dictionary.lock.run(hide))) break;
  const blocks = unused.blocks.filter((block) => block < blockMark / TERM_BLOCK_IDS);
  if (!hidden) return;
  await dropEmbeddings(dictionary, used.ids);
  await forgetValues(dictionary);
  await dropInBlocks(dictionary, blocks, used.ids, { env, pacer });
}

/** Whether the dictionary has a text for the id. Inlined ids and the default graph have none. */
const hasText = (id: number): boolean => id >= FIRST_TERM_ID && id < FIRST_INLINE_ID;

/** The handles of all lines that there are when it is called. They stay in memory. */
type AllLines = () => Promise<readonly RepositoryHandle[]>;

/** The ids that revisions of all lines use, up to the published ones. */
class UsedTerms {
  readonly ids: IdSet;
  /** Number of old terms that came into use during the search. */
  revived = 0;
  readonly #upTo = new Map<RepositoryHandle, number>();
  #fresh: number[] = [];

  constructor(
    private readonly lines: AllLines,
    private readonly dictionary: Dictionary,
    /** Terms with ids from here on are new and stay. */
    private readonly mark: number,
    private readonly pacer: Pacer,
  ) {
    this.ids = new IdSet(dictionary.nextId);
  }

  /** Collects the ids in the quads of all revisions so far, without the components of triple terms. */
  async collect(): Promise<void> {
    for (const handle of await this.lines()) await this.#collectLine(handle);
  }

  async #collectLine(handle: RepositoryHandle): Promise<void> {
    const { timeline } = handle;
    const { number } = timeline.published;
    // The lines below are collected by themselves.
    const own = new IndexVersion(timeline.index.runs, timeline.index.memtables);
    try {
      for await (const { ids } of intervals(own, SPOG, number, this.pacer)) {
        for (const id of ids) if (hasText(id)) this.ids.add(id);
      }
      this.#upTo.set(handle, number);
    } finally {
      own.supersede();
    }
  }

  /** Collects the ids of later revisions, with the components of triple terms. */
  async catchUp(): Promise<void> {
    for (const handle of await this.lines()) await this.#catchUpLine(handle);
  }

  async #catchUpLine(handle: RepositoryHandle): Promise<void> {
    const { timeline } = handle;
    const { pacer } = this;
    const { number } = timeline.published;
    const upTo = this.#upTo.get(handle) ?? timeline.firstOwn - 1;
    if (number === upTo) return;
    for await (const record of readRecords(timeline.keyspace, upTo + 1, number)) {
      for await (const { columns, start, end } of deltaRows(timeline.keyspace, record, 'added')) {
        for (let column = 0; column < 4; column++) {
          const ids = columns[column]!;
          for (let i = start; i < end; i++) this.#add(ids[i]!);
        }
        await this.#addComponents();
        if (pacer.due()) await pacer.pause();
      }
    }
    this.#upTo.set(handle, number);
  }

  #add(id: number): void {
    if (!hasText(id) || this.ids.has(id)) return;
    this.ids.add(id);
    if (id < this.mark) this.revived++;
    this.#fresh.push(id);
  }

  async #addComponents(): Promise<void> {
    for (let id = this.#fresh.pop(); id !== undefined; id = this.#fresh.pop()) {
      let entry = this.dictionary.tryEntry(id);
      while (entry === undefined) {
        await this.dictionary.fetchMissing();
        entry = this.dictionary.tryEntry(id);
      }
      for (const part of componentsOf(entry)) this.#add(part);
    }
  }
}
