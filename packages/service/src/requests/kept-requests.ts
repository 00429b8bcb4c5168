/**
 * Requests with an idempotency key, which are done once: what a request is and how it was answered is stored in the batch of its
 * commit. So it survives whatever the commit survives, and every process that writes to the store later finds it.
 */
import { platform } from '#service-platform';
import { KeyedMutex, yieldTurn } from '@quadrille/model';
import type { Database } from 'quadrille';
import { type RecordChange, Records } from '../records.js';

/** Whose key it is, and where it was used. Keys of other accounts and of other repositories are other keys. */
export interface RequestPlace {
  /** `undefined` where nobody is asked for credentials. */
  readonly account: string | undefined;
  /** `account/repository`. */
  readonly repository: string;
  /** The key that the client has chosen. */
  readonly key: string;
  /** A digest of the others, once it was needed. */
  id?: string;
}

/** The answer to a request that was done. */
export interface KeptAnswer {
  /** Status of HTTP. */
  readonly status: number;
  /** UUID of the revision that the request made, or that was the current one. */
  readonly revision: string;
  /** Headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** A short body. */
  readonly body?: string | undefined;
}

/** A request that was done. */
export interface KeptRequest {
  /** Digest of everything but the body. */
  readonly head: string;
  /** Digest of the body; absent if the server did not need all of it. */
  readonly body?: string | undefined;
  /** How it was answered. */
  readonly answer: KeptAnswer;
}

interface StoredRequest extends KeptRequest {
  /** When it was done, in milliseconds since 1970. */
  readonly time: number;
  readonly account?: string | undefined;
  /** `account/repository`. Earlier versions did not keep it. */
  readonly repository?: string;
}

/** How long a key is kept. */
const KEPT_MS = 24 * 60 * 60_000;
/** Keys that an account may have. Beyond them its oldest ones go earlier. A key takes about 300 bytes. */
const MOST_KEYS = 65_536;
/** Old keys that one write may take away. */
const MOST_GONE = 16;
/** Characters of an id: 132 bits. */
const ID_LENGTH = 22;
const FIRST_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The requests of all accounts that were done with a key. */
export class KeptRequests {
  readonly #records: Records<StoredRequest>;
  readonly #running = new KeyedMutex();
  /** By account: the times of its keys by their ids, the oldest first. Accounts are asked in turn for old keys. */
  #known: Promise<Map<string, Map<string, number>>> | undefined;
  #loaded: Map<string, Map<string, number>> | undefined;

  constructor(
    private readonly database: Pick<Database, 'records'>,
    private readonly now: () => number,
    private readonly most = MOST_KEYS,
  ) {
    this.#records = new Records(database.records, 'request');
  }

  /** Runs a section when no other one with the same key runs. */
  alone<T>(place: RequestPlace, section: () => Promise<T>): Promise<T> {
    return this.#running.run(idOf(place), section);
  }

  /** The request that was done with a key; `undefined` if none was, or it is too long ago. */
  async find(place: RequestPlace): Promise<KeptRequest | undefined> {
    const known = await this.#load();
    const id = idOf(place);
    const time = known.get(accountOf(place))?.get(id);
    if (time === undefined || time <= this.now() - KEPT_MS) return undefined;
    return this.#records.get(id);
  }

  /** The writes that keep a request, for the batch of its commit. {@link find} has been called before. */
  changes(place: RequestPlace, request: KeptRequest): RecordChange[] {
    const known = this.#loaded!;
    const id = idOf(place);
    const account = accountOf(place);
    const time = this.now();
    let keys = known.get(account);
    if (keys === undefined) known.set(account, (keys = new Map()));
    // A key that is used again becomes the youngest one.
    keys.delete(id);
    keys.set(id, time);
    const { repository } = place;
    const stored: StoredRequest = { ...request, time, account: place.account, repository };
    return [this.#records.change(id, stored), ...this.#gone(known, keys).map((old) => this.#records.removal(old))];
  }

  /** Keeps a request that has made no commit, or one whose answer is known only after the commit. */
  put(place: RequestPlace, request: KeptRequest): Promise<void> {
    return this.database.records.write(this.changes(place, request));
  }

  /** Takes old keys of this account, and of the one whose turn it is, out of the memory. */
  #gone(known: Map<string, Map<string, number>>, own: Map<string, number>): string[] {
    const oldest = this.now() - KEPT_MS;
    const gone: string[] = [];
    const [next] = known;
    if (next !== undefined) {
      const [account, keys] = next;
      known.delete(account);
      takeOld(keys, oldest, this.most, gone);
      if (keys.size > 0) known.set(account, keys);
    }
    takeOld(own, oldest, this.most, gone);
    return gone;
  }

  #load(): Promise<Map<string, Map<string, number>>> {
    // A failure is not kept: the next request reads again.
    return (this.#known ??= this.#read().catch((error: unknown) => {
      this.#known = undefined;
      throw error;
    }));
  }

  async #read(): Promise<Map<string, Map<string, number>>> {
    const found: { readonly id: string; readonly account: string; readonly time: number }[] = [];
    // In parts, so that many keys do not hold the event loop.
    for (const first of FIRST_CHARACTERS) {
      for (const [id, { account = '', time }] of await this.#records.list(first)) found.push({ id, account, time });
      await yieldTurn();
    }
    const known = new Map<string, Map<string, number>>();
    for (const { id, account, time } of found.toSorted((a, b) => a.time - b.time)) {
      const keys = known.get(account);
      if (keys === undefined) known.set(account, new Map([[id, time]]));
      else keys.set(id, time);
    }
    return (this.#loaded = known);
  }
}

/** Moves the ids of old keys, and of those that are too many, to `gone`. */
function takeOld(keys: Map<string, number>, oldest: number, most: number, gone: string[]): void {
  for (const [id, time] of keys) {
    if (gone.length >= MOST_GONE || (time > oldest && keys.size <= most)) return;
    keys.delete(id);
    gone.push(id);
  }
}

const accountOf = ({ account = '' }: RequestPlace): string => account;

function idOf(place: RequestPlace): string {
  const { account = '', repository, key } = place;
  return (place.id ??= platform
    .toBase64Url(platform.sha256(JSON.stringify([account, repository, key])))
    .slice(0, ID_LENGTH));
}
