/** A store beside its naive model: every step is done in both and compared. */
import { platformEnv, Store } from '@quadrille/core';
import type { Repository, Revision, Snapshot, StagedTransaction, Tuning } from '@quadrille/core';
import { ConflictError, ParseError, QuadrilleError, termToText, yieldTurn } from '@quadrille/model';
import { StorageEngine, toHex } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import { seededEnv } from './environment.js';
import {
  applied,
  below,
  difference,
  differenceText,
  matches,
  matching,
  perform,
  pick,
  quadOf,
  randomOperation,
  randomPattern,
  randomQuad,
  randomQuads,
  readLines,
  readState,
  sameSet,
  someOf,
  stateAt,
  termsOf,
  vocabulary,
} from './operations.mjs';
import type { Operation, Random, State, TextPattern, Words } from './operations.mjs';

export interface WorldOptions {
  readonly random: Random;
  /** Makes the storage, or opens it again. */
  readonly driver: () => StorageDriver | Promise<StorageDriver>;
  readonly tuning?: Partial<Tuning> | undefined;
  /** The repository is let go whenever nothing uses it. */
  readonly forgetful?: boolean;
  /** Terms that are stored in parts. */
  readonly long?: boolean;
  /** Quads of a large operation. */
  readonly most?: number;
}

interface KnownRevision {
  readonly id: string;
  readonly time: number;
}

const NAME = 'model/model';
const utf8 = new TextDecoder();

export function check(condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new Error(message());
}

export class World {
  /** By number; the first one stands for what is before revision 1. */
  readonly states: State[] = [new Set(), new Set()];
  /** What was done, to be printed where something is wrong. */
  readonly journal: string[] = [];
  operations = 0;
  /** How often the repository was not in memory at the beginning of a step. */
  timesLetGo = 0;
  readonly #random: Random;
  readonly #words: Words;
  readonly #most: number;
  readonly #known: KnownRevision[] = [];
  readonly #tags = new Map<string, number>();
  readonly #namespaces = new Map<string, string>();
  /** Of all revisions so far. */
  readonly #terms = new Set<string>();
  #termsSeen = 0;
  #snapshots: Snapshot[] = [];
  #store!: Store;
  #repository!: Repository;
  #label = 0;

  constructor(private readonly options: WorldOptions) {
    this.#random = options.random;
    this.#words = vocabulary(options.random, { long: options.long ?? false });
    this.#most = options.most ?? 40;
  }

  get #head(): number {
    return this.states.length - 1;
  }

  get #state(): State {
    return this.states[this.#head]!;
  }

  async open(): Promise<void> {
    const env = this.options.tuning === undefined ? platformEnv() : seededEnv(this.#random);
    const engine = await StorageEngine.open(await this.options.driver());
    const { tuning, forgetful = false } = this.options;
    const repositoryBytes = forgetful ? 0 : undefined;
    this.#store = await Store.open(engine, { env, tuning, cacheBytes: 1, repositoryBytes, durable: false });
    this.#repository = await this.#store.repository(NAME, true);
    if (this.#known.length === 0) this.#remember(await this.#repository.resolve(1));
  }

  #remember(record: { id: Uint8Array; time: number }): void {
    const hex = toHex(record.id);
    this.#known.push({ id: hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5'), time: record.time });
  }

  async close(): Promise<void> {
    for (const snapshot of this.#snapshots) snapshot.close();
    this.#snapshots = [];
    await this.#store.close();
    check(
      this.#store.engine.openIterators === 0,
      () => `${this.#store.engine.openIterators} iterators are open after close`,
    );
  }

  /** One random step; it is compared at once. */
  async step(): Promise<void> {
    if (this.options.forgetful === true) await this.#forget();
    const chance = this.#random();
    this.operations++;
    if (chance < 0.44) return this.#single();
    if (chance < 0.53) return this.#transaction();
    if (chance < 0.61) return this.#together();
    if (chance < 0.64) return this.#wrongCondition();
    if (chance < 0.66) return this.#brokenLoad();
    if (chance < 0.7) return this.#diff();
    if (chance < 0.74) return this.#reference();
    if (chance < 0.8) return this.#counts();
    if (chance < 0.83) return this.#maintain(this.#random() < 0.65 ? 'compact' : 'rebuild');
    if (chance < 0.85) return this.verify();
    if (chance < 0.87) return this.#reopen();
    if (chance < 0.91) return this.#takeSnapshot();
    if (chance < 0.94) return this.#checkSnapshots();
    if (chance < 0.97) return this.#named();
    return this.checkRevision(1 + below(this.#random, this.#head));
  }

  // It is let go in a turn of the event loop in which nothing uses it.
  async #forget(): Promise<void> {
    await yieldTurn();
    if (!this.#repository.core.inMemory) this.timesLetGo++;
  }

  // ── Changes ──────────────────────────────────────────────────────────────────────────────────────────────────────
  #newLabel(): string {
    return `o${++this.#label}`;
  }

  #say(label: string, text: unknown): void {
    this.journal.push(
      `${label} ${JSON.stringify(text, (_, value: unknown) => (typeof value === 'string' && value.length > 300 ? `${value.slice(0, 60)}… (${value.length})` : value))}`,
    );
  }

  async #single(): Promise<void> {
    const operation = randomOperation(this.#random, this.#words, this.states, this.#most);
    const label = this.#newLabel();
    this.#say(label, operation);
    const condition = this.#random() < 0.1 ? { ifRevision: this.#head } : {};
    const revision = await perform(
      this.#repository,
      operation,
      { message: label, author: 'model', ...condition },
      label,
    );
    const next = applied(this.states, operation, label);
    if (next === this.#state) {
      check(
        revision.number === this.#head,
        () => `nothing changed, and the answer is revision ${revision.number} after ${this.#head}`,
      );
    } else {
      await this.#newRevision(revision.number, label, next);
    }
    check(
      this.#repository.head.number === this.#head,
      () => `the head is ${this.#repository.head.number}, not ${this.#head}`,
    );
  }

  // The repository made the revision after the newest known one: it must be `next`.
  async #newRevision(number: number, label: string, next: State): Promise<void> {
    check(number === this.#head + 1, () => `revision ${number} came after ${this.#head}`);
    const before = this.#state;
    this.states.push(next);
    const record = await this.#repository.resolve(number);
    this.#remember(record);
    await this.checkRevision(number);
    check(record.message === label, () => `revision ${number} says ${record.message}, not ${label}`);
    const [added, removed] = [difference(next, before).length, difference(before, next).length];
    check(
      record.addedCount === added && record.removedCount === removed && record.size === next.size,
      () =>
        `revision ${number}: +${record.addedCount} −${record.removedCount} =${record.size}, should be +${added} −${removed} =${next.size}`,
    );
    const [previous, own] = [this.#known[number - 2]!, this.#known[number - 1]!];
    check(own.time >= previous.time && own.id > previous.id, () => `revision ${number} is older than the one before`);
  }

  async #brokenLoad(): Promise<void> {
    const label = this.#newLabel();
    const operation: Operation = {
      kind: 'load',
      lines: randomQuads(this.#random, this.#words, 20),
      replace: true,
      broken: true,
    };
    this.#say(label, operation);
    const error = await perform(this.#repository, operation, {}, label).catch((reason: unknown) => reason);
    check(error instanceof ParseError, () => `a broken load ended with ${String(error)}`);
    check(this.#repository.head.number === this.#head, () => 'a broken load made a revision');
  }

  async #wrongCondition(): Promise<void> {
    if (this.#head < 2) return;
    const operation = randomOperation(this.#random, this.#words, this.states, this.#most);
    const label = this.#newLabel();
    this.#say(label, { wrongCondition: operation });
    const ifRevision = below(this.#random, this.#head - 1) + 1;
    const error = await perform(this.#repository, operation, { ifRevision }, label).catch((reason: unknown) => reason);
    check(
      error instanceof ConflictError && error.code === 'REVISION_CONFLICT',
      () => `ifRevision ${ifRevision} at ${this.#head}: ${String(error)}`,
    );
  }

  async #maintain(kind: 'compact' | 'rebuild'): Promise<void> {
    this.#say(kind, '');
    await perform(this.#repository, { kind });
    await this.checkRevision(this.#head);
    await this.checkRevision(1 + below(this.#random, this.#head));
  }

  async #reopen(): Promise<void> {
    this.#say('reopen', '');
    await this.close();
    await this.open();
    check(
      this.#repository.head.number === this.#head,
      () => `reopened at ${this.#repository.head.number}, not ${this.#head}`,
    );
    await this.checkRevision(this.#head);
  }

  // ── Transactions ─────────────────────────────────────────────────────────────────────────────────────────────────
  async #transaction(): Promise<void> {
    const label = this.#newLabel();
    const between = this.#random() < 0.5;
    const reading = this.#random() < 0.5;
    this.#say(label, { transaction: { between, reading } });
    const transaction = await this.#repository.begin();
    try {
      const base = this.#head;
      const staged = await this.#stage(transaction, reading, label);
      if (between) for (let n = 1 + below(this.#random, 3); n > 0; n--) await this.#single();
      if (this.#random() < 0.15) return;
      const outcome = await this.#repository
        .commitTransaction(transaction, { message: label })
        .catch((error: unknown) => error);
      // Removing by pattern is a reading too.
      if (transaction.hasRead && this.#head !== base) {
        check(
          outcome instanceof ConflictError,
          () => `a transaction that has read revision ${base} was committed at ${this.#head}: ${String(outcome)}`,
        );
        return;
      }
      if (outcome instanceof Error) throw outcome;
      const next = staged.applyTo(this.#state);
      const { number } = outcome as Revision;
      if (sameSet(next, this.#state))
        check(number === this.#head, () => `transaction without a change made revision ${number}`);
      else await this.#newRevision(number, label, next);
    } finally {
      transaction.close();
    }
  }

  async #stage(transaction: StagedTransaction, reading: boolean, label: string): Promise<Staged> {
    const staged = new Staged(this.states[transaction.base.number]!);
    for (let n = 1 + below(this.#random, 6); n > 0; n--) {
      const chance = this.#random();
      if (chance < 0.45) {
        const lines = [...randomQuads(this.#random, this.#words, 4), ...someOf(this.#random, staged.state, 2)];
        this.#say(`${label} add`, lines);
        await transaction.add(lines.map((line) => quadOf(line).quad));
        staged.add(lines);
      } else if (chance < 0.8) {
        const lines = [...someOf(this.#random, staged.state, 3), randomQuad(this.#random, this.#words)];
        this.#say(`${label} remove`, lines);
        await transaction.remove(lines.map((line) => quadOf(line).quad));
        staged.remove(lines);
      } else {
        const pattern = randomPattern(this.#random, this.#words);
        this.#say(`${label} removeMatches`, pattern);
        await transaction.removeMatches(termsOf(pattern));
        staged.remove(matching(pattern, staged.state));
        check(transaction.hasRead, () => 'removeMatches is no reading');
      }
      if (reading) await this.#readTransaction(transaction, staged.state);
    }
    return staged;
  }

  async #readTransaction(transaction: StagedTransaction, state: State): Promise<void> {
    const pattern = randomPattern(this.#random, this.#words);
    const expected = new Set(matching(pattern, state));
    const wrong = differenceText(await readLines(await transaction.read(termsOf(pattern))), expected);
    check(wrong === undefined, () => `the transaction reads for ${JSON.stringify(pattern)}: ${wrong}`);
    const count = await transaction.count(termsOf(pattern));
    check(
      count === expected.size,
      () => `the transaction counts ${count}, not ${expected.size}, for ${JSON.stringify(pattern)}`,
    );
    check(transaction.size === state.size, () => `the transaction has ${transaction.size} quads, not ${state.size}`);
    const graphs = (await transaction.graphs()).map((term) => termToText(term)).sort();
    const expectedGraphs = graphsOf(state);
    check(
      graphs.join() === expectedGraphs.join(),
      () => `the transaction has graphs ${graphs.join()}, not ${expectedGraphs.join()}`,
    );
  }

  // ── Several at once ──────────────────────────────────────────────────────────────────────────────────────────────
  async #together(): Promise<void> {
    const base = this.#head;
    const jobs = new Map<string, Job>();
    const running: Promise<unknown>[] = [];
    const count = 2 + below(this.#random, 5);
    this.operations += count - 1;
    for (let n = 0; n < count; n++) {
      const label = this.#newLabel();
      const chance = this.#random();
      if (chance < 0.2) {
        this.#say(label, 'a transaction, at once with others');
        running.push(this.#stageAndCommit(label, jobs));
        continue;
      }
      if (chance < 0.25) {
        this.#say(label, 'compact, at once with others');
        running.push(this.#repository.compact());
        continue;
      }
      const operation = this.#forMany(randomOperation(this.#random, this.#words, this.states, this.#most));
      const conditional = this.#random() < 0.2;
      this.#say(label, { atOnce: operation, conditional });
      const info = { message: label, ...(conditional ? { ifRevision: base } : {}) };
      const job: Job = { operation, conditional, base };
      jobs.set(label, job);
      running.push(
        perform(this.#repository, operation, info).then(
          (revision) => (job.revision = revision),
          (error: unknown) => (job.error = error),
        ),
      );
    }
    if (this.#random() < 0.5) await this.#readMeanwhile(base);
    for (const result of await Promise.allSettled(running)) if (result.status === 'rejected') throw result.reason;
    await this.#explain(jobs);
  }

  // Which prefix a load gets cannot be told where several begin at once; and a removal that begins before the first
  // quad of a term was added may pass over it.
  #forMany(operation: Operation): Operation {
    if (operation.kind === 'change') return { ...operation, removed: this.#ofKnownTerms(operation.removed) };
    if (operation.kind !== 'load') return operation;
    const lines = operation.lines.filter((line) => !line.includes('_:'));
    return { ...operation, lines: lines.length > 0 ? lines : ['<a:s0> <a:p0> "plain" .'] };
  }

  #ofKnownTerms(lines: readonly string[]): string[] {
    for (; this.#termsSeen <= this.#head; this.#termsSeen++) {
      for (const line of this.states[this.#termsSeen]!) for (const text of quadOf(line).texts) this.#terms.add(text);
    }
    return lines.filter((line) => quadOf(line).texts.every((text) => text === '' || this.#terms.has(text)));
  }

  // A snapshot taken now is one revision, whatever is committed meanwhile.
  async #readMeanwhile(base: number): Promise<void> {
    await this.#repository.ready();
    const snapshot = this.#repository.snapshot();
    try {
      if (snapshot.number !== base) return;
      const wrong = differenceText(await readState(snapshot), this.states[base]!);
      check(wrong === undefined, () => `read beside commits, revision ${base}: ${wrong}`);
    } finally {
      snapshot.close();
    }
  }

  async #stageAndCommit(label: string, jobs: Map<string, Job>): Promise<void> {
    const reading = this.#random() < 0.4;
    const transaction = await this.#repository.begin();
    try {
      // What it was based on may be a revision that the model learns of only later: it stages blindly, or reads once.
      const staged = new Staged(new Set());
      const added = randomQuads(this.#random, this.#words, 4);
      const removed = this.#ofKnownTerms([
        randomQuad(this.#random, this.#words),
        ...someOf(this.#random, this.#state, 2),
      ]);
      await transaction.remove(removed.map((line) => quadOf(line).quad));
      await transaction.add(added.map((line) => quadOf(line).quad));
      staged.remove(removed);
      staged.add(added);
      this.#say(label, { reading, removed, added });
      if (reading) void transaction.size;
      const job: Job = { staged, conditional: reading, base: transaction.base.number };
      jobs.set(label, job);
      job.revision = await this.#repository
        .commitTransaction(transaction, { message: label })
        .catch((error: unknown) => {
          job.error = error;
          return undefined;
        });
    } finally {
      transaction.close();
    }
  }

  // Finds for every new revision the job that made it, and follows it in the model.
  async #explain(jobs: ReadonlyMap<string, Job>): Promise<void> {
    const first = this.#head;
    const last = this.#repository.head.number;
    for (let number = first + 1; number <= last; number++) {
      const record = await this.#repository.resolve(number);
      const job = jobs.get(record.message ?? '');
      check(
        job?.revision?.number === number,
        () => `revision ${number} says ${record.message}: answered ${job?.revision?.number} ${String(job?.error)}`,
      );
      if (job.conditional)
        check(job.base === number - 1, () => `${record.message} was to follow ${job.base}, and is ${number}`);
      await this.#newRevision(number, record.message!, await this.#after(job, number));
    }
    for (const [label, job] of jobs) {
      if (job.revision === undefined) {
        const { error } = job;
        check(
          error instanceof ConflictError && job.conditional && last > job.base,
          () => `${label} failed: ${String(error)}`,
        );
        continue;
      }
      const { number } = job.revision;
      const made = job.revision.message === label && number > first;
      if (!made) this.#checkIdle(label, job, number);
    }
  }

  async #after(job: Job, number: number): Promise<State> {
    if (job.staged !== undefined) return job.staged.applyTo(this.#state);
    const operation = job.operation!;
    if (operation.kind !== 'removeMatches') return applied(this.states, operation);
    // It removes what matched when it was called; what came since may go or stay.
    const actual = await stateAt(this.#repository, number);
    const gone = difference(this.#state, actual);
    const due = matching(operation.pattern, this.states[job.base]!).filter((line) => this.#state.has(line));
    check(
      gone.every((line) => matches(operation.pattern, line)),
      () => `revision ${number} removes what does not match`,
    );
    check(
      due.every((line) => !actual.has(line)),
      () => `revision ${number} does not remove all that matches`,
    );
    const next = new Set(this.#state);
    for (const line of gone) next.delete(line);
    return next;
  }

  // It made no revision: there was nothing to change at the one that it answered, or at one before it in the group.
  #checkIdle(label: string, job: Job, number: number): void {
    const idle = (at: number): boolean => {
      const states = this.states.slice(0, at + 1);
      if (job.staged !== undefined) return sameSet(job.staged.applyTo(states[at]!), states[at]!);
      if (job.operation!.kind === 'removeMatches')
        return matching(job.operation!.pattern, this.states[job.base]!).every((line) => !states[at]!.has(line));
      return applied(states, job.operation!) === states[at];
    };
    check(
      number >= job.base && idle(number),
      () => `${label} changed nothing and answered revision ${number}, where it would change something`,
    );
  }

  // ── Reads ────────────────────────────────────────────────────────────────────────────────────────────────────────
  /** Compares all of a revision. */
  async checkRevision(number: number): Promise<void> {
    const snapshot = await this.#repository.snapshotAt(number);
    try {
      await this.#compare(snapshot, 'revision');
    } finally {
      snapshot.close();
    }
  }

  async #compare(snapshot: Snapshot, what: string): Promise<void> {
    const expected = this.states[snapshot.number]!;
    const wrong = differenceText(await readState(snapshot), expected);
    check(wrong === undefined, () => `${what} ${snapshot.number} of ${this.#head}: ${wrong}`);
    const size = await snapshot.count({ s: 0, p: 0, o: 0, g: 0 });
    check(size === expected.size, () => `${what} ${snapshot.number} says it has ${size} quads, not ${expected.size}`);
  }

  async #takeSnapshot(): Promise<void> {
    const number = this.#random() < 0.5 ? this.#head : 1 + below(this.#random, this.#head);
    this.#snapshots.push(await this.#repository.snapshotAt(number));
    if (this.#snapshots.length > 4) this.#snapshots.shift()!.close();
  }

  async #checkSnapshots(): Promise<void> {
    for (const snapshot of this.#snapshots) {
      await this.#compare(snapshot, 'open snapshot');
      await this.#countAll(snapshot);
    }
  }

  // Counts and reads of all sixteen patterns of one quad.
  async #counts(): Promise<void> {
    const number = this.#random() < 0.6 ? this.#head : 1 + below(this.#random, this.#head);
    const snapshot = await this.#repository.snapshotAt(number);
    try {
      await this.#countAll(snapshot);
      await this.#checkStatistics(snapshot);
    } finally {
      snapshot.close();
    }
  }

  async #countAll(snapshot: Snapshot): Promise<void> {
    const state = this.states[snapshot.number]!;
    const line =
      state.size > 0 && this.#random() < 0.8 ? pick(this.#random, [...state]) : randomQuad(this.#random, this.#words);
    const [s, p, o, g] = quadOf(line).texts;
    for (let mask = 0; mask < 16; mask++) {
      const pattern: TextPattern = {
        ...(mask & 1 ? { s } : {}),
        ...(mask & 2 ? { p } : {}),
        ...(mask & 4 ? { o } : {}),
        ...(mask & 8 ? { g } : {}),
      };
      const expected = new Set(matching(pattern, state));
      const ids = await snapshot.ids(termsOf(pattern));
      const count = ids === undefined ? 0 : await snapshot.count(ids);
      const say = (): string =>
        `${JSON.stringify(pattern).slice(0, 300)} at revision ${snapshot.number} of ${this.#head}`;
      check(count === expected.size, () => `counted ${count}, not ${expected.size}, for ${say()}`);
      const wrong = differenceText(ids === undefined ? new Set() : await readState(snapshot, ids), expected);
      check(wrong === undefined, () => `${say()}: ${wrong}`);
    }
  }

  async #checkStatistics(snapshot: Snapshot): Promise<void> {
    const { graphs } = await snapshot.statistics();
    const decoder = snapshot.core.decoder;
    const actual: string[] = [];
    for (const [id, count] of graphs) actual.push(`${termToText(await decoder.decode(id))} ${count}`);
    const expected = new Map<string, number>();
    for (const line of this.states[snapshot.number]!) {
      const graph = quadOf(line).texts[3];
      expected.set(graph, (expected.get(graph) ?? 0) + 1);
    }
    const texts = [...expected].map(([graph, count]) => `${graph} ${count}`);
    check(
      actual.sort().join() === texts.sort().join(),
      () => `statistics of graphs: ${actual.join()}, not ${texts.join()}`,
    );
  }

  async #diff(): Promise<void> {
    const [from, to] = [1 + below(this.#random, this.#head), 1 + below(this.#random, this.#head)];
    const [before, after] = [this.states[from]!, this.states[to]!];
    const found: Record<'add' | 'remove', Set<string>> = { add: new Set(), remove: new Set() };
    for await (const entries of this.#repository.diff(from, to)) {
      for (const { op, quad } of entries) {
        const { subject, predicate, object, graph } = quad;
        const texts = [subject, predicate, object, graph].map((term) => termToText(term));
        found[op].add(`${texts.join(' ').trimEnd()} .`);
      }
    }
    const wrong =
      differenceText(found.add, new Set(difference(after, before))) ??
      differenceText(found.remove, new Set(difference(before, after)));
    check(wrong === undefined, () => `diff of ${from} and ${to}: ${wrong}`);
  }

  // Every form of a reference.
  async #reference(): Promise<void> {
    const number = 1 + below(this.#random, this.#head);
    const { id, time } = this.#known[number - 1]!;
    const lastAt = this.#known.findLastIndex((known) => known.time <= time) + 1;
    const refs: [unknown, number][] = [
      [number, number],
      [`#${number}`, number],
      [`${number}`, number],
      [id, number],
      [`urn:uuid:${id}`, number],
      [`HEAD~${this.#head - number}`, number],
      ['HEAD', this.#head],
      ['TAIL', 1],
      [new Date(time), lastAt],
      [new Date(time).toISOString(), lastAt],
      ...[...this.#tags].map(([name, tagged]): [unknown, number] => [name, tagged]),
    ];
    const [ref, expected] = pick(this.#random, refs);
    const { number: actual } = await this.#repository.resolve(ref as string);
    check(actual === expected, () => `${String(ref)} is revision ${actual}, not ${expected}`);
    for (const absent of [
      this.#head + 1,
      0,
      `HEAD~${this.#head}`,
      '00000000-0000-7000-8000-000000000000',
      'no-such-tag',
      new Date(0),
    ]) {
      const error = await this.#repository.resolve(absent as string).catch((reason: unknown) => reason);
      check(
        error instanceof QuadrilleError && error.code === 'REVISION_NOT_FOUND',
        () => `${String(absent)}: ${String(error)}`,
      );
    }
  }

  async #named(): Promise<void> {
    const name = `n${below(this.#random, 4)}`;
    const chance = this.#random();
    if (chance < 0.4) {
      const number = 1 + below(this.#random, this.#head);
      await this.#repository.tags.set(name, (await this.#repository.resolve(number)).id);
      this.#tags.set(name, number);
    } else if (chance < 0.5) {
      check((await this.#repository.tags.delete(name)) === this.#tags.delete(name), () => `deleting tag ${name}`);
    } else if (chance < 0.9) {
      const iri = `http://example.org/${below(this.#random, 100)}#`;
      await this.#repository.namespaces.set(name, new TextEncoder().encode(iri));
      this.#namespaces.set(name, iri);
    } else {
      check(
        (await this.#repository.namespaces.delete(name)) === this.#namespaces.delete(name),
        () => `deleting prefix ${name}`,
      );
    }
    await this.checkNames();
  }

  async checkNames(): Promise<void> {
    const namespaces = [...(await this.#repository.namespaces.list())].map(
      ([name, iri]) => `${name}: ${utf8.decode(iri)}`,
    );
    const expected = [...this.#namespaces].map(([name, iri]) => `${name}: ${iri}`).sort();
    check(namespaces.join() === expected.join(), () => `namespaces ${namespaces.join()}, not ${expected.join()}`);
    const tags = [...(await this.#repository.tags.list()).keys()];
    check(tags.join() === [...this.#tags.keys()].sort().join(), () => `tags ${tags.join()}`);
  }

  async verify(): Promise<void> {
    const report = await this.#repository.verify();
    check(
      report.ok,
      () =>
        `verify: ${report.problems.map((problem) => `${problem.code} ${problem.where}: ${problem.message}`).join('\n')}`,
    );
    check(
      report.checked['revisions'] === this.#head,
      () => `verify looked at ${report.checked['revisions']} revisions of ${this.#head}`,
    );
  }

  /** All revisions, names, snapshots and invariants. */
  async checkAll(): Promise<void> {
    for (let number = 1; number <= this.#head; number++) await this.checkRevision(number);
    await this.#checkSnapshots();
    await this.checkNames();
    await this.verify();
  }
}

/** One of several operations under way at once. */
interface Job {
  readonly operation?: Operation;
  readonly staged?: Staged;
  /** It must follow `base` or fail. */
  readonly conditional: boolean;
  /** The head when it began. */
  readonly base: number;
  revision?: Revision | undefined;
  error?: unknown;
}

/** What a transaction staged: the last word on each quad that it touched. */
class Staged {
  /** What it reads. */
  state: Set<string>;
  readonly #words = new Map<string, boolean>();

  constructor(base: State) {
    this.state = new Set(base);
  }

  add(lines: readonly string[]): void {
    for (const line of lines) {
      this.state.add(line);
      this.#words.set(line, true);
    }
  }

  remove(lines: readonly string[]): void {
    for (const line of lines) {
      this.state.delete(line);
      this.#words.set(line, false);
    }
  }

  applyTo(state: State): State {
    const next = new Set(state);
    for (const [line, present] of this.#words) {
      if (present) next.add(line);
      else next.delete(line);
    }
    return next;
  }
}

function graphsOf(state: State): string[] {
  return [...new Set([...state].map((line) => quadOf(line).texts[3]))].filter((graph) => graph !== '').sort();
}
