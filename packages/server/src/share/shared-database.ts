/** A database that the processes of a machine share: in the one that holds the store it is that of the library, in others that of the client. */
import { request as begin } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { QuadrilleError, StateError } from '@quadrille/model';
import type { Database } from 'quadrille';
import type { SharedPlace } from 'quadrille/host';
import { SocketWire } from './exchange.js';
import { GuestDatabase } from './guest-database.js';
import { GuestFetch, PATIENCE_MS } from './guest-fetch.js';
import type { Holder } from './holder.js';
import { HOLDER, LINK } from './protocol.js';

/** Time between two looks for a holder, in milliseconds; and after some time without one. */
const LOOK_MS = 20;
const LATER_MS = 250;
/** How long ago a lock was taken by a process that may still be opening the store, and listens later. */
const OPENING_MS = 30_000;

/** Holds the store, or joins the process that does. @throws as `open` */
export async function openShared(place: SharedPlace): Promise<Database> {
  const shared = new SharedDatabase(place);
  const until = performance.now() + PATIENCE_MS;
  await shared.enter((locked) => performance.now() > until && !isOpening(locked), true);
  return shared.database;
}

/** Joins the process that holds the store; `undefined` where it does not share it. */
export async function joinShared(place: SharedPlace): Promise<Database | undefined> {
  const shared = new SharedDatabase(place);
  return (await shared.join()) ? shared.database : undefined;
}

/** What this process holds. */
interface Held {
  readonly database: Database;
  readonly holder: Holder;
}

/** Opening takes long where the journal is long, or the machine has much to do. */
const isOpening = (locked: unknown): boolean =>
  locked instanceof QuadrilleError && Date.now() - Date.parse(String(locked.details['started'])) < OPENING_MS;

const isLocked = (error: unknown): boolean => error instanceof QuadrilleError && error.code === 'STORE_LOCKED';

class SharedDatabase {
  #held: Held | undefined;
  #link: Socket | undefined;
  #reaching: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #address = '';
  readonly #fetch: GuestFetch;
  readonly #guest: GuestDatabase;
  /** What the program sees. Each member is that of the present role. */
  readonly database: Database;

  constructor(private readonly place: SharedPlace) {
    this.#fetch = new GuestFetch(
      {
        own: () => this.#held?.holder.handler,
        readOnly: place.readOnly,
        reach: (until) => this.#reach(until),
      },
      new SocketWire(() => this.#address),
    );
    this.#guest = new GuestDatabase(place, this.#fetch.fetch, () => {
      if (this.#closing !== undefined)
        throw new StateError('STORE_NOT_OPEN', `the store ${this.place.location} is closed`);
    });
    this.database = facade(() => this.#held?.database ?? this.#guest.database, {
      role: () => (this.#held === undefined ? 'guest' : 'holder'),
      close: () => this.#close(),
      location: place.location,
    });
  }

  /**
   * Takes the store, or joins the process that has it.
   * @param isOver whether it gives up, by the error of the lock
   * @throws StateError `STORE_LOCKED`; what opening it throws
   */
  async enter(isOver: (locked: unknown) => boolean, create: boolean): Promise<void> {
    for (;;) {
      if (await this.join()) return;
      const locked = await this.#take(create);
      if (locked === undefined) return;
      if (this.#closing !== undefined || isOver(locked)) throw locked;
      await sleep(LOOK_MS);
    }
  }

  /** Whether there is a process that shares the store. */
  async join(): Promise<boolean> {
    // There is no directory yet.
    const address = await this.place.address().catch(() => undefined);
    if (address === undefined) return false;
    this.#address = address;
    const link = await linkTo(address);
    if (link === undefined) return false;
    this.#fetch.renew(link.holder);
    this.#link = link.socket;
    link.socket.once('close', () => {
      if (this.#link !== link.socket) return;
      this.#link = undefined;
      void this.#lookAgain();
    });
    return true;
  }

  /** Takes the store if nobody has it. @returns the error of the lock */
  async #take(create: boolean): Promise<unknown> {
    if (this.place.readOnly) return new StateError('STORE_LOCKED', 'no process shares the store any more');
    let database: Database;
    try {
      database = await this.place.openOwn(create);
    } catch (error) {
      if (isLocked(error)) return error;
      throw error;
    }
    try {
      this.#address = await this.place.address();
      const { holdFor } = await import('./holder.js');
      const holder = await holdFor(database, () => this.database, this.#address);
      this.#held = { database, holder };
    } catch (error) {
      await database.close();
      throw error;
    }
    return undefined;
  }

  /** The holder is gone. One of the guests takes over, also where nobody asks for anything. */
  async #lookAgain(): Promise<void> {
    while (!this.#isConnected && this.#closing === undefined) {
      try {
        await this.#reach(performance.now() + PATIENCE_MS);
      } catch (error) {
        if (this.#closing !== undefined) return;
        this.place.logger?.warn('no process holds the shared store', { error: String(error) });
        await sleep(LATER_MS, undefined, { ref: false });
      }
    }
  }

  get #isConnected(): boolean {
    return this.#held !== undefined || this.#link !== undefined;
  }

  /** Waits for a holder: another process, or this one. One look at a time, for all who wait. */
  async #reach(until: number): Promise<void> {
    if (this.#closing !== undefined) throw new StateError('STORE_NOT_OPEN', 'the store is closed');
    // Its link may not have told yet that it is gone.
    if (this.#isConnected) return void (await sleep(LOOK_MS));
    const isOver = (): boolean => performance.now() > until;
    await (this.#reaching ??= this.enter(isOver, false).finally(() => (this.#reaching = undefined)));
  }

  #close(): Promise<void> {
    return (this.#closing ??= this.#end());
  }

  async #end(): Promise<void> {
    await this.#reaching?.catch(() => undefined);
    const link = this.#link;
    this.#link = undefined;
    link?.destroy();
    this.#guest.close();
    this.#fetch.close();
    await this.#held?.holder.close();
    await this.#held?.database.close();
  }
}

interface Link {
  readonly socket: Socket;
  /** The id of the holder's process. */
  readonly holder: number | undefined;
}

/** A connection that lives as long as the holder; `undefined` where nobody listens. */
function linkTo(address: string): Promise<Link | undefined> {
  return new Promise((resolve) => {
    const outgoing = begin({ socketPath: address, path: LINK, headers: { Host: 'localhost' }, agent: false });
    const none = (): void => {
      clearTimeout(timer);
      outgoing.destroy();
      resolve(undefined);
    };
    // A holder that is suspended has the connection taken by the system.
    const timer = setTimeout(none, PATIENCE_MS);
    outgoing.once('error', none);
    outgoing.once('response', (incoming) => {
      clearTimeout(timer);
      if (incoming.statusCode !== 200) return none();
      outgoing.off('error', none).on('error', () => undefined);
      incoming.on('error', () => undefined).resume();
      incoming.once('end', () => incoming.socket.destroy());
      const holder = Number(incoming.headers[HOLDER]);
      resolve({ socket: incoming.socket.unref(), holder: Number.isSafeInteger(holder) ? holder : undefined });
    });
    outgoing.end();
  });
}

interface Shown {
  readonly role: () => 'holder' | 'guest';
  readonly close: () => Promise<void>;
  readonly location: string;
}

/** A database whose members are those of another one at each call. */
function facade(now: () => Database, { role, close, location }: Shown): Database {
  const own: Readonly<Record<PropertyKey, () => unknown>> = {
    role,
    close: () => close,
    location: () => location,
    [Symbol.asyncDispose]: () => close,
  };
  const inspected = {
    [Symbol.for('nodejs.util.inspect.custom')]: () => `Database ${location} (${now().state}, ${role()})`,
  };
  return new Proxy(inspected as object as Database, {
    has: (_, name) => name in own || name in now(),
    get(_, name) {
      const shown = own[name as string];
      if (shown !== undefined) return shown();
      const database = now();
      const value: unknown = Reflect.get(database, name, database);
      return typeof value === 'function' ? (value as (...given: unknown[]) => unknown).bind(database) : value;
    },
  });
}
