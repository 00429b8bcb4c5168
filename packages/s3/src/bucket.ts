/** The objects of a store: reads, conditional writes, lists. Keys are without the prefix of the store. */

import { StorageError } from '@quadrille/model';
import type { Bytes } from '@quadrille/storage';
import { parseList, type Listed } from './list.js';
import { isBusy, refusal, unavailable } from './s3-errors.js';
import { NoAnswer, type ObjectAnswer, type ObjectRequest, type Transport } from './object-request.js';

/** Options of the requests. */
export interface BucketOptions {
  /** How long a request is repeated while the service does not answer, or is busy, in milliseconds. Default 10,000. */
  readonly requestMs?: number;
  /** Waits between attempts. Default: by a timer, 50 ms and longer each time, up to 2 s. */
  readonly pause?: (attempt: number) => Promise<void>;
}

/** An object, or that it is not there, or that it is still the known one. */
export type Found =
  | { readonly is: 'there'; readonly bytes: Bytes; readonly etag: string }
  | { readonly is: 'absent' }
  | { readonly is: 'known' };

/** When an object is written: only if there is none, or only in place of a known one. */
export type Condition = { readonly absent: true } | { readonly etag: string };

/**
 * - `ok`: the object was written.
 * - `refused`: the condition does not hold.
 * - `unknown`: it may have been written, or may still be.
 */
export type PutOutcome = { readonly is: 'ok'; readonly etag: string } | { readonly is: 'refused' | 'unknown' };

const defaultPause = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.min(50 * 2 ** attempt, 2000) * (0.5 + Math.random() / 2)));

export class Bucket {
  readonly #transport: Transport;
  readonly #prefix: string;
  readonly #options: Required<BucketOptions>;
  /** Whether the service has answered once. One that never has is not waited for: its address may be wrong. */
  #answered = false;

  constructor(transport: Transport, prefix: string, { requestMs = 10_000, pause = defaultPause }: BucketOptions = {}) {
    this.#transport = transport;
    this.#prefix = prefix;
    this.#options = { requestMs, pause };
  }

  /**
   * Reads an object.
   * @param known the ETag of the object that the caller has
   */
  async get(key: string, known?: string): Promise<Found> {
    const headers = known === undefined ? {} : { 'if-none-match': known };
    const answer = await this.#send(`read ${key}`, { method: 'GET', key: this.#prefix + key, headers });
    if (answer.status === 304) return { is: 'known' };
    if (answer.status === 404) return { is: 'absent' };
    return { is: 'there', bytes: answer.body, etag: answer.header('etag') ?? '' };
  }

  /** Reads a part of an object; `undefined` if it is not there. */
  async getPart(key: string, from: number, length: number): Promise<Bytes | undefined> {
    const headers = { range: `bytes=${from}-${from + length - 1}` };
    const answer = await this.#send(`read ${key}`, { method: 'GET', key: this.#prefix + key, headers });
    if (answer.status === 404) return undefined;
    // A service may ignore the range.
    const bytes = answer.status === 206 ? answer.body : answer.body.subarray(from, from + length);
    if (bytes.length !== length) {
      throw new StorageError(
        'STORAGE_IO',
        `Cannot read ${key}: the object store sends ${bytes.length} bytes of ${length}.`,
      );
    }
    return bytes;
  }

  /** Writes an object, in place of the one that is there. */
  async put(key: string, body: Bytes): Promise<void> {
    await this.#send(`write ${key}`, { method: 'PUT', key: this.#prefix + key, body });
  }

  /** Writes an object if the condition holds. It is tried once; the caller finds out what became of it. */
  async putIf(key: string, body: Bytes, condition: Condition): Promise<PutOutcome> {
    const action = `write ${key}`;
    const headers: Record<string, string> =
      'absent' in condition ? { 'if-none-match': '*' } : { 'if-match': condition.etag };
    const request: ObjectRequest = { method: 'PUT', key: this.#prefix + key, headers, body };
    let answer: ObjectAnswer;
    try {
      answer = await this.#transport(request);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      if (!error.sent) throw unavailable(action, error);
      return { is: 'unknown' };
    }
    if (answer.status >= 200 && answer.status < 300) return { is: 'ok', etag: answer.header('etag') ?? '' };
    if (answer.status === 412) return { is: 'refused' };
    // The object that should be replaced is not there.
    if (answer.status === 404 && 'etag' in condition) return { is: 'refused' };
    if (answer.status === 501) throw unsafe('does not know conditions of writes');
    if (isBusy(answer)) return { is: 'unknown' };
    throw refusal(action, answer, true);
  }

  /** Deletes objects. Those that are not there do not matter. */
  async delete(keys: readonly string[]): Promise<void> {
    await inTurns(keys, async (key) => {
      await this.#send(`delete ${key}`, { method: 'DELETE', key: this.#prefix + key });
    });
  }

  /** The objects whose keys begin with `folder`, by key, in pieces. */
  async *list(folder: string): AsyncGenerator<Listed, void, undefined> {
    let token: string | undefined;
    do {
      const piece = await this.listSome(folder, token === undefined ? {} : { 'continuation-token': token });
      yield piece;
      token = piece.next;
    } while (token !== undefined);
  }

  /** One piece of a list. */
  async listSome(folder: string, query: Readonly<Record<string, string>>): Promise<Listed> {
    const prefix = this.#prefix + folder;
    const answer = await this.#send(`list ${folder === '' ? 'the store' : folder}`, {
      method: 'GET',
      key: '',
      query: { 'list-type': '2', prefix, ...query },
    });
    return parseList(answer, this.#prefix.length);
  }

  /** Waits before another attempt. */
  pause(attempt: number): Promise<void> {
    return this.#options.pause(attempt);
  }

  /** Repeats a request that may be repeated, until it is answered. */
  async #send(action: string, request: ObjectRequest): Promise<ObjectAnswer> {
    const until = performance.now() + this.#options.requestMs;
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await this.#transport(request);
        this.#answered = true;
        if (answer.status < 300 || answer.status === 304) return answer;
        const isList = request.query !== undefined;
        if (answer.status === 404 && !isList && !noBucket(answer)) return answer;
        if (!isBusy(answer) || performance.now() > until) throw refusal(action, answer, request.method !== 'GET');
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        if (performance.now() > until || (!this.#answered && attempt > 0)) throw unavailable(action, error);
      }
      await this.#options.pause(attempt);
    }
  }
}

const noBucket = ({ body }: ObjectAnswer): boolean => new TextDecoder().decode(body).includes('NoSuchBucket');

/** The service lets one of two writers overwrite what the other has written. */
export function unsafe(what: string): StorageError {
  return new StorageError(
    'STORE_UNSAFE',
    `The object store ${what}, so commits could get lost. Use a service with conditional writes (If-None-Match and If-Match).`,
  );
}

/** Requests that are under way at once. */
const AT_ONCE = 16;

/** Calls `work` for each item, some at once. Answers come in the order of the items. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const i = next++;
      results[i] = await work(items[i]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
  return results;
}
