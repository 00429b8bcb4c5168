/**
 * Verifies the invariants I1 to I10 of a repository while it is in use. Reads all data once per index. Reports
 * problems instead of throwing.
 */
import type { PayloadRun } from '../index/run/run.js';
import { QuadrilleError } from '@quadrille/model';
import { equalBytes } from '../format/byte-codec.js';
import { Pacer } from '../runtime/env.js';
import { DEFAULT_GRAPH, FIRST_INLINE_ID, FIRST_TERM_ID, FOREVER, Tag } from '../format/layout.js';
import { ORDERS, SPOG } from '../index/orders.js';
import type { Order } from '../index/orders.js';
import type { Timeline } from '../timeline/timeline.js';
import { Digest } from '../format/digest.js';
import { deltaRows, numberOf } from '../revision/delta.js';
import { sumsOfCopies, ownIntervals, IntervalSums } from './interval-sums.js';
import { readRecord, readRecords } from '../revision/log.js';
import type { RevisionRecord } from '../revision/record.js';
import { baseOf, isSquash } from '../revision/record.js';
import { Snapshot } from '../read/snapshot.js';
import { Statistics } from '../index/statistics.js';
import { TrimmedNumbers } from '../revision/trimmed-numbers.js';
import { checkTerm } from './term-check.js';
import { findStrayRuns } from '../maintenance/stray-runs.js';
import { TwiceStored } from './twice-stored.js';

/**
 * Damage that a verification has found.
 * @since 0.1.0
 */
export interface VerifyProblem {
  /** A code of `docs/reference/errors.md`, mostly of damaged data. */
  readonly code: string;
  /** The fault. */
  readonly message: string;
  /** The part that is damaged: an index, a revision, the dictionary. */
  readonly where: string;
}

/**
 * What a verification has checked and found.
 * @since 0.1.0
 */
export interface VerifyReport {
  /** Whether there are no problems. */
  readonly ok: boolean;
  /** Number of checked items, by kind. */
  readonly checked: Readonly<Record<string, number>>;
  /** The damage that was found, in the order of the checks. */
  readonly problems: readonly VerifyProblem[];
}

class Verification {
  readonly problems: VerifyProblem[] = [];
  readonly checked: Record<string, number> = { revisions: 0, quads: 0, intervals: 0, terms: 0, blocks: 0 };
  readonly #pacer: Pacer;
  readonly #logSums = new IntervalSums();
  readonly #payloadRuns = new Set<number>();
  readonly #twice: TwiceStored;

  constructor(
    private readonly timeline: Timeline,
    private readonly snapshot: Snapshot,
  ) {
    this.#pacer = new Pacer(timeline.env);
    this.#twice = new TwiceStored(snapshot, this.#pacer);
  }

  /** Runs a check. An error becomes a problem of the report, and the other checks go on. */
  async attempt(where: string, check: () => Promise<void>): Promise<void> {
    try {
      await check();
    } catch (error) {
      // A deleted repository or a closed store ends the whole verification.
      this.snapshot.check();
      if (!(error instanceof QuadrilleError)) throw error;
      this.problem(error.code, error.message, where);
    }
  }

  problem(code: string, message: string, where: string): void {
    if (this.problems.length < 1000)
      this.problems.push({ code, message, where: `${this.timeline.keyspace.title} ${where}` });
  }

  /** The words of the index are those of the literals. */
  async texts(): Promise<void> {
    const text = (await this.timeline.readSettings()).search?.text;
    if (text === undefined) return;
    await this.values(Tag.textPart);
    const { checkTexts } = await import('../texts.js');
    this.checked['words'] = await checkTexts(this.timeline.dictionary, text.fold ?? 'case', this.#pacer);
  }

  /** The values of the index of order are those of the literals. */
  async valueOrder(): Promise<void> {
    const { dictionary, keyspace } = this.timeline;
    if (dictionary.orderIndex === undefined && (await keyspace.get(Tag.orderIndex)) === undefined) return;
    await this.values(Tag.orderPart);
    const { checkOrder } = await import('../values/check-order.js');
    this.checked['values'] = await checkOrder(dictionary, this.#pacer);
  }

  /** The vectors of the indexes are those of the literals. */
  async vectors(): Promise<void> {
    const vectors = (await this.timeline.readSettings()).search?.vectors;
    if (vectors === undefined) return;
    const { dictionary } = this.timeline;
    const { checkEmbeddings, checkVectors, VectorIndexes } = await import('../read/vectors.js');
    const indexes = await VectorIndexes.open(dictionary, vectors);
    let count = 0;
    for (const index of indexes.all) count += await checkVectors(dictionary, index, this.#pacer);
    for (const each of indexes.allEmbedded) count += await checkEmbeddings(dictionary, each, this.#pacer);
    this.checked['vectors'] = count;
  }

  // I1, I2, I3: the log has no gap, its digest chain is intact, its counts match its deltas, and the head is its last
  // record.
  async log(): Promise<void> {
    const { keyspace, firstOwn } = this.timeline;
    let size = firstOwn === 1 ? 0 : (await readRecord(keyspace, firstOwn - 1)).size;
    // With the record on which a line begins, so that the link to it is checked.
    for await (const record of readRecords(keyspace, Math.max(1, firstOwn - 1), this.snapshot.number, true)) {
      if (record.number < firstOwn) continue;
      await this.#removed(record);
      this.checked['revisions']!++;
      await this.#delta(record);
      size += record.addedCount - record.removedCount;
      if (size !== record.size) {
        this.problem(
          'LOG_BROKEN',
          `the record of revision ${record.number} has a size of ${record.size} quads; the deltas add up to ${size}`,
          `revision ${record.number}`,
        );
        size = record.size;
      }
      if (this.#pacer.due()) await this.#pacer.pause();
    }
  }

  // The numbers before a squash are noted as removed.
  async #removed(record: RevisionRecord): Promise<void> {
    const first = baseOf(record) + 1;
    const { number } = record;
    if (first === number || (await TrimmedNumbers.at(this.timeline.keyspace, first)).next(first) === number) return;
    const problem = `revisions ${first} to ${number - 1} are missing, and not all of them are noted as removed`;
    this.problem('LOG_BROKEN', problem, `revision ${number}`);
  }

  async #delta(record: RevisionRecord): Promise<void> {
    let added = 0;
    let removed = 0;
    const squash = isSquash(record);
    for (const side of ['added', 'removed'] as const) {
      for (const run of record.payload?.[side] ?? []) await this.#payload(run);
      for await (const { columns, start, end } of deltaRows(this.timeline.keyspace, record, side)) {
        const [s, p, o, g, from, to] = columns;
        for (let i = start; i < end; i++) {
          const at = squash ? numberOf(record, (side === 'added' ? from : to)[i]!) : record.number;
          if (side === 'added') this.#logSums.begun.add(s[i]!, p[i]!, o[i]!, g[i]!, at, 0);
          else this.#logSums.ended.add(s[i]!, p[i]!, o[i]!, g[i]!, from[i]!, at);
        }
        if (side === 'added') added += end - start;
        else removed += end - start;
        if (this.#pacer.due()) await this.#pacer.pause();
      }
    }
    // An interval that was handed over is on both sides of the delta and counts on neither.
    if (added - removed !== record.addedCount - record.removedCount || added < record.addedCount) {
      this.problem(
        'LOG_BROKEN',
        `the delta of revision ${record.number} has ${added} additions and ${removed} removals, its record counts ${record.addedCount} and ${record.removedCount}`,
        `revision ${record.number}`,
      );
    }
  }

  async #payload(payload: PayloadRun): Promise<void> {
    this.#payloadRuns.add(payload.run);
    const digest = new Digest();
    const { keyspace } = this.timeline;
    const range = { gte: keyspace.key(Tag.block, payload.run), lt: keyspace.key(Tag.block, payload.run + 1) };
    for await (const chunk of keyspace.range(range, { read: 'values' })) {
      for (const { value } of chunk) digest.update(value);
      if (this.#pacer.due()) await this.#pacer.pause();
    }
    if (!equalBytes(digest.finish(), payload.digest)) {
      this.problem(
        'LOG_BROKEN',
        `the digest of run ${payload.run} differs from the one in the log`,
        `run ${payload.run}`,
      );
    }
  }

  // I4, I5: every block can be read, and every order has the intervals of the log. I7: the statistics match the
  // quads.
  async order(order: Order): Promise<void> {
    const sums = new IntervalSums();
    const named = new IntervalSums();
    const { base } = this.timeline;
    const statistics =
      base === undefined ? new Statistics() : (await base.timeline.revisionStatistics.read(base.fork)).copy();
    let quads = base === undefined ? 0 : (await readRecord(this.timeline.keyspace, base.fork)).size;
    const count = (p: number, g: number, sign: 1 | -1): void => {
      quads += sign;
      if (order === SPOG) statistics.apply({ p: Uint32Array.of(p), g: Uint32Array.of(g), length: 1 }, sign);
    };
    const twice = order === SPOG ? this.#twice : undefined;
    for await (const { begins, ids, from, to } of ownIntervals(this.snapshot, order, this.#pacer)) {
      const [s, p, o, g] = ids;
      const looks = begins ? twice?.take(ids, from, to) : undefined;
      if (looks !== undefined) await looks;
      for (const sum of g === DEFAULT_GRAPH ? [sums] : [sums, named]) {
        if (begins) sum.begun.add(s, p, o, g, from, 0);
        if (to !== FOREVER) sum.ended.add(s, p, o, g, from, to);
      }
      if (begins && to === FOREVER) count(p, g, 1);
      if (!begins && to !== FOREVER) count(p, g, -1);
      if (order === SPOG) this.checked['intervals']!++;
    }
    this.checked['blocks']! += this.snapshot.index.runs.reduce(
      (sum, run) => sum + (run.entry.order === order ? run.blocks : 0),
      0,
    );
    if (order === SPOG) {
      this.checked['quads'] = base === undefined ? quads : 0;
      this.#named = named;
      await this.#noneTwice();
      await this.#compareCounts(quads, statistics);
    }
    this.#compareSums(order, sums);
    const copied = await sumsOfCopies(this.timeline, order, this.#pacer);
    if (copied === undefined || copied.copies === copied.base) return;
    this.problem(
      'INDEX_DISAGREES',
      `index ${order.name} has copies of ${copied.copies} quads of the base; the base has ${copied.base}`,
      `index ${order.name}`,
    );
  }

  #named = new IntervalSums();

  // I4: the intervals of a quad do not overlap.
  async #noneTwice(): Promise<void> {
    await this.#twice.end();
    const { count, first } = this.#twice;
    if (count > 0)
      this.problem(
        'INDEX_DISAGREES',
        `${count} quads are stored twice, the first one with the ids ${first.join(' ')}. Export the branch, and load it into a new repository`,
        'index spog',
      );
  }

  close(): void {
    this.#twice.close();
    this.snapshot.close();
  }

  #compareSums(order: Order, sums: IntervalSums): void {
    const expected = order.namedOnly ? this.#named : this.#logSums;
    for (const side of ['begun', 'ended'] as const) {
      if (`${sums[side]}` === `${expected[side]}`) continue;
      this.problem(
        'INDEX_DISAGREES',
        `index ${order.name} has ${sums[side]} ${side} intervals; ${order.namedOnly ? 'index spog' : 'the log'} has ${expected[side]}`,
        `index ${order.name}`,
      );
    }
  }

  async #compareCounts(quads: number, recounted: Statistics): Promise<void> {
    if (quads !== this.snapshot.record.size) {
      this.problem(
        'INDEX_DISAGREES',
        `the index has ${quads} quads; the head has a size of ${this.snapshot.record.size}`,
        'index spog',
      );
    }
    const kept = await this.snapshot.timeline.revisionStatistics.read(this.snapshot.number);
    for (const what of ['predicates', 'graphs'] as const) {
      for (const id of new Set([...kept[what].keys(), ...recounted[what].keys()])) {
        if (kept[what].get(id) === recounted[what].get(id)) continue;
        this.problem(
          'INDEX_DISAGREES',
          `the statistics of ${what} have ${kept[what].get(id)} quads for id ${id}; the index has ${recounted[what].get(id)}`,
          'statistics',
        );
      }
    }
  }

  // I6: every id in use has a term, and the text of every term leads to its id.
  async dictionary(): Promise<void> {
    const used = await this.#usedIds();
    const { dictionary } = this.timeline;
    const { nextId } = dictionary.root;
    const isMain = this.timeline.base === undefined;
    for (let id = FIRST_TERM_ID; id < nextId; id++) {
      const inUse = (used[id >>> 3]! & (1 << (id & 7))) !== 0;
      // The terms that no line uses are checked once, with `main`.
      if (!inUse && !isMain) continue;
      const { exists, problem } = await checkTerm(dictionary, id, inUse);
      if (exists && isMain) this.checked['terms']!++;
      if (problem !== undefined) {
        // A deleted repository or a closed store ends the whole verification.
        this.snapshot.check();
        this.problem(problem.code, problem.message, `term ${id}`);
      }
      if (id % 64 === 0 && this.#pacer.due()) await this.#pacer.pause();
    }
  }

  async #usedIds(): Promise<Uint8Array> {
    const used = new Uint8Array((this.timeline.dictionary.nextId >>> 3) + 1);
    for await (const { ids } of ownIntervals(this.snapshot, SPOG, this.#pacer)) {
      for (const id of ids) {
        if (id >= FIRST_INLINE_ID) continue;
        if (id >= this.timeline.dictionary.nextId)
          this.problem('UNKNOWN_ID', `id ${id} is above all ids of the dictionary`, 'index spog');
        used[id >>> 3]! |= 1 << (id & 7);
      }
    }
    return used;
  }

  // I9: the manifest, the log or a running job names every run in the storage.
  async runs(): Promise<void> {
    for (const run of await findStrayRuns(this.timeline, this.#payloadRuns, this.snapshot.number)) {
      this.problem(
        'INDEX_DISAGREES',
        `run ${run} is in the storage, but neither the manifest nor the log names it`,
        `run ${run}`,
      );
    }
  }

  // Reads the values that the other checks do not read completely. Reading a value verifies its checksum.
  async values(tag: number): Promise<void> {
    const range = this.timeline.keyspace.tagRange(tag);
    for await (const chunk of this.timeline.keyspace.range(range, { read: 'values' })) {
      this.checked['values'] = (this.checked['values'] ?? 0) + chunk.length;
      if (this.#pacer.due()) await this.#pacer.pause();
    }
  }

  // I10: every tag holds a revision id.
  async tags(): Promise<void> {
    for await (const { rest, value } of this.timeline.keyspace.entries(Tag.tag)) {
      if (value.length !== 16)
        this.problem(
          'INDEX_DISAGREES',
          'the value of the tag is not a revision id',
          `tag ${new TextDecoder().decode(rest)}`,
        );
    }
  }
}

/**
 * Verifies a line at its published head: `main` with the terms, tags and namespaces of the repository, another one with
 * its own revisions and rows. Reads and writes go on meanwhile.
 */
export async function verifyLine(timeline: Timeline): Promise<VerifyReport> {
  for (;;) {
    const { rewrites } = timeline;
    const report = await verifyOnce(timeline);
    // The indexes were read as they were before a trim, and the log as it was after it.
    if (report.ok || rewrites === timeline.rewrites) return report;
  }
}

async function verifyOnce(timeline: Timeline): Promise<VerifyReport> {
  const snapshot = new Snapshot(timeline, timeline.published);
  const verification = new Verification(timeline, snapshot);
  try {
    await verification.attempt('log', () => verification.log());
    for (const order of ORDERS) await verification.attempt(`index ${order.name}`, () => verification.order(order));
    await verification.attempt('dictionary', () => verification.dictionary());
    await verification.attempt('runs', () => verification.runs());
    await verification.attempt('statistics', () => verification.values(Tag.statistics));
    await verification.attempt('removed revisions', () => verification.values(Tag.trimmed));
    if (timeline.base === undefined) {
      await verification.attempt('tags', () => verification.tags());
      await verification.attempt('hash pages', () => verification.values(Tag.hashPage));
      await verification.attempt('namespaces', () => verification.values(Tag.namespace));
      await verification.attempt('settings', () => verification.values(Tag.settings));
      await verification.attempt('index of words', () => verification.texts());
      await verification.attempt('index of order', () => verification.valueOrder());
      await verification.attempt('index of vectors', () => verification.vectors());
    }
  } finally {
    verification.close();
  }
  const { problems, checked } = verification;
  return { ok: problems.length === 0, checked, problems };
}
