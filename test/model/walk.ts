/**
 * A long life of one repository over few quads. The model has a bit for each quad, so that a step costs the model nearly nothing: what a step says is compared
 * at once, a few reads of any revision come between, and all of a revision is compared now and then.
 */
import { platformEnv, Store } from '@quadrille/core';
import { iterate } from '@quadrille/model';
import type { Repository, Revision, Snapshot, Tuning } from '@quadrille/core';
import { StorageEngine } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import type * as RDF from '@rdfjs/types';
import { check } from './check.js';
import { seededEnv } from './environment.js';
import { below, differenceText, lineOf, perform, pick, quadOf, readState, termsOf, vocabulary } from './operations.mjs';
import type { Random, TextPattern } from './operations.mjs';

export interface WalkOptions {
  /** Makes the storage, or opens it again. */
  readonly driver: () => StorageDriver | Promise<StorageDriver>;
  readonly tuning: Partial<Tuning>;
  readonly steps: number;
}

interface Known {
  readonly line: string;
  readonly quad: RDF.Quad;
  readonly texts: readonly string[];
}

/** A bit for each quad. */
type Bits = Uint32Array;

const NAME = 'model/walk';
const POSITIONS = ['s', 'p', 'o', 'g'] as const;
const has = (bits: Bits, n: number): boolean => (bits[n >>> 5]! & (1 << (n & 31))) !== 0;
const put = (bits: Bits, n: number): void => void (bits[n >>> 5]! |= 1 << (n & 31));
const drop = (bits: Bits, n: number): void => void (bits[n >>> 5]! &= ~(1 << (n & 31)));

function sizeOf(bits: Bits): number {
  let size = 0;
  for (let word of bits) for (; word !== 0; word &= word - 1) size++;
  return size;
}

export class Walk {
  /** What was done, in short. The seed decides it. */
  readonly plan: string[] = [];
  operations = 0;
  readonly #known: readonly Known[];
  /** Those without blank nodes, which a load names anew. */
  readonly #loadable: readonly number[];
  /** By number of the revision. */
  readonly #states: Bits[] = [];
  readonly #tags = new Map<string, number>();
  #store!: Store;
  #repository!: Repository;
  #held: Snapshot | undefined;

  constructor(
    private readonly random: Random,
    private readonly options: WalkOptions,
  ) {
    const { subjects, predicates, objects, graphs } = vocabulary(random, { long: false });
    const lines = new Set<string>();
    for (const s of subjects)
      for (const p of predicates) for (const o of objects) for (const g of graphs) lines.add(lineOf(s, p, o, g));
    this.#known = [...lines].map(quadOf);
    this.#loadable = this.#known.flatMap(({ line }, n) => (line.includes('_:') ? [] : [n]));
    for (let number = 0; number < 2; number++) this.#states.push(new Uint32Array((lines.size + 31) >>> 5));
  }

  get #head(): number {
    return this.#states.length - 1;
  }

  /** @throws Error where the repository is not as the model */
  async run(): Promise<void> {
    await this.#open();
    try {
      for (let n = 0; n < this.options.steps; n++) await this.#step();
      await this.#reopen();
      for (let n = 0; n < 20; n++) await this.#compareAll(this.#any());
      await this.#compareAll(this.#head);
      await this.#verify();
    } finally {
      this.#held?.close();
      await this.#store.close();
    }
  }

  async #open(): Promise<void> {
    const { driver, tuning } = this.options;
    // With chance of its own: work in the background asks for it, too.
    const env = this.random() < 0.5 ? platformEnv() : seededEnv(ownChance(this.random));
    const engine = await StorageEngine.open(await driver());
    this.#store = await Store.open(engine, { env, tuning, cacheBytes: 1 << 16, durable: false });
    this.#repository = await this.#store.repository(NAME, true);
  }

  #any(): number {
    return 1 + below(this.random, this.#head);
  }

  async #step(): Promise<void> {
    this.operations++;
    const chance = this.random() * 1000;
    if (chance < 480) return this.#change();
    if (chance < 740) return this.#has();
    if (chance < 850) return this.#count();
    if (chance < 900) return this.#read();
    if (chance < 930) return this.#removeMatches();
    if (chance < 945) return this.#revert();
    if (chance < 960) return this.#transaction();
    if (chance < 970) return this.#load();
    if (chance < 980) return this.#hold();
    if (chance < 986) return this.#tag();
    if (chance < 991) return this.#difference();
    if (chance < 995) return this.#compareAll(this.#any());
    if (chance < 996) return this.#maintain();
    if (chance < 996.4) return this.#verify();
    if (chance < 997) return this.#reopen();
    return this.#refused();
  }

  #some(most: number): number[] {
    return Array.from({ length: 1 + below(this.random, most) }, () => below(this.random, this.#known.length));
  }

  // What is there, mostly: others would be passed over.
  #present(most: number): number[] {
    const state = this.#states[this.#head]!;
    return this.#some(most).map((from) => {
      for (let n = 0; n < 40; n++)
        if (has(state, (from + n) % this.#known.length)) return (from + n) % this.#known.length;
      return from;
    });
  }

  #quads(numbers: readonly number[]): RDF.Quad[] {
    return numbers.map((n) => this.#known[n]!.quad);
  }

  async #change(): Promise<void> {
    const chance = this.random();
    const added = chance < 0.7 ? this.#some(3) : [];
    const removed = chance > 0.45 ? this.#present(3) : [];
    this.plan.push(`+${added.join()} -${removed.join()}`);
    const condition = chance > 0.95 ? { ifRevision: this.#head } : {};
    const revision = await this.#repository.commit(this.#quads(added), this.#quads(removed), condition);
    this.#follow(revision, added, removed);
  }

  /** The next state of the model, and what the revision says. */
  #follow(revision: Revision, added: readonly number[], removed: readonly number[]): void {
    const before = this.#states[this.#head]!;
    const next = before.slice();
    for (const n of removed) drop(next, n);
    for (const n of added) put(next, n);
    const [gone, come] = [next.map((word, i) => before[i]! & ~word), next.map((word, i) => word & ~before[i]!)];
    const [removes, adds] = [sizeOf(gone), sizeOf(come)];
    if (removes + adds > 0) this.#states.push(next);
    const said = `${revision.number} of ${revision.size} quads`;
    const due = `${this.#head} of ${sizeOf(next)} quads`;
    check(said === due && this.#repository.head.number === this.#head, () =>
      this.#told(`revision ${said}, not ${due}`),
    );
    check(removes + adds === 0 || (revision.added === adds && revision.removed === removes), () =>
      this.#told(`revision ${said} says +${revision.added} -${revision.removed}, not +${adds} -${removes}`),
    );
  }

  #told(message: string): string {
    return `${message}, after\n  ${this.plan.slice(-30).join('\n  ')}`;
  }

  async #at<T>(number: number, read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    const snapshot = await this.#repository.snapshotAt(number);
    try {
      return await read(snapshot);
    } finally {
      snapshot.close();
    }
  }

  #pattern(n: number, mask: number): TextPattern {
    const { texts } = this.#known[n]!;
    return Object.fromEntries(POSITIONS.flatMap((name, i) => (mask & (1 << i) ? [[name, texts[i]!]] : [])));
  }

  #matching(pattern: TextPattern, state: Bits): number[] {
    const wanted = POSITIONS.map((name) => pattern[name]);
    const found: number[] = [];
    for (let n = 0; n < this.#known.length; n++) {
      if (!has(state, n)) continue;
      const { texts } = this.#known[n]!;
      if (wanted.every((text, i) => text === undefined || text === texts[i])) found.push(n);
    }
    return found;
  }

  async #countOf(pattern: TextPattern, number: number): Promise<number> {
    return this.#at(number, async (snapshot) => {
      const ids = await snapshot.ids(termsOf(pattern));
      return ids === undefined ? 0 : snapshot.count(ids);
    });
  }

  async #has(): Promise<void> {
    const n = below(this.random, this.#known.length);
    const number = this.random() < 0.5 ? this.#head : this.#any();
    const count = await this.#countOf(this.#pattern(n, 15), number);
    const due = has(this.#states[number]!, n) ? 1 : 0;
    check(count === due, () => this.#told(`${this.#known[n]!.line} is ${count} times in revision ${number}`));
  }

  async #count(): Promise<void> {
    const pattern = this.#pattern(below(this.random, this.#known.length), below(this.random, 16));
    const number = this.random() < 0.7 ? this.#head : this.#any();
    const count = await this.#countOf(pattern, number);
    const due = this.#matching(pattern, this.#states[number]!).length;
    check(count === due, () => this.#told(`${count} of ${JSON.stringify(pattern)} at ${number}, not ${due}`));
  }

  #lines(numbers: readonly number[]): Set<string> {
    return new Set(numbers.map((n) => this.#known[n]!.line));
  }

  async #read(): Promise<void> {
    const pattern = this.#pattern(below(this.random, this.#known.length), 1 + below(this.random, 15));
    const number = this.random() < 0.7 ? this.#head : this.#any();
    const found = await this.#at(number, async (snapshot) => {
      const ids = await snapshot.ids(termsOf(pattern));
      return ids === undefined ? new Set<string>() : readState(snapshot, ids);
    });
    this.#same(found, this.#matching(pattern, this.#states[number]!), `${JSON.stringify(pattern)} at ${number}`);
  }

  #same(found: Set<string>, due: readonly number[], what: string): void {
    const difference = differenceText(found, this.#lines(due));
    check(difference === undefined, () => this.#told(`${what}: ${difference}`));
  }

  async #removeMatches(): Promise<void> {
    const pattern = this.#pattern(below(this.random, this.#known.length), pick(this.random, [3, 5, 6, 7, 12, 13, 4]));
    this.plan.push(`without ${JSON.stringify(pattern)}`);
    const gone = this.#matching(pattern, this.#states[this.#head]!);
    this.#follow(await this.#repository.removeMatches(termsOf(pattern)), [], gone);
  }

  async #revert(): Promise<void> {
    const number = this.#any();
    this.plan.push(`revert ${number}`);
    const [before, after] = [this.#states[number - 1]!, this.#states[number]!];
    const only = (x: Bits, y: Bits): number[] => this.#known.flatMap((_, n) => (has(x, n) && !has(y, n) ? [n] : []));
    this.#follow(await this.#repository.revert(number), only(before, after), only(after, before));
  }

  async #transaction(): Promise<void> {
    const [added, removed] = [this.#some(6), this.#present(4)];
    const ends = this.random() < 0.2;
    this.plan.push(`transaction +${added.join()} -${removed.join()} ${ends}`);
    const transaction = await this.#repository.begin();
    try {
      await transaction.remove(this.#quads(removed));
      await transaction.add(this.#quads(added));
      if (!ends) this.#follow(await this.#repository.commitTransaction(transaction, {}), added, removed);
    } finally {
      transaction.close();
    }
  }

  async #load(): Promise<void> {
    const added = Array.from({ length: 1 + below(this.random, 30) }, () => pick(this.random, this.#loadable));
    const replace = this.random() < 0.1;
    this.plan.push(`load ${added.join()} ${replace}`);
    const removed = replace ? this.#matching({}, this.#states[this.#head]!) : [];
    const lines = [...this.#lines(added)];
    this.#follow(await perform(this.#repository, { kind: 'load', lines, replace }), added, removed);
  }

  /** A snapshot that stays open while others come after it. */
  async #hold(): Promise<void> {
    const held = this.#held;
    if (held !== undefined) {
      const due = this.#matching({}, this.#states[held.number]!);
      this.#same(await readState(held), due, `a snapshot of ${held.number}`);
      held.close();
    }
    this.#held = await this.#repository.snapshotAt(this.random() < 0.5 ? this.#head : this.#any());
  }

  async #tag(): Promise<void> {
    const name = `t${below(this.random, 5)}`;
    const number = this.#any();
    const known = this.#tags.get(name);
    if (known !== undefined) {
      const found = (await this.#repository.resolve(name)).number;
      check(found === known, () => this.#told(`the tag ${name} is ${found}, not ${known}`));
    }
    await this.#repository.tags.set(name, (await this.#repository.resolve(number)).id);
    this.#tags.set(name, number);
  }

  async #difference(): Promise<void> {
    const [from, to] = [this.#any(), this.#any()];
    let [added, removed] = [0, 0];
    for await (const entries of iterate(this.#repository.history.diff(from, to)))
      for (const { op } of entries) {
        if (op === 'add') added++;
        else removed++;
      }
    const [before, after] = [this.#states[from]!, this.#states[to]!];
    const due = [
      sizeOf(after.map((word, i) => word & ~before[i]!)),
      sizeOf(before.map((word, i) => word & ~after[i]!)),
    ];
    check(added === due[0] && removed === due[1], () =>
      this.#told(`from ${from} to ${to}: +${added} -${removed}, not ${due.join()}`),
    );
  }

  async #compareAll(number: number): Promise<void> {
    const found = await this.#at(number, (snapshot) => readState(snapshot));
    this.#same(found, this.#matching({}, this.#states[number]!), `revision ${number} of ${this.#head}`);
  }

  async #maintain(): Promise<void> {
    const kind = this.random() < 0.8 ? 'compact' : 'rebuild';
    this.plan.push(kind);
    await perform(this.#repository, { kind });
    await this.#compareAll(this.#head);
    await this.#compareAll(this.#any());
  }

  async #verify(): Promise<void> {
    const report = await this.#repository.maintenance.verify();
    check(report.ok, () => this.#told(`verify: ${JSON.stringify(report.problems)}`));
  }

  async #reopen(): Promise<void> {
    this.plan.push('reopen');
    this.#held?.close();
    this.#held = undefined;
    await this.#store.close();
    await this.#open();
    const { number } = this.#repository.head;
    check(number === this.#head, () => this.#told(`reopened at ${number}, not ${this.#head}`));
    await this.#compareAll(number);
  }

  async #refused(): Promise<void> {
    if (this.#head < 2) return;
    const ifRevision = 1 + below(this.random, this.#head - 1);
    const error = await this.#repository
      .commit(this.#quads(this.#some(2)), [], { ifRevision })
      .catch((reason: unknown) => reason);
    check(
      (error as { code?: unknown }).code === 'REVISION_CONFLICT' && this.#repository.head.number === this.#head,
      () => this.#told(`ifRevision ${ifRevision} at ${this.#head}: ${String(error)}`),
    );
  }
}

/** Random numbers that those of another source begin. */
function ownChance(random: Random): Random {
  let state = below(random, 2 ** 31);
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
