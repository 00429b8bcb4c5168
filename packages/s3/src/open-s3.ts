/** The storage of a store in a bucket. */

import { hostname } from 'node:os';
import { SharedServer, SharedStorage, type SliceCache } from '@quadrille/storage-shared';
import type { CredentialsSource } from './credentials.js';
import { S3Driver } from './s3-driver.js';

/** Options of {@link openS3}. */
export interface OpenS3Options {
  /** Keys of the service. Default: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`. */
  readonly credentials?: CredentialsSource;
  /** Whether it reads only. Then it does not take the store over. Default false. */
  readonly readOnly?: boolean;
  /** Whether it shows what other processes write. Then it reads only. Default false. */
  readonly follow?: boolean;
  /** Whether to make the store if it is not there. Default true. */
  readonly create?: boolean;
  /** Keeps what was read near. The storage closes it. Default: none. */
  readonly cache?: SliceCache | undefined;
  /** How long to wait until another process closes the store, in milliseconds. Default 0. */
  readonly lockTimeoutMs?: number;
}

/** Every sign of life is two requests that cost as much as a commit. */
const BEATS = { beatMs: 5000, silenceMs: 15_000 } as const;
/** How other processes name this one. */
const label = `process ${process.pid} on ${hostname()}`;

/** Options of {@link joinS3}. */
export interface JoinS3Options {
  /** The URL at which the other servers reach this one. Default: none. */
  readonly advertise?: string | undefined;
  /** Keys of the service. Default: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`. */
  readonly credentials?: CredentialsSource;
  /** Keeps what was read near. The server closes it. Default: none. */
  readonly cache?: SliceCache | undefined;
}

/**
 * One server of several over a bucket, not open yet.
 * @param url `s3://bucket/prefix?endpoint=https://host:port&region=name`
 * @throws InvalidArgumentError `INVALID_OPTION` if it is no such URL
 */
export function joinS3(url: string, { advertise, credentials, cache }: JoinS3Options = {}): SharedServer {
  const options = credentials === undefined ? {} : { credentials };
  const connect = (): S3Driver => new S3Driver(url, options);
  return new SharedServer(connect, { ...BEATS, label, cache, ...(advertise === undefined ? {} : { url: advertise }) });
}

/**
 * A storage over a bucket, not open yet. Give it to `open({ storage })`, or give the URL to `open`.
 * @param url `s3://bucket/prefix?endpoint=https://host:port&region=name`
 * @throws InvalidArgumentError `INVALID_OPTION` if it is no such URL
 */
export function openS3(url: string, options: OpenS3Options = {}): SharedStorage {
  const { follow = false, readOnly = follow, create = true, lockTimeoutMs = 0, credentials, cache } = options;
  const driver = new S3Driver(url, { create, readOnly, ...(credentials === undefined ? {} : { credentials }) });
  return new SharedStorage(driver, { ...BEATS, readOnly, follow, lockTimeoutMs, cache, label });
}
