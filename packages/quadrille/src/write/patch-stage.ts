/**
 * Stages the changes of a patch one after the other in a transaction. Each of them must have an effect: what is added must be
 * absent, what is deleted present, counting the changes before it.
 */
import type { IdColumns, StagedTransaction } from '@quadrille/core';
import { ConflictError, printTerm } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';

/** A row `A` or `D`. */
export interface PatchChange {
  readonly added: boolean;
  readonly quad: RDF.Quad;
  readonly line: number;
}

type Ids = readonly [number, number, number, number];

/** A quad as ids, and whether it is there before and after the changes so far. */
interface Touched {
  readonly ids: Ids;
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

  /** Returns `undefined` if nothing is staged yet. @throws ConflictError `PATCH_CONFLICT` with `line`, for this change or an earlier one */
  add(change: PatchChange): Promise<void> | undefined {
    this.#waiting.push(change);
    this.#length += change.quad.object.value.length;
    return this.#waiting.length >= BATCH_CHANGES || this.#length >= BATCH_LENGTH ? this.finish() : undefined;
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
        let ids = this.#idsOf(change.quad);
        for (; ids === undefined; ids = this.#idsOf(change.quad)) await transaction.terms.fetch();
        const key = `${ids[0]} ${ids[1]} ${ids[2]} ${ids[3]}`;
        let quad = touched.get(key);
        if (quad === undefined) {
          seeker.seek(...ids);
          let rows = seeker.next();
          for (; rows < 0; rows = seeker.next()) await seeker.fetch();
          touched.set(key, (quad = { ids, before: rows > 0, after: rows > 0 }));
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

  /** A term that the repository lacks gets an id of the transaction. Returns `undefined` if something must be fetched first. */
  #idsOf({ subject, predicate, object, graph }: RDF.Quad): Ids | undefined {
    const { terms } = this.#transaction;
    const s = terms.intern(subject);
    const p = s < 0 ? s : terms.intern(predicate);
    const o = p < 0 ? p : terms.intern(object);
    const g = o < 0 ? o : terms.intern(graph);
    return g < 0 ? undefined : [s, p, o, g];
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

function netOf(quads: readonly Touched[]): Net {
  const changed = quads.filter(({ before, after }) => before !== after);
  const [added, removed] = [changed.filter(({ after }) => after), changed.filter(({ before }) => before)];
  return { added: columnsOf(added), removed: columnsOf(removed) };
}

function columnsOf(quads: readonly Touched[]): IdColumns {
  const column = (place: 0 | 1 | 2 | 3): Uint32Array => Uint32Array.from(quads, ({ ids }) => ids[place]);
  return { s: column(0), p: column(1), o: column(2), g: column(3), length: quads.length };
}
