/** One revision of a repository, unchanging for as long as it is open. Close it: it keeps blocks from being deleted. */
import type * as RDF from '@rdfjs/types';
import { StateError } from '@quadrille/model';
import { MISS } from './cache.js';
import { Pacer } from './env.js';
import { DEFAULT_GRAPH, readU32, Tag } from './format.js';
import type { IndexState } from './index/index-state.js';
import type { IdPattern } from './index/orders.js';
import { accessPath, orderedIds } from './index/orders.js';
import { countRows } from './index/batches.js';
import type { MergeScan } from './index/scan.js';
import { QuadReader } from './quad-reader.js';
import { readCheckpoint } from './repository-core.js';
import type { RepositoryCore } from './repository-core.js';
import { deltaRows } from './revision/delta.js';
import { readRecords } from './revision/log.js';
import type { Revision, RevisionRecord } from './revision/record.js';
import { toRevision } from './revision/record.js';
import type { Statistics } from './statistics.js';

/** Terms that a quad must equal; an absent member matches anything. */
export interface TermPattern {
  readonly subject?: RDF.Term | null | undefined;
  readonly predicate?: RDF.Term | null | undefined;
  readonly object?: RDF.Term | null | undefined;
  readonly graph?: RDF.Term | null | undefined;
}

export class Snapshot {
  readonly state: IndexState;
  #closed = false;
  /** Whether this is the newest revision, so that positions alone tell counts. */
  readonly #newest: boolean;

  constructor(
    readonly core: RepositoryCore,
    readonly record: RevisionRecord,
  ) {
    this.state = core.state;
    this.state.retain();
    this.#newest = record.number === core.published.number;
  }

  get number(): number {
    return this.record.number;
  }

  get revision(): Revision {
    return toRevision(this.record);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.state.release();
  }

  #check(): void {
    if (this.#closed) throw new StateError('SNAPSHOT_CLOSED', 'this snapshot is closed: take a new one');
  }

  /** The rows that match, in the order of {@link accessPath}. The caller closes it. */
  scan(pattern: IdPattern): MergeScan {
    this.#check();
    return this.state.scan(pattern, this.number);
  }

  /** The ids of a pattern; `undefined` if the repository does not have one of its terms, so that nothing matches. */
  async ids(pattern: TermPattern): Promise<IdPattern | undefined> {
    const known = this.tryIds(pattern);
    if (known !== MISS) return known;
    const { encoder } = this.core;
    for (const term of [pattern.subject, pattern.predicate, pattern.object, pattern.graph])
      if (term) await encoder.encode(term);
    return this.ids(pattern);
  }

  /** As {@link ids}, or {@link MISS} where something has to be fetched. */
  tryIds(pattern: TermPattern): IdPattern | undefined | typeof MISS {
    const { encoder } = this.core;
    const s = pattern.subject ? encoder.tryEncode(pattern.subject) : 0;
    const p = pattern.predicate ? encoder.tryEncode(pattern.predicate) : 0;
    const o = pattern.object ? encoder.tryEncode(pattern.object) : 0;
    const g = pattern.graph ? encoder.tryEncode(pattern.graph) : 0;
    if (s === MISS || p === MISS || o === MISS || g === MISS) return MISS;
    if ((pattern.subject && s === 0) || (pattern.predicate && p === 0)) return undefined;
    if ((pattern.object && o === 0) || (pattern.graph && g === 0)) return undefined;
    return { s, p, o, g };
  }

  /** Quads of ids that match, as RDF/JS quads in batches. The caller closes it. */
  read(pattern: IdPattern): QuadReader {
    const { decoder, env } = this.core;
    return new QuadReader(decoder, this.scan(pattern), accessPath(pattern).order, new Pacer(env));
  }

  /** How many quads match. Exact; O(log n) where the pattern is a prefix of an index and the revision the newest. */
  async count(pattern: IdPattern): Promise<number> {
    this.#check();
    if (pattern.s === 0 && pattern.p === 0 && pattern.o === 0 && pattern.g === 0) return this.record.size;
    if (this.#newest) {
      for (;;) {
        const count = this.state.countNewest(pattern, this.number);
        if (count === undefined) break;
        if (count !== MISS) return count;
        await this.#fetchBounds(pattern);
      }
    } else if (pattern.s === 0 && pattern.o === 0 && (pattern.p === 0) !== (pattern.g === 0)) {
      const statistics = await this.statistics();
      return (pattern.p !== 0 ? statistics.predicates.get(pattern.p) : statistics.graphs.get(pattern.g)) ?? 0;
    }
    return countRows(this.scan(pattern), new Pacer(this.core.env));
  }

  // Brings in the blocks where the range begins and ends.
  async #fetchBounds(pattern: IdPattern): Promise<void> {
    const run = this.state.blocked!;
    const path = accessPath(pattern);
    const ids = orderedIds(path.order, pattern);
    const blocks = [false, true]
      .map((after) => run.boundaryBlock(ids, path.prefix, after))
      .filter((block) => block >= 0);
    await run.cache.fetch(run.source, blocks);
  }

  /** Ids of the named graphs that hold a quad, ascending. */
  async *graphs(): AsyncGenerator<number> {
    const statistics = await this.statistics();
    for (const graph of [...statistics.graphs.keys()].sort((x, y) => x - y)) if (graph !== DEFAULT_GRAPH) yield graph;
  }

  /** Quads by predicate and by graph at this revision. */
  async statistics(): Promise<Statistics> {
    this.#check();
    const { core } = this;
    const range = { gte: core.space.key(Tag.statistics, 0), lt: core.space.key(Tag.statistics, this.number + 1) };
    let checkpoint = 1;
    for await (const chunk of core.space.engine.range({ ...range, reverse: true, limit: 1 }, { read: 'keys' })) {
      for (const { key } of chunk) checkpoint = readU32(key, 6);
    }
    const statistics = await readCheckpoint(core.space, checkpoint);
    if (checkpoint === this.number) return statistics;
    for await (const record of readRecords(core.space, checkpoint + 1, this.number)) {
      for (const side of ['added', 'removed'] as const) {
        for await (const { columns, start, end } of deltaRows(core.space, record, side)) {
          statistics.apply({ p: columns[1], g: columns[3], length: end }, side === 'added' ? 1 : -1, start, end);
        }
      }
    }
    return statistics;
  }
}
