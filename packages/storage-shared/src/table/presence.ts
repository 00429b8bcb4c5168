/** Tells other processes that this one lives, and waits until the one that writes no longer does. */

import { StateError } from '@quadrille/model';
import type { Known, ServerBeat, SharedDriver } from '../contract.js';

/** Options of {@link Presence}. */
export interface PresenceOptions {
  /** Time between two signs of life, in milliseconds. Default 1,000. */
  readonly beatMs?: number;
  /** How long the writer must be silent before another process takes over, in milliseconds. Default 3,000. */
  readonly silenceMs?: number;
  /** How long to wait for a writer that is not silent, in milliseconds. Default 0. */
  readonly lockTimeoutMs?: number;
  /** What other processes read about this one, for messages. Default: nothing. */
  readonly label?: string;
  /** The URL at which other servers reach this one. No two servers may have the same one. Default: none. */
  readonly url?: string;
}

/** A server, as others see it. */
export interface KnownServer {
  /** UUID of the process. */
  readonly server: string;
  /** For messages; empty if it has none. */
  readonly label: string;
  /** The URL at which other servers reach it. */
  readonly url: string | undefined;
  /** Whether it is about to end: it writes what it has begun. */
  readonly leaving: boolean;
  /** The last position of the log that it has shown, as of its last sign of life; `undefined` if it did not tell. */
  readonly position: number | undefined;
  /**
   * For how long it has given no sign of life, by this process's own clock, in milliseconds. It counts only while this
   * process hears others.
   */
  readonly silentMs: number;
}

/** What was heard of a server. */
interface Heard {
  readonly beat: ServerBeat;
  /** When its count was new here, by `performance.now()`. */
  readonly since: number;
  readonly silentMs: number;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The presence of one process. */
export class Presence {
  readonly #driver: SharedDriver;
  readonly #server: string;
  readonly #options: Required<Omit<PresenceOptions, 'url'>> & { readonly url: string | undefined };
  #heard = new Map<string, Heard>();
  /** When others were heard last. */
  #last = performance.now();
  /** Those whose count has changed since this process saw it first. */
  readonly #changed = new Set<string>();
  /** What this process knows of the log. With its signs of life it looks for more, and others are told its position. */
  known: (() => Known) | undefined;
  /** Whether there may be more than is known. */
  news = true;
  #leaving = false;
  #begun = false;
  #timer: ReturnType<typeof setInterval> | undefined;
  #beating: Promise<unknown> = Promise.resolve();

  constructor(driver: SharedDriver, server: string, options: PresenceOptions) {
    this.#driver = driver;
    this.#server = server;
    this.#options = { beatMs: 1000, silenceMs: 3000, lockTimeoutMs: 0, label: '', url: undefined, ...options };
  }

  /** Time between two signs of life, in milliseconds. */
  get beatMs(): number {
    return this.#options.beatMs;
  }

  /** How long a process must be silent before another one takes over, in milliseconds. */
  get silenceMs(): number {
    return this.#options.silenceMs;
  }

  /**
   * Waits until a process is silent, or has said goodbye.
   * @param holder undefined: nobody
   * @throws StateError `STORE_LOCKED` if it lives, and is still there after `lockTimeoutMs`
   */
  async waitFor(holder: string | undefined): Promise<void> {
    if (holder === undefined || holder === this.#server) return;
    const begin = performance.now();
    const { lockTimeoutMs } = this.#options;
    const living = await this.#untilSilent((beat) => beat.server === holder, begin + lockTimeoutMs);
    if (living !== undefined) throw locked(living);
  }

  /**
   * Makes sure that no other living server has the URL of this one.
   * @throws StateError `SERVER_DUPLICATE`
   */
  async assertOnlyOne(): Promise<void> {
    const { url } = this.#options;
    if (url === undefined) return;
    const living = await this.#untilSilent(
      (beat) => beat.server !== this.#server && describe(beat).url === url,
      performance.now(),
    );
    if (living !== undefined) throw duplicate(url, living);
    for (const { beat } of this.#heard.values())
      if (beat.server !== this.#server && describe(beat).url === url) await this.#driver.forget(beat.server);
  }

  /** Waits until no such server lives. Returns one that is heard at `until` or later, by `performance.now()`. */
  async #untilSilent(of: (beat: ServerBeat) => boolean, until: number): Promise<ServerBeat | undefined> {
    const { silenceMs, beatMs } = this.#options;
    for (;;) {
      const beats = await this.#driver.servers();
      this.#hear(beats);
      const heardOf = ({ server }: ServerBeat): Heard => this.#heard.get(server)!;
      const those = beats.filter(of);
      // Only this process's own clock counts, and only whether the count has changed.
      const heard = those.find((beat) => this.#changed.has(beat.server) && heardOf(beat).since >= until);
      if (heard !== undefined) return heard;
      if (those.every((beat) => heardOf(beat).silentMs >= silenceMs)) return undefined;
      await sleep(Math.min(beatMs, silenceMs) / 4);
    }
  }

  #hear(beats: readonly ServerBeat[]): void {
    const now = performance.now();
    // While the store is away, or this process sleeps, nobody can be heard.
    const sinceLast = Math.min(now - this.#last, 1.5 * this.#options.beatMs);
    this.#last = now;
    const heard = new Map<string, Heard>();
    for (const beat of beats) {
      const before = this.#heard.get(beat.server);
      if (before?.beat.beats === beat.beats) {
        heard.set(beat.server, { ...before, silentMs: before.silentMs + sinceLast });
        continue;
      }
      if (before !== undefined) this.#changed.add(beat.server);
      heard.set(beat.server, { beat, since: now, silentMs: 0 });
    }
    for (const server of this.#changed) if (!heard.has(server)) this.#changed.delete(server);
    this.#heard = heard;
  }

  /** Begins to tell that this process lives. Does nothing if it does so already. */
  async begin(): Promise<void> {
    if (this.#begun) return;
    this.#begun = true;
    await this.beat();
    let isBeating = false;
    this.#timer = setInterval(() => {
      if (isBeating) return;
      isBeating = true;
      // A failure is silence. When the store is back, the next one is heard.
      this.#beating = this.beat()
        .catch(() => undefined)
        .finally(() => (isBeating = false));
    }, this.#options.beatMs);
    (this.#timer as { unref?: () => void }).unref?.();
  }

  /** Tells that this process is about to end. Nobody takes over before it has said goodbye, or is silent. */
  async leave(): Promise<void> {
    this.#leaving = true;
    if (this.#begun) await this.beat().catch(() => undefined);
  }

  /** Says goodbye, so that nobody has to wait. */
  async end(): Promise<void> {
    if (!this.#begun) return;
    this.#begun = false;
    clearInterval(this.#timer);
    await this.#beating;
    await this.#driver.forget(this.#server).catch(() => undefined);
  }

  /** The servers as of the last sign of life of this one. */
  get servers(): readonly KnownServer[] {
    return Array.from(this.#heard.values(), ({ beat, silentMs }) => ({
      server: beat.server,
      ...describe(beat),
      ...(beat.server === this.#server ? { silentMs: 0, position: this.known?.().after } : { silentMs }),
    }));
  }

  /** Gives a sign of life now, and hears those of others. */
  async beat(): Promise<void> {
    const { label, url } = this.#options;
    const known = this.known?.();
    const told = { label, url, leaving: this.#leaving || undefined, position: known?.after };
    const self = { server: this.#server, body: new TextEncoder().encode(JSON.stringify(told)) };
    if (known === undefined || this.#driver.heartbeatAndLook === undefined) {
      this.#hear(await this.#driver.heartbeat(self));
      return;
    }
    const { servers, news } = await this.#driver.heartbeatAndLook(self, known);
    this.#hear(servers);
    this.news ||= news;
  }
}

function describe({ body }: ServerBeat): Omit<KnownServer, 'server' | 'silentMs'> {
  try {
    const { label, url, leaving, position } = JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>;
    return {
      label: typeof label === 'string' ? label : '',
      url: typeof url === 'string' ? url : undefined,
      leaving: leaving === true,
      position: typeof position === 'number' ? position : undefined,
    };
  } catch {
    return { label: '', url: undefined, leaving: false, position: undefined };
  }
}

function locked(beat: ServerBeat): StateError {
  const { label } = describe(beat);
  const who = label === '' ? beat.server : label;
  return new StateError(
    'STORE_LOCKED',
    `Another process writes to this store: ${who}. End it, or open the store with readOnly.`,
    { details: { holder: who } },
  );
}

function duplicate(url: string, beat: ServerBeat): StateError {
  const { label } = describe(beat);
  return new StateError(
    'SERVER_DUPLICATE',
    `Another server of this store has the address ${url}: ${label}. Give each server its own --advertise.`,
  );
}
