/**
 * The power fails at a random write of a random life, on a storage that loses what was not synced, across rotated logs
 * and in any combination; in two of three lives with a journal before it, in one of them with blob files too, which lose their own. What was acknowledged as durable is there; without durability there is an earlier revision or
 * a clear error; never wrong data. A store that is refused can be recovered, and so can each one that is not.
 *
 * A life can be looked at more than once: what the power would have left at other moments of it is inspected, too.
 */
import { recoverStore, Store } from '@quadrille/core';
import type { Repository, Revision } from '@quadrille/core';
import { CorruptionError, QuadrilleError } from '@quadrille/model';
import {
  MemoryDriver,
  StorageEngine,
  type Damage,
  type StorageDriver,
  type WriteOp,
  type WriteOptions,
  type WriteOutcome,
} from '@quadrille/storage';
import { BlobDriver, JournalledDriver } from '@quadrille/storage-directory';
import type { BlobFiles, BlobOptions, JournalFile, JournalFiles, JournalOptions } from '@quadrille/storage-directory';
import { SimulatedBlobFiles, SimulatedJournalFiles } from '@quadrille/storage-directory/testing';
import { SimulatedDriver } from '@quadrille/storage/testing';
import { check } from '../model/check.js';
import { seededEnv, tinyTuning } from '../model/environment.js';
import {
  applied,
  below,
  differenceText,
  matching,
  perform,
  randomOperation,
  stateAt,
  vocabulary,
} from '../model/operations.mjs';
import type { Operation, Random, State } from '../model/operations.mjs';

const NAME = 'crash/power';

interface Survivor {
  readonly storage: SimulatedDriver;
  readonly files: SimulatedJournalFiles;
  readonly blobs: SimulatedBlobFiles;
}

/** What a failure at a moment of the life would have left. */
interface Moment extends Survivor {
  /** What had been acknowledged by then. */
  readonly acknowledged: number;
}

/**
 * The power fails at the n-th write or sync from when it is told so: before, or right after it was done. The storage and
 * the files of a journal before it lose what they had not synced, each for itself.
 */
class Power {
  #left = Number.POSITIVE_INFINITY;
  #survivor: Promise<Survivor> | undefined;
  #underway: Promise<unknown> = Promise.resolve();
  readonly moments: Moment[] = [];
  #wantsMoment: () => boolean = () => false;
  #taking: Promise<void> | undefined;

  constructor(
    readonly storage: SimulatedDriver,
    readonly files: SimulatedJournalFiles,
    readonly blobs: SimulatedBlobFiles,
    private readonly random: Random,
    private readonly hostile: boolean,
  ) {}

  get survivor(): Promise<Survivor> | undefined {
    return this.#survivor;
  }

  failIn(writes: number): void {
    this.#left = writes;
  }

  /** Takes what a failure would leave at some of the calls from now on. @param acknowledged by the store so far */
  takeMoments(chance: () => boolean, acknowledged: () => number): void {
    this.#wantsMoment = chance;
    this.#acknowledged = acknowledged;
  }

  #acknowledged: () => number = () => 1;

  // Others wait for it: what it reads must not change.
  async #moment(): Promise<void> {
    while (this.#taking !== undefined) await this.#taking;
    if (this.#survivor !== undefined || !this.#wantsMoment()) return;
    this.#taking = this.#take();
    await this.#taking;
    this.#taking = undefined;
  }

  async #take(): Promise<void> {
    const acknowledged = this.#acknowledged();
    const files = this.files.crash(this.random, this.hostile);
    const blobs = this.blobs.crash(this.random, this.hostile);
    // A call that was let through just before begins meanwhile.
    for (let seen; seen !== this.#underway;) await (seen = this.#underway);
    const storage = await this.storage.survivor(this.random, { hostile: this.hostile });
    this.moments.push({ storage, files, blobs, acknowledged });
  }

  /** Undefined while there is power; otherwise whether what was about to be done is still done. */
  #strikes(): boolean | undefined {
    return --this.#left > 0 ? undefined : this.#survivor === undefined && this.random() < 0.5;
  }

  #fail(): never {
    this.#survivor ??= this.#crash();
    throw new Error('The power has failed');
  }

  async #crash(): Promise<Survivor> {
    const files = this.files.crash(this.random, this.hostile);
    const blobs = this.blobs.crash(this.random, this.hostile);
    // The simulated storage does a batch in several steps: what a journal hands over in the background is still done.
    await this.#underway;
    return { storage: await this.storage.crash(this.random, { hostile: this.hostile }), files, blobs };
  }

  get driver(): StorageDriver {
    return replacing<StorageDriver>(this.storage, {
      write: async (ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> => {
        await this.#moment();
        const strikes = this.#strikes();
        if (strikes === false) return this.#fail();
        const outcome = this.storage.write(ops, options);
        this.#underway = Promise.all([this.#underway, outcome]);
        await outcome;
        return strikes === undefined ? outcome : this.#fail();
      },
    });
  }

  async settle(): Promise<void> {
    await this.#moment();
    const strikes = this.#strikes();
    const settled = strikes === false ? undefined : this.storage.settle();
    this.#underway = Promise.all([this.#underway, settled]);
    await settled;
    if (strikes !== undefined) this.#fail();
  }

  get journal(): JournalFiles {
    return replacing<JournalFiles>(this.files, {
      write: (...write: Parameters<JournalFiles['write']>) => {
        const strikes = this.#strikes();
        if (strikes !== false) this.files.write(...write);
        if (strikes !== undefined) this.#fail();
      },
      sync: async (file: JournalFile) => {
        await this.#moment();
        const strikes = this.#strikes();
        if (strikes !== false) await this.files.sync(file);
        if (strikes !== undefined) this.#fail();
      },
    });
  }

  get blobFiles(): BlobFiles {
    const failing =
      <Args extends unknown[]>(action: (...args: Args) => Promise<void>) =>
      async (...args: Args): Promise<void> => {
        await this.#moment();
        const strikes = this.#strikes();
        if (strikes !== false) await action(...args);
        if (strikes !== undefined) this.#fail();
      };
    const { blobs } = this;
    return replacing<BlobFiles>(blobs, {
      create: failing((file: number) => blobs.create(file)),
      write: failing((...write: Parameters<BlobFiles['write']>) => blobs.write(...write)),
      sync: failing((file: number) => blobs.sync(file)),
      remove: failing((file: number) => blobs.remove(file)),
    });
  }
}

function replacing<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy<T>(target, {
    get: (_, name) => {
      const value: unknown = Reflect.get(name in methods ? methods : target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

interface Sizes {
  readonly journal: JournalOptions;
  readonly blobs: BlobOptions;
}

type StoreOptions = Parameters<typeof Store.open>[1];

export const BEFORE = ['nothing', 'a journal', 'a journal and blob files'] as const;

interface Stacked {
  readonly sizes: Sizes;
  readonly boot: string;
  readonly settle: () => Promise<void>;
  /** It is only read, as far as it can be. */
  readonly onDamage?: (damage: Damage) => void;
}

interface Job {
  readonly label: string;
  readonly operation: Operation;
  /** The head when it was begun. */
  readonly base: number;
  revision?: Revision;
}

export class PowerLoss {
  readonly states: State[] = [new Set(), new Set()];
  readonly jobs = new Map<string, Job>();
  acknowledged = 1;
  /** It ended with a clear error instead of a store. */
  refused: CorruptionError | undefined;
  lost = 0;
  /** Revisions that a recovery kept, beyond those that the store opened with. */
  recovered = 0;
  /** Power losses that were looked at. */
  losses = 0;

  constructor(
    readonly random: Random,
    readonly durable: boolean,
    readonly hostile: boolean,
    /** What is before the storage. */
    readonly before: 'nothing' | 'a journal' | 'a journal and blob files',
    /** Moments beside the last one that are looked at, about. */
    readonly moments = 0,
  ) {}

  #stack(
    storage: StorageDriver,
    files: JournalFiles,
    blobs: BlobFiles,
    { sizes, boot, settle, onDamage }: Stacked,
  ): StorageDriver {
    if (this.before === 'nothing') return storage;
    const journal = new JournalledDriver(storage, files, { ...sizes.journal, boot, onDamage });
    if (this.before === 'a journal') return journal;
    return new BlobDriver(journal, blobs, { ...sizes.blobs, settle, onDamage });
  }

  async run(): Promise<void> {
    const { random, durable, hostile } = this;
    const words = vocabulary(random, { long: random() < 0.1 });
    const tuning = tinyTuning(random);
    const env = seededEnv(random);
    const simulated = new SimulatedDriver({ logBytes: 500 + below(random, 8000) });
    const power = new Power(simulated, new SimulatedJournalFiles(), new SimulatedBlobFiles(), random, hostile);
    const sizes: Sizes = {
      journal: { fileBytes: 300 + below(random, 4000), recordBytes: 50 + below(random, 1000) },
      blobs: { valueBytes: 30, batchBytes: below(random, 300), fileBytes: 300 + below(random, 5000) },
    };
    // Every start of the machine is another one.
    const driver = this.#stack(power.driver, power.journal, power.blobFiles, {
      sizes,
      boot: '1',
      settle: () => power.settle(),
    });
    const store = await Store.open(await StorageEngine.open(driver), { env, tuning, durable, cacheBytes: 1 });
    let opened = await store.repository(NAME, true);
    // What the catalogue says has to be on the disk before anything can be lost: it is not what is looked at here.
    if (!durable) opened = await this.#madeDurable(store, driver, simulated);
    const failsIn = 1 + below(random, random() < 0.2 ? 250 : 60);
    power.failIn(failsIn);
    const share = this.moments / failsIn;
    if (share > 0)
      power.takeMoments(
        () => random() < share,
        () => this.acknowledged,
      );
    for (let n = 0; power.survivor === undefined && n < 40; n++) {
      const together = random() < 0.3 ? 2 + below(random, 3) : 1;
      const running: Promise<void>[] = [];
      for (let m = 0; m < together; m++)
        running.push(this.#begin(opened, `o${n}-${m}`, randomOperation(random, words, this.states), together));
      await Promise.all(running);
      if (power.survivor === undefined && random() < 0.1)
        await perform(opened, { kind: random() < 0.7 ? 'compact' : 'rebuild' }).catch(tolerated);
      if (power.survivor === undefined) {
        // Work in the background goes on: it can be what meets the failure.
        await this.#follow(opened).catch((error: unknown) => {
          if (power.survivor === undefined) throw error;
          tolerated(error);
        });
      }
    }
    if (power.survivor === undefined) {
      power.failIn(1);
      await opened.tags.set('last', opened.head.id).catch(tolerated);
    }
    // The process dies: nothing of it may go on.
    const last = await power.survivor!;
    await store.close().catch(tolerated);
    const options = { env, tuning, durable, cacheBytes: 1 };
    await this.#lookAt({ ...last, acknowledged: this.acknowledged }, sizes, options, true);
    for (const moment of power.moments) await this.#lookAt(moment, sizes, options, random() < 0.2);
  }

  /** @param whole whether each revision is compared; otherwise some are */
  async #lookAt(moment: Moment, sizes: Sizes, options: StoreOptions, whole: boolean): Promise<void> {
    const { storage, files, blobs } = moment;
    this.losses++;
    const stacked = { sizes, boot: '2', settle: () => storage.settle() };
    const recover = async (): Promise<number> => {
      const damages: Damage[] = [];
      const onDamage = (damage: Damage): void => void damages.push(damage);
      return this.#recover(this.#stack(storage, files, blobs, { ...stacked, onDamage }), damages, options);
    };
    // Nothing is written by that: the store is as the power left it.
    const kept = this.durable || !whole ? 0 : await recover();
    const head = await this.#inspect(this.#stack(storage, files, blobs, stacked), options, moment.acknowledged, whole);
    if (this.durable || !whole) return;
    if (head !== undefined) check(kept >= head, () => `recovery keeps ${kept}, opening ${head}`);
    else await recover();
    this.recovered += kept - (head ?? 0);
  }

  /** What a recovery keeps are revisions that were there, from the first one on. The answer: how many. */
  async #recover(remains: StorageDriver, damages: readonly Damage[], options: StoreOptions): Promise<number> {
    const source = await StorageEngine.open(remains);
    const copy = new MemoryDriver();
    const target = await StorageEngine.open(copy);
    const { repositories } = await recoverStore(source, target, { ...options, damages });
    await Promise.all([source.close(), target.close()]);
    const store = await Store.open(await StorageEngine.open(copy), options);
    try {
      const { name, revisionsKept } = repositories[0]!;
      check(
        repositories.length === 1 && name === NAME,
        () => `${repositories.length} repositories, the first is ${name}`,
      );
      const repository = await store.repository(NAME);
      check(
        repository.head.number === Math.max(1, revisionsKept),
        () => `the head is ${repository.head.number}, ${revisionsKept} were kept`,
      );
      for (let number = 1; number <= Math.min(revisionsKept, this.states.length - 1); number++) {
        const difference = differenceText(await stateAt(repository, number), this.states[number]!);
        check(difference === undefined, () => `recovered revision ${number} of ${revisionsKept}: ${difference}`);
      }
      await perform(repository, { kind: 'change', added: ['<a:z> <a:p> "after the recovery" .'], removed: [] });
      await clean(store, 'what was recovered');
      return revisionsKept;
    } finally {
      await store.close();
    }
  }

  // A durable batch alone does not do: the log before the present one may hold what came first.
  async #madeDurable(store: Store, driver: StorageDriver, simulated: SimulatedDriver): Promise<Repository> {
    await driver.write([], { durable: true });
    await simulated.settle();
    return store.repository(NAME);
  }

  async #begin(repository: Repository, label: string, operation: Operation, together: number): Promise<void> {
    const blank = together > 1 && operation.kind === 'load';
    const known = blank
      ? { ...operation, lines: [...operation.lines.filter((line) => !line.includes('_:')), '<a:s0> <a:p0> "plain" .'] }
      : operation;
    const job: Job = { label, operation: known, base: this.states.length - 1 };
    this.jobs.set(label, job);
    try {
      job.revision = await perform(repository, known, { message: label }, label);
      this.acknowledged = Math.max(this.acknowledged, job.revision.number);
    } catch (error) {
      tolerated(error);
    }
  }

  // What each revision must be, told by the operation that it names.
  async #follow(repository: Repository): Promise<void> {
    for (let number = this.states.length; number <= repository.head.number; number++) {
      const { message } = await repository.resolve(number);
      const job = this.jobs.get(message ?? '');
      check(job !== undefined, () => `revision ${number} says ${message}`);
      const actual = await stateAt(repository, number);
      const next = this.#expected(job, actual);
      const difference = differenceText(actual, next);
      check(
        difference === undefined,
        () => `revision ${number}, ${JSON.stringify(job.operation).slice(0, 300)}: ${difference}`,
      );
      this.states.push(next);
    }
  }

  #expected(job: Job, actual: State): State {
    const before = this.states.at(-1)!;
    const { operation } = job;
    // Beside others, quads that came since it began may go or stay; and a removal may pass over a term that is new.
    if (operation.kind === 'removeMatches') {
      const free = new Set(matching(operation.pattern, before).filter((line) => !this.states[job.base]!.has(line)));
      return new Set([...applied(this.states, operation), ...[...free].filter((line) => actual.has(line))]);
    }
    const next = applied(this.states, operation, job.label);
    if (operation.kind !== 'change' || job.base === this.states.length - 1) return next;
    const passedOver = operation.removed.filter(
      (line) => before.has(line) && !this.states[job.base]!.has(line) && actual.has(line),
    );
    return new Set([...next, ...passedOver]);
  }

  // The head; undefined where it is refused.
  async #inspect(
    survivor: StorageDriver,
    options: StoreOptions,
    acknowledged: number,
    whole: boolean,
  ): Promise<number | undefined> {
    let store: Store | undefined;
    try {
      store = await Store.open(await StorageEngine.open(survivor), options);
      const repository = await store.repository(NAME);
      const head = repository.head.number;
      if (this.durable)
        check(head >= acknowledged, () => `${acknowledged} was acknowledged as durable, the head is ${head}`);
      this.lost += Math.max(0, acknowledged - head);
      for (let number = 1; number < Math.min(head + 1, this.states.length); number++) {
        if (!whole && number < head - 1 && this.random() < 0.8) continue;
        const difference = differenceText(await stateAt(repository, number), this.states[number]!);
        check(difference === undefined, () => `revision ${number} of ${head}: ${difference}`);
      }
      await this.#follow(repository);
      const report = await store.verify();
      if (!report.ok && !this.durable) throw new CorruptionError('LOG_BROKEN', report.problems[0]!.message);
      check(report.ok, () => `verify: ${JSON.stringify(report.problems)}`);
      const more = await perform(repository, {
        kind: 'change',
        added: ['<a:z> <a:p> "after the crash" .'],
        removed: [],
      });
      check(more.size === repository.head.size, () => `${more.size} quads, the head says ${repository.head.size}`);
      if (whole) await clean(store, 'what was written after the crash');
      return head;
    } catch (error) {
      if (this.durable || !(error instanceof CorruptionError)) throw error;
      this.refused = error;
      return undefined;
    } finally {
      await store?.close();
    }
  }
}

function tolerated(error: unknown): void {
  if (!(error instanceof QuadrilleError)) throw error;
}

async function clean(store: Store, what: string): Promise<void> {
  const { problems } = await store.verify();
  check(problems.length === 0, () => `verify of ${what}: ${JSON.stringify(problems)}`);
}
