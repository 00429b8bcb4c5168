/**
 * The predicates that the newest commits have changed. An update whose patterns read other predicates is not
 * evaluated again because of these commits.
 */
import type { RevisionRecord } from '../revision/record.js';

/** Stands for a large commit, or one that changed more than {@link MOST_PREDICATES} predicates. No term has this id. */
const MANY = 0;
const MOST_PREDICATES = 64;
/**
 * Initial and largest number of entries. A commit has an entry for each of its predicates. The older half is dropped
 * when all are used.
 */
const FEWEST = 64;
const MOST = 4096;

export class RecentChanges {
  /** Revision and predicate of each entry, by ascending revision. */
  #revisions = new Uint32Array(FEWEST);
  #predicates = new Uint32Array(FEWEST);
  #length = 0;
  /** Commits after this revision have entries; earlier ones do not. */
  #after: number;

  constructor(head: number) {
    this.#after = head;
  }

  /** Adds a commit. Its number follows that of the last call. */
  note({ number, added, removed, payload }: Pick<RevisionRecord, 'number' | 'added' | 'removed' | 'payload'>): void {
    if (payload !== undefined) return this.#push(number, MANY);
    if (added.length + removed.length === 1) return this.#push(number, (added.length === 1 ? added : removed).p[0]!);
    const predicates = new Set<number>();
    for (const { p, length } of [added, removed]) {
      for (let i = 0; i < length; i++) {
        predicates.add(p[i]!);
        if (predicates.size > MOST_PREDICATES) return this.#push(number, MANY);
      }
    }
    for (const predicate of predicates) this.#push(number, predicate);
  }

  #push(revision: number, predicate: number): void {
    if (this.#length === this.#revisions.length) this.#makeRoom();
    this.#revisions[this.#length] = revision;
    this.#predicates[this.#length++] = predicate;
  }

  #makeRoom(): void {
    const dropped = this.#length < MOST ? 0 : MOST / 2;
    const size = this.#length < MOST ? this.#length * 2 : MOST;
    if (dropped > 0) this.#after = this.#revisions[dropped - 1]!;
    const [revisions, predicates] = [new Uint32Array(size), new Uint32Array(size)];
    revisions.set(this.#revisions.subarray(dropped, this.#length));
    predicates.set(this.#predicates.subarray(dropped, this.#length));
    this.#revisions = revisions;
    this.#predicates = predicates;
    this.#length -= dropped;
  }

  /** Whether a commit after `revision` may have changed a quad with one of these predicates. */
  changedSince(revision: number, predicates: ReadonlySet<number>): boolean {
    if (revision < this.#after) return true;
    for (let i = this.#length - 1; i >= 0 && this.#revisions[i]! > revision; i--) {
      const predicate = this.#predicates[i]!;
      if (predicate === MANY || predicates.has(predicate)) return true;
    }
    return false;
  }
}
