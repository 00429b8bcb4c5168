/**
 * A queue for places. So many work at once, in all and of one party; the others wait. The parties share the processor by deficit round
 * robin: each round gives every waiting party the same time, and what its work has taken is subtracted. So a party with long work
 * waits for more rounds than one with short work, however many of either wait.
 */
import { EvaluationError } from './errors.js';

/** Limits of a queue. */
export interface FairQueueLimits {
  /** How many work at once, in all and of one party. */
  readonly places: number;
  /** Places of one party. */
  readonly placesPerParty: number;
  /** How many wait, in all and of one party. More are refused. */
  readonly waiting: number;
  /** Waiting ones of one party. */
  readonly waitingPerParty: number;
  /** Memory of all that wait. One party may use a quarter of it. */
  readonly waitingBytes: number;
  /** Who has waited for so long is refused. */
  readonly waitMs: number;
}

/** One that wants a place. */
export interface Entrant {
  /** Who wants the place. */
  readonly party: string;
  /** Memory that it holds while it waits. Default 0. */
  readonly bytes?: number;
  /** Calls the listener when it has ended before its turn; the result removes the listener. */
  readonly onEnd?: (listener: (error: Error) => void) => () => void;
  /** In place of the limit of the queue. */
  readonly waitMs?: number;
  /** Whether it had a place before: it goes to the front of its party and is never refused. Default false. */
  readonly returns?: boolean;
}

/** A place in the queue. Its holder gives it back. */
export interface Place {
  /** Gives the place back. `busyMs`: the time of the processor that was used. Later calls do nothing. */
  leave(busyMs: number): void;
}

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
}

interface Party {
  readonly name: string;
  readonly waiting: Waiting[];
  bytes: number;
  working: number;
  /** Milliseconds of the processor that it may still use in this round; negative where it has used more. */
  deficit: number;
  /** What its work takes on average. It is charged when work begins, and set right when the work has ended. */
  meanMs: number;
}

/** What a round gives to each party, in milliseconds of the processor. */
const QUANTUM_MS = 20;
/** The weight of the newest value in averages. */
const NEWEST = 0.2;
const SHARE_OF_PARTY = 4;
const LONGEST_RETRY_SECONDS = 60;
/** Beyond so many parties debts are forgotten. */
const MOST_PARTIES = 10_000;

/** Places for a limited number, and a turn for each party. */
export class FairQueue {
  /** Those that work, wait or owe time. The one whose turn is next comes first. */
  readonly #parties = new Map<string, Party>();
  #working = 0;
  #waiting = 0;
  #waitingBytes = 0;
  #refused = 0;
  /** Time between two that leave while others wait. */
  #meanGapMs = 0;
  #leftAt = 0;

  /** `what` names those that wait in messages, such as `queries`. */
  constructor(
    private readonly what: string,
    /** The limits. */
    readonly limits: FairQueueLimits,
  ) {}

  /** How many have a place. */
  get working(): number {
    return this.#working;
  }

  /** Number of waiting ones. */
  get waiting(): number {
    return this.#waiting;
  }

  /** How many were refused since the start. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Gives a place, at once where one is free. Rejects with the error of `onEnd`.
   * @throws EvaluationError `QUERY_QUEUE_FULL` where too many wait or none has become free in time; `details.retryAfter` has seconds
   */
  enter(entrant: Entrant): Place | Promise<Place> {
    const party = this.#party(entrant.party);
    if (party.waiting.length === 0 && this.#mayWork(party) && this.#mayOvertake()) return this.#begin(party);
    return this.#wait(party, entrant);
  }

  // Places can be free while others wait: those of parties that have all of theirs.
  #mayOvertake(): boolean {
    if (this.#waiting === 0) return true;
    for (const party of this.#parties.values()) if (party.waiting.length > 0 && this.#mayWork(party)) return false;
    return true;
  }

  #mayWork(party: Party): boolean {
    return this.#working < this.limits.places && party.working < this.limits.placesPerParty;
  }

  #party(name: string): Party {
    let party = this.#parties.get(name);
    if (party === undefined) {
      if (this.#parties.size >= MOST_PARTIES) this.#forgetDebts();
      party = { name, waiting: [], bytes: 0, working: 0, deficit: 0, meanMs: 1 };
      this.#parties.set(name, party);
    }
    return party;
  }

  #begin(party: Party): Place {
    // The others come first the next time.
    this.#parties.delete(party.name);
    this.#parties.set(party.name, party);
    const charged = party.meanMs;
    party.deficit -= charged;
    party.working++;
    this.#working++;
    let left = false;
    return {
      leave: (busyMs) => {
        if (left) return;
        left = true;
        party.deficit += charged - busyMs;
        party.meanMs += (busyMs - party.meanMs) * NEWEST;
        party.working--;
        this.#working--;
        this.#measureGap();
        this.#admit();
        this.#forget(party);
      },
    };
  }

  #wait(party: Party, { bytes = 0, onEnd, waitMs = this.limits.waitMs, returns = false }: Entrant): Promise<Place> {
    if (!returns) this.#checkRoom(party, bytes);
    return new Promise((resolve, reject) => {
      let waits = true;
      let timer: ReturnType<typeof setTimeout> | undefined;
      let stopListening: (() => void) | undefined;
      const stop = (): void => {
        waits = false;
        clearTimeout(timer);
        stopListening?.();
      };
      const go = (): void => {
        stop();
        resolve(this.#begin(party));
      };
      const entry: Waiting = { bytes, go };
      const giveUp = (error: Error): void => {
        stop();
        party.waiting.splice(party.waiting.indexOf(entry), 1);
        this.#count(party, -1, -bytes);
        this.#forget(party);
        reject(error);
      };
      if (this.#waiting === 0) this.#leftAt = performance.now();
      if (returns) party.waiting.unshift(entry);
      else party.waiting.push(entry);
      this.#count(party, 1, bytes);
      stopListening = onEnd?.(giveUp);
      // It may have ended already.
      if (!waits) stopListening?.();
      else if (!returns && waitMs !== Infinity) {
        timer = setTimeout(() => giveUp(this.#full(`no place became free within ${String(waitMs)} ms`)), waitMs);
      }
    });
  }

  #checkRoom(party: Party, bytes: number): void {
    const { waiting, waitingPerParty, waitingBytes } = this.limits;
    const problem =
      party.waiting.length >= waitingPerParty
        ? `${String(waitingPerParty)} ${this.what} of this account wait already`
        : this.#waiting >= waiting
          ? `${String(waiting)} ${this.what} wait already`
          : party.bytes + bytes > waitingBytes / SHARE_OF_PARTY || this.#waitingBytes + bytes > waitingBytes
            ? `the ${this.what} that wait hold too much memory`
            : undefined;
    if (problem === undefined) return;
    this.#forget(party);
    throw this.#full(problem);
  }

  #count(party: Party, entries: number, bytes: number): void {
    party.bytes += bytes;
    this.#waiting += entries;
    this.#waitingBytes += bytes;
  }

  #full(problem: string): EvaluationError {
    this.#refused++;
    const retryAfter = this.#retryAfter();
    return new EvaluationError('QUERY_QUEUE_FULL', `${problem}: try again in ${String(retryAfter)} s`, {
      details: { retryAfter },
    });
  }

  /** Seconds until those that wait now will have had their turn, by the rate at which places became free. */
  #retryAfter(): number {
    const gapMs = Math.max(this.#meanGapMs, performance.now() - this.#leftAt);
    return Math.min(LONGEST_RETRY_SECONDS, Math.max(1, Math.ceil((gapMs * (this.#waiting + 1)) / 1000)));
  }

  #measureGap(): void {
    if (this.#waiting === 0) return;
    const now = performance.now();
    this.#meanGapMs += (now - this.#leftAt - this.#meanGapMs) * NEWEST;
    this.#leftAt = now;
  }

  #admit(): void {
    while (this.#working < this.limits.places) {
      const next = this.#next();
      if (next === undefined) return;
      const entry = next.waiting.shift()!;
      this.#count(next, -1, -entry.bytes);
      entry.go();
    }
  }

  /** The party whose turn it is. Where all have used up their time, as many rounds pass as it takes until one has some. */
  #next(): Party | undefined {
    let fewestRounds = Infinity;
    let next: Party | undefined;
    for (const party of this.#parties.values()) {
      if (party.waiting.length === 0 || !this.#mayWork(party)) continue;
      const rounds = party.deficit > 0 ? 0 : Math.floor(-party.deficit / QUANTUM_MS) + 1;
      if (rounds >= fewestRounds) continue;
      fewestRounds = rounds;
      next = party;
    }
    if (next !== undefined && fewestRounds > 0) {
      const gained = fewestRounds * QUANTUM_MS;
      for (const party of this.#parties.values()) {
        // Nobody saves up time while others use theirs.
        if (party.waiting.length > 0) party.deficit += gained;
        else party.deficit = Math.min(0, party.deficit + gained);
      }
    }
    return next;
  }

  /** Forgets a party that neither works nor waits. What it owes counts as long as others wait. */
  #forget(party: Party): void {
    if (this.#waiting === 0) this.#forgetDebts();
    else if (party.working === 0 && party.waiting.length === 0 && party.deficit >= 0) this.#parties.delete(party.name);
  }

  #forgetDebts(): void {
    for (const party of this.#parties.values()) {
      party.deficit = 0;
      if (party.working === 0 && party.waiting.length === 0) this.#parties.delete(party.name);
    }
  }
}
