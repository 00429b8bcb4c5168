/** Connections to the primary server among the addresses of a URL. After a failover they lead to the new primary. */

import { StorageError } from '@quadrille/model';
import { Pool, type PoolClient, type QueryResultRow } from 'pg';
import type { Address } from './hosts.js';
import { isNotPrepared, isUncertain, onlyReads, standby, toSharedError } from './postgres-errors.js';
import { NAMES, SETTINGS } from './schema.js';

/** A value for a parameter. */
export type Parameter = number | string | Uint8Array | readonly (number | string | undefined)[] | undefined;

/** Options of the connections. */
export interface PrimaryOptions {
  /** Most connections. Default 8. */
  readonly connections?: number;
  /** How long a connection may take, in milliseconds. Default 2,000. */
  readonly connectMs?: number;
  /** How long a statement may take, in milliseconds. Default 10,000. */
  readonly statementMs?: number;
  /** How long a call waits for a primary server, once there was one, in milliseconds. Default 5,000. */
  readonly waitMs?: number;
}

/** Rows of a statement. */
export interface Answer<Row> {
  readonly rows: readonly Row[];
  /** Whether the server warned that the commit did not wait for the standby. */
  readonly unconfirmed: boolean;
}

/** Runs one statement. */
export type Ask = <Row extends QueryResultRow>(text: string, values?: readonly Parameter[]) => Promise<Answer<Row>>;

/** Begins the warning with which PostgreSQL ends the wait for a standby. The commit is then on the primary alone. */
const UNCONFIRMED = /canceling wait for synchronous replication|canceling the wait for synchronous replication/;

/** All connections are busy. That says nothing of the server. */
const BUSY = 'timeout exceeded when trying to connect';
/**
 * Most statements of a connection, and its longest life in seconds. The plan of a prepared statement may be that of a small table,
 * although the table has grown: a new connection plans anew.
 */
const MOST_USES = 20_000;
const MOST_SECONDS = 300;
/** Time between two looks for the primary, in milliseconds. */
const LOOK_MS = 100;

interface Settings {
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly synchronous_commit: string;
  readonly standby: boolean;
}

export class Primary {
  readonly #addresses: readonly Address[];
  readonly #options: Required<PrimaryOptions>;
  #pool: Promise<Pool> | undefined;
  /** Whether a primary server was found. A URL that has never worked is not waited for. */
  #found = false;
  /** Whether the server keeps statements that were prepared. */
  #prepares = true;
  #closed = false;

  constructor(addresses: readonly Address[], options: PrimaryOptions = {}) {
    this.#addresses = addresses;
    this.#options = { connections: 8, connectMs: 2000, statementMs: 10_000, waitMs: 5000, ...options };
  }

  /**
   * Runs one statement.
   * @param waitMs how long to wait for a primary server
   * @throws Error of the client, after which {@link isUncertain} says whether it may have had its effect; StorageError
   * `STORE_UNAVAILABLE` if there is no primary: it had none
   */
  query<Row extends QueryResultRow>(
    text: string,
    values: readonly Parameter[] = [],
    waitMs = this.#options.waitMs,
  ): Promise<Answer<Row>> {
    return this.use((query) => query<Row>(text, values), waitMs);
  }

  /** Runs statements, each on its own, on one server. */
  async use<Result>(work: (query: Ask) => Promise<Result>, waitMs = this.#options.waitMs): Promise<Result> {
    const { client, pool } = await this.#connect(waitMs);
    let unconfirmed = false;
    const onNotice = ({ message }: { readonly message?: string | undefined }): void => {
      unconfirmed ||= UNCONFIRMED.test(message ?? '');
    };
    client.on('notice', onNotice);
    let failure: Error | undefined;
    try {
      return await work(async <Row extends QueryResultRow>(text: string, values: readonly Parameter[] = []) => {
        unconfirmed = false;
        const rows = await this.#run<Row>(client, text, values.map(toClient));
        return { rows, unconfirmed };
      });
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.off('notice', onNotice);
      // A connection on which an answer may still arrive is not used again.
      const broken = failure !== undefined && isUncertain(failure);
      client.release(broken);
      if (broken || onlyReads(failure)) this.#forget(pool);
    }
  }

  /** Behind a pooler of transactions, a statement that was prepared may be on another connection: then all go without names. */
  async #run<Row extends QueryResultRow>(client: PoolClient, text: string, values: unknown[]): Promise<Row[]> {
    const name = this.#prepares ? NAMES.get(text) : undefined;
    if (name === undefined) return (await client.query<Row>(text, values)).rows;
    try {
      return (await client.query<Row>({ name, text, values })).rows;
    } catch (error) {
      if (!isNotPrepared(error)) throw error;
      this.#prepares = false;
      return (await client.query<Row>(text, values)).rows;
    }
  }

  /** Runs statements as one transaction. */
  async transaction(statements: readonly string[]): Promise<void> {
    const { client } = await this.#connect(this.#options.waitMs);
    let failure: Error | undefined;
    try {
      await client.query('BEGIN');
      for (const statement of statements) await client.query(statement);
      await client.query('COMMIT');
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure !== undefined);
    }
  }

  /** A second call does nothing: a failed open closes, and so does its caller. */
  async close(): Promise<void> {
    this.#closed = true;
    const pool = this.#pool;
    this.#pool = undefined;
    await (await pool?.catch(() => undefined))?.end();
  }

  /** Waits until there is a primary server. Nothing is sent to it. */
  async #connect(waitMs: number): Promise<{ readonly client: PoolClient; readonly pool: Promise<Pool> }> {
    const until = performance.now() + waitMs;
    for (let attempt = 0; ; attempt++) {
      if (this.#closed) throw toSharedError('reach the database', new Error('its connections are closed'));
      const pool = (this.#pool ??= this.#findPrimary());
      try {
        const client = await (await pool).connect();
        this.#found = true;
        return { client, pool };
      } catch (error) {
        if ((error as Error).message !== BUSY) this.#forget(pool);
        const failure = toSharedError('reach the database', error);
        const isOver = attempt > 0 && (!this.#found || performance.now() > until);
        if (isOver || this.#closed || failure.code !== 'STORE_UNAVAILABLE') throw failure;
      }
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** The next call looks for the primary again. A pool that another call has made since stays. */
  #forget(pool: Promise<Pool>): void {
    if (this.#pool !== pool) return;
    this.#pool = undefined;
    pool.then(
      (known) => known.end(),
      () => undefined,
    );
  }

  /**
   * The first server of the URL that is the primary. A server that refuses this database does not end the search: a standby
   * may not have it yet.
   */
  async #findPrimary(): Promise<Pool> {
    const failures: string[] = [];
    let last: unknown;
    let refusal: Error | undefined;
    for (const { name, config } of this.#addresses) {
      const pool = this.#poolOf(name, config);
      try {
        (await pool.connect()).release();
        return pool;
      } catch (error) {
        await pool.end();
        if (!isUncertain(error)) refusal ??= toSharedError(`use the database at ${name}`, error);
        last = error;
        failures.push(`${name}: ${(error as Error).message}`);
      }
    }
    if (refusal !== undefined) throw refusal;
    throw new StorageError('STORE_UNAVAILABLE', `No primary server of the database answers (${failures.join('; ')}).`, {
      cause: last,
    });
  }

  /** Connections to one server. Each new one checks it: the server that was the primary may have come back as a standby. */
  #poolOf(name: string, config: Address['config']): Pool {
    const pool = new Pool({
      ...config,
      max: this.#options.connections,
      connectionTimeoutMillis: this.#options.connectMs,
      query_timeout: this.#options.statementMs,
      keepAlive: true,
      maxUses: MOST_USES,
      maxLifetimeSeconds: MOST_SECONDS,
      application_name: 'quadrille',
      verify: (client, done) => {
        assertPrimary(name, client).then(() => done(), done);
      },
    });
    // A connection that breaks while nobody uses it is replaced when it is needed.
    pool.on('error', () => undefined);
    // One that breaks while it is being released, too: its call has got an error of its own.
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  }
}

/** @throws Error for a standby, for which {@link isUncertain} holds; StorageError `STORE_UNSAFE` */
async function assertPrimary(name: string, client: PoolClient): Promise<void> {
  const { rows } = await client.query<Settings>(SETTINGS);
  const [settings] = rows;
  if (settings?.standby !== false) throw standby();
  assertSafe(name, settings);
}

function assertSafe(name: string, settings: Settings): void {
  const off = (['fsync', 'full_page_writes', 'synchronous_commit'] as const).filter(
    (setting) => settings[setting] === 'off',
  );
  if (off.length === 0) return;
  throw new StorageError(
    'STORE_UNSAFE',
    `The database at ${name} may lose commits that it has acknowledged: ${off.join(', ')} is off. Set it to on.`,
  );
}

/** The client takes bytes as a Buffer, and no readonly array. */
function toClient(value: Parameter): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return value;
}
