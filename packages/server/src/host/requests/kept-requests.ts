/**
 * Requests with an idempotency key, which are done once: what a request is and how it was answered is stored in the batch of its
 * commit. So it survives whatever the commit survives, and every process that writes to the store later finds it.
 */
import { platform } from '#host-platform';
import { KeyedMutex, yieldTurn } from '@quadrille/model';
import type { HostedDatabase } from 'quadrille/host';
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
  /** Digest of the body, or of its beginning where it is long; absent if the server did not need all of it. */
  readonly body?: string | undefined;
  /** Length of the body in bytes, where {@link body} is there. */
  readonly length?: number | undefined;
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
/** Keys that an account may have. Beyond them its oldest ones go earlier. A key takes about 300 bytes, and at most 4 KB. */
const MOST_KEYS = 65_536;
/** Bytes of all records. Beyond them the oldest ones go of the account that has most. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Old keys that one write may take away. */
const MOST_GONE = 16;
/** Records that are removed together, where nobody waits. */
const SWEPT_AT_ONCE = 256;
/** Bytes of a record apart from its answer. */
const RECORD_BYTES = 200;
/** Characters of an id: 132 bits. */
const ID_LENGTH = 22;
const FIRST_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

interface Known {
  readonly time: number;
  readonly bytes: number;
}

/** The keys of an account, the oldest first. */
class AccountKeys {
  bytes = 0;
  readonly #keys = new Map<string, Known>();

  /** @param total the bytes of all accounts */
  constructor(private readonly total: { bytes: number }) {}

  get size(): number {
    return this.#keys.size;
  }

  timeOf(id: string): number | undefined {
    return this.#keys.get(id)?.time;
  }

  /** A key that is used again becomes the youngest one. */
  put(id: string, known: Known): void {
    this.remove(id);
    this.#keys.set(id, known);
    this.bytes += known.bytes;
    this.total.bytes += known.bytes;
  }

  remove(id: string): void {
    const bytes = this.#keys.get(id)?.bytes ?? 0;
    this.bytes -= bytes;
    this.total.bytes -= bytes;
    this.#keys.delete(id);
  }

  /** Removes the oldest keys while there are some that have to go, at most as many as fit into `gone`. */
  take(hasToGo: (known: Known) => boolean, gone: string[], most: number): void {
    for (const [id, known] of this.#keys) {
      if (gone.length >= most || !hasToGo(known)) return;
      this.remove(id);
      gone.push(id);
    }
  }
}

/** The requests of all accounts that were done with a key. */
export class KeptRequests {
  readonly #records: Records<StoredRequest>;
  readonly #running = new KeyedMutex();
  /** Accounts are asked in turn for old keys. */
  #known: Promise<Map<string, AccountKeys>> | undefined;
  #loaded: Map<string, AccountKeys> | undefined;
  readonly #total = { bytes: 0 };

  constructor(
    private readonly database: Pick<HostedDatabase, 'records'>,
    private readonly now: () => number,
    private readonly most = MOST_KEYS,
    private readonly mostBytes = MOST_BYTES,
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
    const time = known.get(accountOf(place))?.timeOf(id);
    if (time === undefined || time <= this.#oldest) return undefined;
    return this.#records.get(id);
  }

  /** The writes that keep a request, for the batch of its commit. {@link find} has been called before. */
  changes(place: RequestPlace, request: KeptRequest): RecordChange[] {
    const known = this.#loaded!;
    const id = idOf(place);
    const account = accountOf(place);
    const time = this.now();
    let keys = known.get(account);
    if (keys === undefined) known.set(account, (keys = new AccountKeys(this.#total)));
    keys.put(id, { time, bytes: bytesOf(request) });
    const { repository } = place;
    const stored: StoredRequest = { ...request, time, account: place.account, repository };
    return [this.#records.change(id, stored), ...this.#gone(known, keys).map((old) => this.#records.removal(old))];
  }

  /** Keeps a request that has made no commit, or one whose answer is known only after the commit. */
  put(place: RequestPlace, request: KeptRequest): Promise<void> {
    return this.database.records.write(this.changes(place, request));
  }

  /** Removes what is older than a day, also where no request with a key comes any more. */
  async sweep(): Promise<void> {
    const known = await this.#load();
    for (const [account, keys] of known) {
      for (;;) {
        const gone: string[] = [];
        keys.take(({ time }) => time <= this.#oldest, gone, SWEPT_AT_ONCE);
        if (keys.size === 0) known.delete(account);
        if (gone.length === 0) break;
        await this.#records.delete(gone);
      }
    }
  }

  get #oldest(): number {
    return this.now() - KEPT_MS;
  }

  /** Takes keys that have to go out of the memory: of this account, of the one whose turn it is, and of the one with most bytes. */
  #gone(known: Map<string, AccountKeys>, own: AccountKeys): string[] {
    const oldest = this.#oldest;
    const gone: string[] = [];
    const take = (keys: AccountKeys): void =>
      keys.take(({ time }) => time <= oldest || keys.size > this.most, gone, MOST_GONE);
    const [next] = known;
    if (next !== undefined) {
      const [account, keys] = next;
      known.delete(account);
      take(keys);
      if (keys.size > 0) known.set(account, keys);
    }
    take(own);
    while (this.#total.bytes > this.mostBytes && gone.length < MOST_GONE) {
      const largest = Array.from(known.values()).reduce((a, b) => (b.bytes > a.bytes ? b : a));
      // The record that is being written stays, whatever its size.
      if (largest.size < 2) break;
      largest.take(() => true, gone, gone.length + 1);
    }
    return gone;
  }

  #load(): Promise<Map<string, AccountKeys>> {
    // A failure is not kept: the next request reads again.
    return (this.#known ??= this.#read().catch((error: unknown) => {
      this.#known = undefined;
      throw error;
    }));
  }

  async #read(): Promise<Map<string, AccountKeys>> {
    const found: (Known & { readonly id: string; readonly account: string })[] = [];
    // In parts, so that many keys do not hold the event loop.
    for (const first of FIRST_CHARACTERS) {
      for (const [id, stored] of await this.#records.list(first))
        found.push({ id, account: stored.account ?? '', time: stored.time, bytes: bytesOf(stored) });
      await yieldTurn();
    }
    const known = new Map<string, AccountKeys>();
    for (const { id, account, ...key } of found.toSorted((a, b) => a.time - b.time)) {
      let keys = known.get(account);
      if (keys === undefined) known.set(account, (keys = new AccountKeys(this.#total)));
      keys.put(id, key);
    }
    return (this.#loaded = known);
  }
}

function bytesOf({ answer: { headers, body = '' } }: KeptRequest): number {
  return RECORD_BYTES + JSON.stringify(headers).length + body.length;
}

const accountOf = ({ account = '' }: RequestPlace): string => account;

function idOf(place: RequestPlace): string {
  const { account = '', repository, key } = place;
  return (place.id ??= platform
    .toBase64Url(platform.sha256(JSON.stringify([account, repository, key])))
    .slice(0, ID_LENGTH));
}
