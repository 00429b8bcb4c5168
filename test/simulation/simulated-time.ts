/**
 * Time of a simulation: the timers and clocks of the platform, as far as the product uses them, are replaced for as long as a schedule
 * runs. So no schedule waits, and none depends on the speed of the machine.
 */
import { type BinaryLike, createHash } from 'node:crypto';
import type { Random } from '../model/operations.mjs';

/** Timers from so long on are limits of what is idle. */
const LIMIT_MS = 60_000;
const BEGIN = Date.UTC(2026, 0, 1);
/** Turns of the event loop without an event, and real moments after them, in which work may still go on by itself. */
const IDLE_TURNS = 30;
const IDLE_MOMENTS = 2000;
/** Steps of promises after each event, and events after which the event loop has a turn. */
const STEPS = 12;
const ROUNDS = 16;
/** Work that is not over after so many events never ends. */
const MOST_EVENTS = 100_000;

/** Something that happens at its time. */
interface Event {
  readonly due: number;
  readonly order: number;
  readonly happen: () => void;
  /** Whether it comes again for ever, so that its presence says nothing about work under way. */
  readonly isBeat: boolean;
}

const realImmediate = setImmediate;
const turn = (): Promise<void> => new Promise((resolve) => realImmediate(resolve));
const realTimeout = setTimeout;
/** For code that is loaded now: reading a file takes real time. */
const realMoment = (): Promise<void> => new Promise((resolve) => realTimeout(resolve, 1));

/** Events by their time; those of one time in the order in which they were told. */
export class SimulatedTime {
  now = 0;
  #order = 0;
  readonly #events = new Map<number, Event>();
  readonly #restore: (() => void)[] = [];

  constructor(private readonly random: Random) {}

  /** Lets something happen later. Returns its number, by which it can be cancelled. */
  after(ms: number, happen: () => void, isBeat = false): number {
    const order = ++this.#order;
    this.#events.set(order, { due: this.now + ms, order, happen, isBeat });
    return order;
  }

  cancel(number: number): void {
    this.#events.delete(number);
  }

  get #hasWork(): boolean {
    for (const { isBeat } of this.#events.values()) if (!isBeat) return true;
    return false;
  }

  /** Lets the next event happen. Returns false if there is none. */
  next(): boolean {
    let first: Event | undefined;
    for (const event of this.#events.values()) if (first === undefined || event.due < first.due) first = event;
    if (first === undefined) return false;
    this.#events.delete(first.order);
    this.now = Math.max(this.now, first.due);
    first.happen();
    return true;
  }

  /** Lets time pass, also where only what comes again for ever is due. */
  async rest(ms: number): Promise<void> {
    const end = this.now + ms;
    for (let idle = 0; this.now < end && idle < IDLE_TURNS;) {
      for (let step = 0; step < STEPS; step++) await undefined;
      await turn();
      if (this.next()) idle = 0;
      else idle++;
    }
  }

  /** Replaces the timers and clocks of the platform, until {@link giveBack}. */
  takeOver(): void {
    this.#replace(globalThis, 'setTimeout', (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
      // Limits are long: they are not what a schedule waits for.
      this.#timer(this.after(Math.max(ms, 0), () => run(...args), ms >= LIMIT_MS)),
    );
    this.#replace(globalThis, 'setInterval', (run: () => void, ms: number) => this.#interval(run, ms));
    const clear = (timer: { stop?: () => void } | undefined): void => timer?.stop?.();
    this.#replace(globalThis, 'clearTimeout', clear);
    this.#replace(globalThis, 'clearInterval', clear);
    this.#replace(performance, 'now', () => this.now);
    this.#replace(Date, 'now', () => BEGIN + Math.floor(this.now));
    this.#replace(crypto, 'getRandomValues', <T extends ArrayBufferView>(into: T): T => {
      const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
      for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(this.random() * 256);
      return into;
    });
    this.#replace(crypto, 'randomUUID', () => this.uuid());
    // Threads would answer at any time.
    this.#replace(crypto.subtle, 'digest', async (name: string, data: BinaryLike) => {
      const hash = createHash(name.replace('-', '').toLowerCase()).update(data).digest();
      return new Uint8Array(hash).buffer;
    });
  }

  giveBack(): void {
    for (const restore of this.#restore.splice(0)) restore();
  }

  uuid(): string {
    const digits = (count: number): string =>
      Math.floor(this.random() * 16 ** count)
        .toString(16)
        .padStart(count, '0');
    return `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(6)}${digits(6)}`;
  }

  #timer(number: number, stop = (): void => this.cancel(number)): object {
    const timer = { stop, ref: () => timer, unref: () => timer, hasRef: () => true, refresh: () => timer };
    return timer;
  }

  #interval(run: () => void, ms: number): object {
    let number = 0;
    const again = (): void => {
      number = this.after(
        ms,
        () => {
          again();
          run();
        },
        true,
      );
    };
    again();
    return this.#timer(0, () => this.cancel(number));
  }

  #replace(target: object, name: string, value: unknown): void {
    const before = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
    this.#restore.push(() => {
      if (before === undefined) Reflect.deleteProperty(target, name);
      else Object.defineProperty(target, name, before);
    });
  }

  /** Lets time pass until the work is over. Returns false if nothing can end it any more. */
  async passUntil(isOver: () => boolean): Promise<boolean> {
    let [idle, events] = [0, 0];
    for (let round = 0; ; round++) {
      // Code that an event has woken goes on for some steps, and some more in each of the next rounds.
      for (let step = 0; step < STEPS; step++) await undefined;
      if (idle > 0 || round % ROUNDS === 0) await turn();
      if (isOver()) return true;
      if (this.#hasWork) idle = 0;
      // Code may be waiting for a turn of the event loop, or for a module that is loaded for the first time.
      else if (++idle < IDLE_TURNS) continue;
      else if (idle < IDLE_TURNS + IDLE_MOMENTS) await realMoment();
      if (!this.next() && idle >= IDLE_TURNS + IDLE_MOMENTS) return false;
      if (++events > MOST_EVENTS) return false;
    }
  }
}
