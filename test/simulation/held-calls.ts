/** Calls of a storage that a simulation holds: each takes effect at one moment, is answered at another one, and may fail. */
import { StorageError } from '@quadrille/model';
import { below, pick, type Random } from '../model/operations.mjs';
import type { SimulatedTime } from './simulated-time.js';

/** One process. When it dies, its calls are never answered. */
export class Life {
  dead = false;
  #told = (): void => undefined;
  readonly died = new Promise<void>((resolve) => (this.#told = resolve));

  constructor(readonly name: string) {}

  die(): void {
    this.dead = true;
    this.#told();
  }
}

/** What may become of a call. `lost`: it takes effect or not, and nobody learns which. */
export type Fate = 'done' | 'fails before' | 'fails after' | 'lost before' | 'lost after' | 'full';

/** A call as a whole. */
export interface Call<T> {
  readonly life: Life;
  /** Where and what, such as `blobs.write`. */
  readonly name: string;
  readonly effect: () => T | Promise<T>;
  /** The fates beside `done` that the contract of the callee allows. */
  readonly fates: readonly Fate[];
  /** What it answers where its outcome is lost, or there is no room. Default: it fails. */
  readonly unknown?: T;
  readonly full?: T;
  /** Whether it takes effect although its process has died: a request to a service is under way. */
  readonly survives?: boolean;
}

/** How slow calls are, in milliseconds of simulated time. */
const SPEEDS = [0.01, 0.1, 1, 1, 10, 100];

const SLOW_READS = 100;
const READS = /get|range|read/i;
const WRITES = /write|append|sync|putPacks/;

export class HeldCalls {
  /** While false, each call is done and answered at once. */
  holds = true;
  /** While true, nothing can be stored. */
  full = false;
  /** Faults that may still come, and how likely each call meets one. */
  faults = 0;
  faultRate = 0;
  onlyWritesFail = false;
  slowReads = false;
  /** Calls so far. */
  count = 0;
  /** Faults so far. */
  failed = 0;
  /** Faults of which the callers have heard. */
  told = 0;
  /** Calls that have had their effect, and are not answered yet. */
  halfDone = 0;
  readonly #speeds = new Map<string, number>();
  /** What was done, for whoever looks for the cause of a fault. */
  trace: ((line: string) => void) | undefined;

  constructor(
    readonly time: SimulatedTime,
    private readonly random: Random,
  ) {}

  /** Makes a call. */
  make<T>(call: Call<T>): Promise<T> {
    this.count++;
    if (!this.holds && !call.life.dead) return (async () => call.effect())();
    return new Promise((resolve, reject) => {
      this.time.after(this.#delay(call.name), () => this.#happen(call, resolve, reject));
    });
  }

  /** Throws if a call that is not held has to fail now. `before`: what a failing one does. */
  now(life: Life, name: string, partly: () => void): void {
    this.count++;
    // A process that has died does nothing more.
    if (life.dead) throw new Error('the process has died');
    if (!this.holds || !this.#strikes(name)) return;
    this.trace?.(`${this.time.now.toFixed(2)} ${life.name} ${name} fails`);
    if (this.random() < 0.5) partly();
    throw this.random() < 0.5 ? failure(name) : noRoom(name);
  }

  #happen<T>(call: Call<T>, resolve: (value: T) => void, reject: (error: Error) => void): void {
    const { life, name, effect } = call;
    if (life.dead && call.survives !== true) return;
    const fate = this.#fate(call);
    this.trace?.(`${this.time.now.toFixed(2)} ${life.name} ${name} ${fate}`);
    const answered = (answer: () => void): void => {
      if (life.dead) return;
      if (fate !== 'done') this.told++;
      answer();
    };
    const later = (answer: () => void): void => {
      if (this.random() < 0.5) return answered(answer);
      this.halfDone++;
      this.time.after(this.#delay(name) * (this.random() < 0.3 ? 20 : 1), () => {
        this.halfDone--;
        answered(answer);
      });
    };
    if (fate === 'fails before') return later(() => reject(failure(name)));
    if (fate === 'full') return later(() => ('full' in call ? resolve(call.full!) : reject(noRoom(name))));
    if (fate === 'lost before') return later(() => resolve(call.unknown!));
    const done = (async () => effect())();
    if (fate === 'fails after') done.then(() => later(() => reject(failure(name))), reject);
    else if (fate === 'lost after') done.then(() => later(() => resolve(call.unknown!)), reject);
    else
      done.then(
        (value) => later(() => resolve(value)),
        (error: Error) => later(() => reject(error)),
      );
  }

  #fate<T>({ fates, life, name }: Call<T>): Fate {
    if (life.dead) return 'done';
    if (this.full && fates.includes('full')) return 'full';
    const possible = fates.filter((fate) => fate !== 'full');
    return possible.length > 0 && this.#strikes(name) ? pick(this.random, possible) : 'done';
  }

  // There are many more reads than writes.
  #strikes(name: string): boolean {
    const others = this.onlyWritesFail ? 0 : this.faultRate;
    const rate = WRITES.test(name) ? 4 * this.faultRate : others;
    if (this.faults === 0 || this.random() >= rate) return false;
    this.faults--;
    this.failed++;
    return true;
  }

  // Calls of one kind are alike, and now and then one takes very long.
  #delay(name: string): number {
    let speed = this.#speeds.get(name);
    if (speed === undefined) {
      const isSlow = this.slowReads && READS.test(name);
      this.#speeds.set(name, (speed = isSlow ? SLOW_READS : pick(this.random, SPEEDS)));
    }
    return speed * (1 + below(this.random, 8)) * (this.random() < 0.05 ? 50 : 1);
  }
}

function failure(name: string): Error {
  if (name.startsWith('shared.')) return new StorageError('STORE_UNAVAILABLE', `the service did not answer ${name}`);
  return Object.assign(new Error(`input/output error in ${name}`), { code: 'EIO' });
}

const noRoom = (name: string): Error =>
  name.startsWith('shared.')
    ? new StorageError('STORAGE_FULL', `there is no room for ${name}`)
    : Object.assign(new Error(`no space left on device in ${name}`), { code: 'ENOSPC' });
