/** What a session is subscribed to, and what it is told of that. A client that does not read makes nothing grow. */
import type { Repository, Revision } from 'quadrille';
import type { Door } from './door.js';
import { ToolError } from './tool-error.js';

const MOST = 100;

/** @throws where there is nothing at an address, or the client may not read it */
type Find = (address: string, door: Door) => Promise<Repository>;

interface Subscription {
  /** Number of the last revision that was followed. */
  since: number;
  readonly ended: AbortController;
}

/** Who takes the updates. */
interface Listener {
  readonly door: Door;
  readonly ended: AbortController;
  /** Addresses that have changed since they were told last. */
  readonly changed: Set<string>;
  wake: () => void;
}

export class Subscriptions {
  readonly #subscribed = new Map<string, Subscription>();
  #listener: Listener | undefined;

  constructor(private readonly find: Find) {}

  /** @throws ToolError where there are too many */
  async add(address: string, door: Door): Promise<void> {
    const { number } = await (await this.find(address, door)).revision();
    if (this.#subscribed.has(address)) return;
    if (this.#subscribed.size >= MOST)
      throw new ToolError(`the session has ${String(MOST)} subscriptions, which is the limit: end one of them first`);
    const subscription = { since: number, ended: new AbortController() };
    this.#subscribed.set(address, subscription);
    if (this.#listener !== undefined) void this.#follow(address, subscription, this.#listener);
  }

  remove(address: string): void {
    this.#subscribed.get(address)?.ended.abort();
    this.#subscribed.delete(address);
  }

  /** Whether somebody takes the updates. */
  get isHeard(): boolean {
    return this.#listener !== undefined;
  }

  /**
   * Addresses that have changed, as they are taken, until the signal: each once for all changes since it was taken before, also those that
   * came while nobody took any. One caller at a time: whoever comes later gets them.
   */
  async *updates(door: Door, signal: AbortSignal): AsyncGenerator<string> {
    this.#listener?.ended.abort();
    const listener: Listener = { door, ended: new AbortController(), changed: new Set(), wake: () => undefined };
    this.#listener = listener;
    const end = (): void => listener.ended.abort();
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    listener.ended.signal.addEventListener('abort', () => listener.wake(), { once: true });
    for (const [address, subscription] of this.#subscribed) void this.#follow(address, subscription, listener);
    try {
      while (!listener.ended.signal.aborted) {
        for (const address of listener.changed) {
          listener.changed.delete(address);
          yield address;
        }
        if (listener.changed.size === 0 && !listener.ended.signal.aborted)
          await new Promise<void>((resolve) => (listener.wake = resolve));
      }
    } finally {
      signal.removeEventListener('abort', end);
      end();
      if (this.#listener === listener) this.#listener = undefined;
    }
  }

  async #follow(address: string, subscription: Subscription, listener: Listener): Promise<void> {
    const { door, changed } = listener;
    const signal = AbortSignal.any([subscription.ended.signal, listener.ended.signal]);
    try {
      const repository = await this.find(address, door);
      const changedTo = ({ number }: Revision): void => {
        if (number <= subscription.since || signal.aborted) return;
        subscription.since = number;
        changed.add(address);
        listener.wake();
      };
      // All that came while nobody listened is one update.
      changedTo(await repository.revision());
      for await (const { revision } of repository.watch({ since: subscription.since, signal })) {
        // The right to read it may have gone since.
        await this.find(address, door);
        changedTo(revision);
      }
    } catch {
      // It is gone, or not for this client any more: nothing more is to be told of it.
      if (!signal.aborted) this.remove(address);
    }
  }
}
