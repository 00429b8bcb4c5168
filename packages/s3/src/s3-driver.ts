/** A shared store in a bucket of a service that speaks S3 and has conditional writes. */

import type { Bytes } from '@quadrille/storage';
import type {
  AppendOutcome,
  Change,
  Heartbeat,
  Known,
  NewEntry,
  Pack,
  PackInfo,
  PackSlice,
  ServerBeat,
  SharedDriver,
} from '@quadrille/storage-shared';
import { Bucket, type BucketOptions } from './bucket.js';
import { Credentials, type CredentialsSource } from './credentials.js';
import { Logs } from './logs.js';
import { openMark } from './mark.js';
import type { Transport } from './object-request.js';
import { Packs } from './packs.js';
import { placeOf } from './place.js';
import { Roots } from './roots.js';
import { Servers } from './servers.js';
import { signedTransport } from './transport.js';

/** Options of {@link S3Driver}. */
export interface S3Options {
  /** Keys of the service. Default: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`. */
  readonly credentials?: CredentialsSource;
  /** Whether to make the store if it is not there. Default true. */
  readonly create?: boolean;
  /** Whether it only reads. Then it writes nothing. Default false. */
  readonly readOnly?: boolean;
  /** How long an answer may take, in milliseconds; a long body gets a second more for each 256 KiB. Default 5,000. */
  readonly attemptMs?: number;
  /** How long a request is repeated while the service does not answer or is busy, in milliseconds. Default 10,000. */
  readonly requestMs?: number;
  /** Sends one request. Default: over HTTP, signed. For tests. */
  readonly transport?: Transport;
  /** Waits between attempts. Default: 50 ms and longer each time, up to 2 s. For tests. */
  readonly pause?: (attempt: number) => Promise<void>;
}

/** A driver over the objects of a bucket. */
export class S3Driver implements SharedDriver {
  readonly name = 's3';
  readonly #bucket: Bucket;
  readonly #roots: Roots;
  readonly #logs: Logs;
  readonly #packs: Packs;
  readonly #servers: Servers;
  readonly #mark: { readonly create: boolean; readonly readOnly: boolean };

  /**
   * @param url `s3://bucket/prefix?endpoint=https://host:port&region=name`
   * @throws InvalidArgumentError `INVALID_OPTION` if it is no such URL
   */
  constructor(url: string, options: S3Options = {}) {
    const { create = true, readOnly = false, credentials, attemptMs = 5000, transport, requestMs, pause } = options;
    const place = placeOf(url, process.env);
    const send = transport ?? signedTransport(place, new Credentials(credentials, process.env), attemptMs);
    const bucketOptions: BucketOptions = {
      ...(requestMs === undefined ? {} : { requestMs }),
      ...(pause === undefined ? {} : { pause }),
    };
    this.#bucket = new Bucket(send, place.prefix, bucketOptions);
    this.#roots = new Roots(this.#bucket);
    this.#logs = new Logs(this.#bucket, this.#roots);
    this.#packs = new Packs(this.#bucket);
    this.#servers = new Servers(this.#bucket);
    this.#mark = { create, readOnly };
  }

  /**
   * Makes the store if it is not there. A driver that may write finds out first whether the service keeps to the
   * conditions of writes.
   * @throws StorageError `STORE_ACCESS`, `STORE_UNAVAILABLE`, `STORE_UNSAFE`; StateError `NOT_A_STORE`, `READ_ONLY`;
   * NotFoundError `STORE_NOT_FOUND` with `create: false`; CorruptionError `FORMAT_VERSION`
   */
  open(): Promise<void> {
    return openMark(this.#bucket, this.#mark);
  }

  /** Does nothing: connections end by themselves. */
  async close(): Promise<void> {}

  append(entry: NewEntry): Promise<AppendOutcome> {
    return this.#logs.append(entry);
  }

  async check(known: readonly Known[]): Promise<readonly Change[]> {
    const changes = await Promise.all(known.map((one) => this.#logs.check(one)));
    return changes.filter((change) => change !== undefined);
  }

  casRoot(log: number, body: Bytes, version: number): Promise<'ok' | 'conflict' | 'unknown'> {
    return this.#roots.replace(log, body, version);
  }

  putPacks(log: number, packs: readonly Pack[]): Promise<void> {
    return this.#packs.put(log, packs);
  }

  getPacks(log: number, slices: readonly PackSlice[]): Promise<readonly (Bytes | undefined)[]> {
    return this.#packs.get(log, slices);
  }

  listPacks(log: number): Promise<readonly PackInfo[]> {
    return this.#packs.list(log);
  }

  deletePacks(log: number, ids: readonly string[]): Promise<void> {
    return this.#packs.delete(log, ids);
  }

  trim(log: number, before: number): Promise<void> {
    return this.#logs.trim(log, before);
  }

  heartbeat(self: Heartbeat): Promise<readonly ServerBeat[]> {
    return this.#servers.beat(self);
  }

  servers(): Promise<readonly ServerBeat[]> {
    return this.#servers.all();
  }

  forget(server: string): Promise<void> {
    return this.#servers.forget(server);
  }

  /** Does nothing: the service answers a write when it has it on several disks. */
  async barrier(): Promise<void> {}
}
