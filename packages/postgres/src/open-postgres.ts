/** The storage of a store in PostgreSQL. */

import { hostname } from 'node:os';
import { SharedServer, SharedStorage, type SliceCache } from '@quadrille/storage-shared';
import { PostgresDriver } from './postgres-driver.js';

/** How other processes name this one. */
const label = `process ${process.pid} on ${hostname()}`;

/** Options of {@link joinPostgres}. */
export interface JoinPostgresOptions {
  /** The URL at which the other servers reach this one. Default: none. */
  readonly advertise?: string | undefined;
  /** Keeps what was read near. The server closes it. Default: none. */
  readonly cache?: SliceCache | undefined;
}

/**
 * One server of several over a database, not open yet.
 * @param url `postgres://user@host:5432/database`; several hosts by commas
 * @throws InvalidArgumentError `INVALID_OPTION` if it is no such URL
 */
export function joinPostgres(url: string, { advertise, cache }: JoinPostgresOptions = {}): SharedServer {
  const connect = (): PostgresDriver => new PostgresDriver(url);
  return new SharedServer(connect, { label, cache, ...(advertise === undefined ? {} : { url: advertise }) });
}

/** Options of {@link openPostgres}. */
export interface OpenPostgresOptions {
  /** Whether it reads only. Then it does not take the store over. Default false. */
  readonly readOnly?: boolean;
  /** Whether it shows what other processes write. Then it reads only. Default false. */
  readonly follow?: boolean;
  /** Whether to create the tables if they are missing. Default true. */
  readonly create?: boolean;
  /** Keeps what was read near. The storage closes it. Default: none. */
  readonly cache?: SliceCache | undefined;
  /** How long to wait until another process closes the store, in milliseconds. Default 0. */
  readonly lockTimeoutMs?: number;
}

/**
 * A storage over a database, not open yet. Give it to `open({ storage })`, or give the URL to `open`.
 * @param url `postgres://user@host:5432/database`; several hosts by commas
 * @throws InvalidArgumentError `INVALID_OPTION` if it is no such URL
 */
export function openPostgres(
  url: string,
  { readOnly = false, follow = false, create = true, lockTimeoutMs = 0, cache }: OpenPostgresOptions = {},
): SharedStorage {
  return new SharedStorage(new PostgresDriver(url, { create }), { readOnly, follow, lockTimeoutMs, cache, label });
}
