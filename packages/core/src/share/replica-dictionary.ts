/** The dictionary of another thread as of one session. It assigns no ids. */
import { Dictionary } from '../dictionary/dictionary.js';
import { hashHigh, hashLow, hashTerm } from '../dictionary/hash.js';
import { HashRun } from '../dictionary/hash-run.js';
import { Tag } from '../format/layout.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { DictionaryDescription, HashRunDescription } from './session-description.js';

export class ReplicaDictionary extends Dictionary {
  #blocksNumber: number;
  #encoder: number;
  #order: Uint8Array | undefined;

  constructor(keyspace: Keyspace, { nextId, blockMark, seed, blocks, encoder }: DictionaryDescription) {
    super(keyspace, { nextId, blockMark, seed, nextRun: 0, runs: [] });
    this.#blocksNumber = blocks;
    this.#encoder = encoder;
  }

  /** The root of the session. Runs that the storage names since may be deleted while the session reads. */
  override async indexRoot(tag: number): Promise<Uint8Array | undefined> {
    return tag === Tag.orderIndex ? this.#order : undefined;
  }

  /** Brings it to the state of a session. */
  update({ nextId, blockMark, seed, blocks, encoder, hashRuns, order, tail }: DictionaryDescription): void {
    const had = new Map(this.root.runs.map((run) => [run.entry.id, run]));
    const runs = hashRuns.map((run) => had.get(run.id) ?? this.#openRun(run));
    this.root = { nextId, blockMark, seed, nextRun: 0, runs };
    if (blocks !== this.#blocksNumber) this.forgetBlocks();
    // What was made of its terms may be of others now.
    const isSame = blocks === this.#blocksNumber && encoder === this.#encoder && areEqual(order, this.#order);
    if (!isSame) this.orderIndex = undefined;
    this.#order = order;
    this.#encoder = encoder;
    this.#blocksNumber = blocks;
    if (tail.anew) this.resetTail();
    for (let i = 0, start = 0; i < tail.ids.length; start = tail.ends[i++]!) {
      const end = tail.ends[i]!;
      hashTerm(tail.texts, start, end, seed);
      this.addTail(tail.ids[i]!, tail.texts, start, end, hashHigh, hashLow);
    }
  }

  #openRun({ id, entries, fences }: HashRunDescription): HashRun {
    if (fences === undefined) throw new Error(`the hash run ${id} was never described`);
    return new HashRun(this.keyspace, { id, entries, fences });
  }

  /** A term that the hash runs of the session name may have been dropped since: no revision uses it. */
  override tryMatches(id: number, bytes: Uint8Array, start: number, end: number): number {
    return this.tryEntryIfAny(id) === null ? 0 : super.tryMatches(id, bytes, start, end);
  }
}

const areEqual = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one?.length === other?.length && one?.every((byte, at) => byte === other![at]) !== false;
