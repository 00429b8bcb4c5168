/**
 * Stages the changes of a patch one after the other in a transaction. Each of them must have an effect: what is added must be
 * absent, what is deleted present, counting the changes before it.
 */
import type { IdColumns, QuadSeeker, StagedTransaction } from '@quadrille/core';
import { ConflictError, printTerm } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';

/** A row `A` or `D`. */
export interface PatchChange {
  readonly added: boolean;
  readonly quad: RDF.Quad;
  readonly line: number;
}

/** A quad as ids, and whether it is there before and after the changes so far. */
interface Touched {
  readonly ids: readonly [number, number, number, number];
  readonly before: boolean;
  after: boolean;
}

/** The total effect of several changes. */
interface Net {
  readonly added: IdColumns;
  readonly removed: IdColumns;
}

/** Largest number of changes that are staged together, and size of their terms in UTF-16 units: a few milliseconds of work. */
const BATCH_CHANGES = 512;
const BATCH_LENGTH = 256 * 1024;
/** With more predicates the patch depends on every commit beside it. */
const MOST_PREDICATES = 4096;

export class PatchStage {
  readonly #transaction: StagedTransaction;
  /** The name of the patch and a colon, for messages. */
  readonly #source: string;
  #waiting: PatchChange[] = [];
  #length = 0;
  readonly #predicates = new Set<string>();
  /** The place among the waiting changes at which the open block begins. */
  #blockStart: number | undefined;
  /** The changes of the open block in earlier batches. */
  #blockNets: Net[] = [];

  constructor(transaction: StagedTransaction, sourceName: string | undefined) {
    this.#transaction = transaction;
    this.#source = sourceName === undefined ? 'line ' : `${sourceName}:`;
  }

  /** @throws ConflictError `PATCH_CONFLICT` with `line`, for this change or an earlier one */
  async add(change: PatchChange): Promise<void> {
    this.#waiting.push(change);
    this.#length += change.quad.object.value.length;
    if (this.#waiting.length >= BATCH_CHANGES || this.#length >= BATCH_LENGTH) await this.finish();
  }

  /** A block begins, which {@link abort} drops. */
  begin(): void {
    this.#blockStart = this.#waiting.length;
  }

  /** The block is over and stays. */
  commit(): void {
    this.#blockStart = undefined;
    this.#blockNets = [];
  }

  /** The block is over, and none of its changes counts. Those that were not staged yet are not checked either. */
  async abort(): Promise<void> {
    this.#waiting.length = this.#blockStart ?? 0;
    for (const { added, removed } of this.#blockNets.toReversed()) {
      await this.#transaction.removeIds(added);
      await this.#transaction.addIds(removed);
    }
    this.commit();
  }

  /** Stages what waits. @throws ConflictError `PATCH_CONFLICT` */
  async finish(): Promise<void> {
    const changes = this.#waiting;
    const inBlock = this.#blockStart;
    this.#waiting = [];
    this.#length = 0;
    if (inBlock === undefined) {
      await this.#stage(changes);
      return;
    }
    this.#blockStart = 0;
    await this.#stage(changes.slice(0, inBlock));
    this.#blockNets.push(await this.#stage(changes.slice(inBlock)));
  }

  async #stage(changes: readonly PatchChange[]): Promise<Net> {
    if (changes.length === 0) return netOf([]);
    const transaction = this.#transaction;
    await transaction.beginReading(this.#predicatesOf(changes));
    const seeker = transaction.reads.seeker({ s: true, p: true, o: true, g: true });
    const touched = new Map<string, Touched>();
    try {
      for (const change of changes) {
        const ids = await this.#idsOf(change.quad);
        const key = ids.join(' ');
        let quad = touched.get(key);
        if (quad === undefined) {
          const before = await isThere(seeker, ids);
          touched.set(key, (quad = { ids, before, after: before }));
        }
        if (quad.after === change.added) throw this.#conflict(change);
        quad.after = change.added;
      }
    } finally {
      seeker.close();
    }
    const net = netOf([...touched.values()]);
    await transaction.addIds(net.added);
    await transaction.removeIds(net.removed);
    return net;
  }

  /** The predicates of all quads that are looked for: commits that change quads with other ones can come first. */
  #predicatesOf(changes: readonly PatchChange[]): RDF.Term[] | undefined {
    const all = this.#predicates;
    const distinct = new Map<string, RDF.Term>();
    for (const { quad } of changes) distinct.set(quad.predicate.value, quad.predicate);
    if (all.size <= MOST_PREDICATES) for (const value of distinct.keys()) all.add(value);
    return all.size > MOST_PREDICATES ? undefined : [...distinct.values()];
  }

  async #idsOf({ subject, predicate, object, graph }: RDF.Quad): Promise<Touched['ids']> {
    return [
      await this.#intern(subject),
      await this.#intern(predicate),
      await this.#intern(object),
      await this.#intern(graph),
    ];
  }

  /** A term that the repository lacks gets an id of the transaction. Returns a promise only if something must be fetched. */
  #intern(term: RDF.Term): number | Promise<number> {
    const { terms } = this.#transaction;
    const id = terms.intern(term);
    return id >= 0 ? id : terms.fetch().then(() => this.#intern(term));
  }

  #conflict({ added, quad, line }: PatchChange): ConflictError {
    const terms = [quad.subject, quad.predicate, quad.object, quad.graph]
      .filter(({ termType }) => termType !== 'DefaultGraph')
      .map((term) => printTerm(term));
    const reason = added ? 'the quad to add is there already' : 'the quad to delete is not there';
    return new ConflictError('PATCH_CONFLICT', `${this.#source}${String(line)}: ${reason}: ${terms.join(' ')}`, {
      details: { line },
    });
  }
}

async function isThere(seeker: QuadSeeker, [s, p, o, g]: Touched['ids']): Promise<boolean> {
  seeker.seek(s, p, o, g);
  for (;;) {
    const rows = seeker.next();
    if (rows >= 0) return rows > 0;
    await seeker.fetch();
  }
}

function netOf(quads: readonly Touched[]): Net {
  const changed = quads.filter(({ before, after }) => before !== after);
  const [added, removed] = [changed.filter(({ after }) => after), changed.filter(({ before }) => before)];
  return { added: columnsOf(added), removed: columnsOf(removed) };
}

function columnsOf(quads: readonly Touched[]): IdColumns {
  const column = (place: 0 | 1 | 2 | 3): Uint32Array => Uint32Array.from(quads, ({ ids }) => ids[place]);
  return { s: column(0), p: column(1), o: column(2), g: column(3), length: quads.length };
}
