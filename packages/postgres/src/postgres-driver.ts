/** A shared store in PostgreSQL. Each call is one statement, so it works behind pgbouncer's transaction pooling. */

import { CorruptionError, NotFoundError, StateError } from '@quadrille/model';
import type { Bytes } from '@quadrille/storage';
import type {
  AppendOutcome,
  Change,
  HeardBeats,
  Heartbeat,
  Known,
  LogEntry,
  NewEntry,
  Pack,
  PackInfo,
  PackSlice,
  Root,
  ServerBeat,
  SharedDriver,
} from '@quadrille/storage-shared';
import { addressesOf } from './hosts.js';
import { isUncertain, standby, toSharedError } from './postgres-errors.js';
import { type Ask, Primary, type Parameter, type PrimaryOptions } from './primary.js';
import * as sql from './schema.js';

/** A row of {@link sql.CHECK}. Numbers of 64 bits come as text. */
interface CheckRow {
  readonly kind: 'entry' | 'root' | 'lost' | 'waits' | 'standby';
  readonly log: number;
  readonly number: string;
  readonly id: string;
  readonly epoch: number;
  readonly body: Buffer;
  readonly last: string;
}

/** Options of {@link PostgresDriver}. */
export interface PostgresOptions extends PrimaryOptions {
  /** Whether to create the tables if they are missing. Default true. */
  readonly create?: boolean;
  /** How long a statement waits for one of a session that has gone silent before that session is ended, in milliseconds. Default 3,000. */
  readonly abandonedMs?: number;
}

/** A row of {@link sql.NEWS}: an entry, or the root, which has no id. */
interface NewsRow {
  readonly number: string;
  readonly id: string | null;
  readonly epoch: number;
  readonly body: Buffer | null;
  readonly waits: boolean;
  readonly standby: boolean;
}

interface ServerRow {
  readonly server: string;
  readonly beats: string;
  readonly body: Buffer;
}

/** A driver over a database of PostgreSQL 13 or later. */
export class PostgresDriver implements SharedDriver {
  readonly name = 'postgres';
  readonly #primary: Primary;
  readonly #create: boolean;
  readonly #waitMs: number;
  readonly #abandonedMs: number;
  /** Calls that wait for other sessions, perhaps, the oldest first. */
  readonly #waiting = new Set<{ readonly since: number }>();
  #watch: NodeJS.Timeout | undefined;

  /**
   * @param url `postgres://user@host:5432/database`; several hosts by commas. The password may stand in `PGPASSWORD`
   * @throws InvalidArgumentError `INVALID_OPTION`
   */
  constructor(url: string, { create = true, abandonedMs = 3000, ...options }: PostgresOptions = {}) {
    this.#primary = new Primary(addressesOf(url), options);
    this.#waitMs = options.waitMs ?? 5000;
    this.#create = create;
    this.#abandonedMs = abandonedMs;
  }

  /**
   * Creates the tables if they are missing.
   * @throws StorageError `STORE_ACCESS`, `STORE_UNAVAILABLE`, `STORE_UNSAFE`; StateError `NOT_A_STORE`;
   * NotFoundError `STORE_NOT_FOUND` with `create: false`; CorruptionError `FORMAT_VERSION`
   */
  async open(): Promise<void> {
    try {
      await this.#open();
    } catch (error) {
      await this.#primary.close();
      throw toSharedError('open the database', error);
    }
  }

  close(): Promise<void> {
    return this.#primary.close();
  }

  async append({ log, position, id, previous, epoch, body }: NewEntry): Promise<AppendOutcome> {
    return this.#certain(`append to log ${log}`, async () => {
      // Whoever appends tries again.
      const appended = await this.#primary.query(sql.APPEND, [log, position, id, epoch, body, previous], 0);
      if (appended.rows.length > 0) return appended.unconfirmed ? 'unknown' : 'ok';
      const { rows } = await this.#primary.query<{ there: string | null; before: string | null; some: boolean }>(
        sql.LOOK,
        [log, position],
        0,
      );
      const { there, before, some } = rows[0]!;
      if (there !== null) return there === id ? 'ok' : 'taken';
      if (before === null) return position > 1 || some ? 'gone' : 'unknown';
      // The entry before has come between the two statements.
      return before === previous ? 'unknown' : 'taken';
    });
  }

  async check(known: readonly Known[]): Promise<readonly Change[]> {
    if (known.length === 0) return [];
    const [first] = known;
    if (known.length === 1 && first?.id !== undefined) {
      const news = await this.#news(first);
      if (news !== undefined) return news;
    }
    const parameters = [
      known.map(({ log }) => log),
      known.map(({ after }) => after),
      known.map(({ id }) => id),
      known.map(({ rootVersion }) => rootVersion),
    ];
    const rows = await this.#repeated('read the log', () =>
      this.#primary.use(async (query) => {
        const { rows: found } = await query<CheckRow>(sql.CHECK, parameters);
        // A pool of connections between may lead to another server than before.
        if (found.some(({ kind }) => kind === 'standby')) throw standby();
        const waits = found.some(({ kind }) => kind === 'waits') && found.some(({ kind }) => kind === 'entry');
        if (waits) await confirm(query);
        return found;
      }),
    );
    const byLog = new Map<number, CheckRow[]>();
    for (const row of rows) {
      if (row.kind === 'waits') continue;
      const own = byLog.get(row.log);
      if (own === undefined) byLog.set(row.log, [row]);
      else own.push(row);
    }
    return known.flatMap(({ log }) => {
      const own = byLog.get(log);
      return own === undefined ? [] : [changeOf(log, own)];
    });
  }

  /** What is new behind a known entry; `undefined` if it is not there. */
  async #news({ log, after, id, rootVersion }: Known): Promise<readonly Change[] | undefined> {
    const rows = await this.#repeated('read the log', () =>
      this.#primary.use(async (query) => {
        const { rows: found } = await query<NewsRow>(sql.NEWS, [log, after, rootVersion]);
        if (found.some((row) => row.standby)) throw standby();
        if (found.some((row) => row.waits && Number(row.number) > after)) await confirm(query);
        return found;
      }),
    );
    const entries: LogEntry[] = [];
    let isKnown = false;
    let root: Root | undefined;
    for (const row of rows) {
      const position = Number(row.number);
      if (row.id === null) root = { version: position, body: row.body! };
      else if (position > after) entries.push({ position, id: row.id, epoch: row.epoch, body: row.body! });
      else isKnown = row.id === id;
    }
    if (!isKnown) return undefined;
    if (entries.length === 0 && root === undefined) return [];
    const more = entries.length === sql.NEWS_ENTRIES - 1;
    return [{ log, entries: entries.sort((a, b) => a.position - b.position), more, root, lost: false }];
  }

  async casRoot(log: number, body: Bytes, version: number): Promise<'ok' | 'conflict' | 'unknown'> {
    return this.#certain(`replace the root of log ${log}`, async () => {
      const { rows, unconfirmed } =
        version === 0
          ? await this.#primary.query(sql.CREATE_ROOT, [log, body])
          : await this.#primary.query(sql.REPLACE_ROOT, [log, body, version]);
      if (rows.length === 0) return 'conflict';
      return unconfirmed ? 'unknown' : 'ok';
    });
  }

  async putPacks(log: number, packs: readonly Pack[]): Promise<void> {
    if (packs.length === 0) return;
    const rows = packs.map((_, i) => `($1, $${2 * i + 2}, $${2 * i + 3})`);
    await this.#rows(
      'store packs',
      `INSERT INTO qd_pack (log, pack, body) VALUES ${rows.join()} ON CONFLICT DO NOTHING`,
      [log, ...packs.flatMap(({ id, bytes }) => [id, bytes])],
    );
  }

  async getPacks(log: number, slices: readonly PackSlice[]): Promise<readonly (Bytes | undefined)[]> {
    if (slices.length === 0) return [];
    const rows = await this.#rows<{ bytes: Buffer | null }>('read packs', sql.GET_PACKS, [
      log,
      slices.map(({ pack }) => pack),
      slices.map(({ from }) => from),
      slices.map(({ length }) => length),
    ]);
    return rows.map(({ bytes }) => bytes ?? undefined);
  }

  async listPacks(log: number): Promise<readonly PackInfo[]> {
    const rows = await this.#rows<{ pack: string; bytes: number; age: number }>('list packs', sql.LIST_PACKS, [log]);
    return rows.map(({ pack, bytes, age }) => ({ id: pack, bytes, ageSeconds: age }));
  }

  async deletePacks(log: number, ids: readonly string[]): Promise<void> {
    await this.#rows('delete packs', sql.DELETE_PACKS, [log, ids]);
  }

  async trim(log: number, before: number): Promise<void> {
    await this.#rows('trim the log', sql.TRIM, [log, before]);
  }

  async heartbeat({ server, body }: Heartbeat): Promise<readonly ServerBeat[]> {
    return beatsOf(await this.#rows<ServerRow>('tell that this server lives', sql.HEARTBEAT, [server, body]));
  }

  async heartbeatAndLook({ server, body }: Heartbeat, { log, after, id, rootVersion }: Known): Promise<HeardBeats> {
    const rows = await this.#rows<ServerRow & { readonly news: boolean }>(
      'tell that this server lives',
      sql.HEARTBEAT_AND_LOOK,
      [server, body, log, after, id, rootVersion],
    );
    return { servers: beatsOf(rows), news: rows.some(({ news }) => news) };
  }

  async servers(): Promise<readonly ServerBeat[]> {
    return beatsOf(await this.#rows<ServerRow>('look for other servers', sql.SERVERS));
  }

  async forget(server: string): Promise<void> {
    await this.#rows('forget a server', sql.FORGET, [server]);
  }

  async barrier(): Promise<void> {
    try {
      if ((await this.#primary.query(sql.BARRIER)).unconfirmed) throw unconfirmed();
    } catch (error) {
      throw toSharedError('wait for the standby', error);
    }
  }

  async #open(): Promise<void> {
    const [tables] = await this.#rows<{ meta: boolean; server: boolean }>('look for the tables', sql.HAS_TABLES);
    if (tables?.server !== true) await this.#createTables(tables?.meta === true);
    const [meta] = await this.#rows<{ product: string; format: number }>('read the mark', sql.READ_META);
    if (meta?.product !== 'quadrille') throw notOurs();
    if (meta.format > sql.SCHEMA_VERSION) {
      throw new CorruptionError(
        'FORMAT_VERSION',
        `The database has format ${meta.format}, and this version of Quadrille reads up to ${sql.SCHEMA_VERSION}. Install a newer version.`,
      );
    }
  }

  async #createTables(hasMeta: boolean): Promise<void> {
    if (!this.#create) {
      throw new NotFoundError(
        'STORE_NOT_FOUND',
        'The database has no store of Quadrille. Open it with create, or check the name of the database.',
      );
    }
    // Nothing is created beside a table of this name that another program has made.
    if (hasMeta) await this.#rows('read the mark', sql.READ_META).catch(() => Promise.reject(notOurs()));
    await this.#primary.transaction([sql.LOCK_TABLES, sql.CREATE_TABLES]);
  }

  #rows<Row extends object>(action: string, text: string, values: readonly Parameter[] = []): Promise<readonly Row[]> {
    return this.#unblocked(() =>
      this.#repeated(action, async () => (await this.#primary.query<Row>(text, values)).rows),
    );
  }

  /** Repeats what may be repeated, until it is answered. */
  async #repeated<Result>(action: string, call: () => Promise<Result>): Promise<Result> {
    const until = performance.now() + this.#waitMs;
    for (;;) {
      try {
        return await call();
      } catch (error) {
        if (!isUncertain(error) || performance.now() > until) throw toSharedError(action, error);
      }
    }
  }

  /**
   * While a call waits for long, ends sessions that block it and have gone silent. What they have written is rolled back: it was not acknowledged.
   * A server that is only slow finds its connection broken, and sends the statement again.
   */
  async #unblocked<Result>(call: () => Promise<Result>): Promise<Result> {
    const waiting = { since: performance.now() };
    this.#waiting.add(waiting);
    if (this.#watch === undefined) this.#watchFor(this.#abandonedMs);
    try {
      return await call();
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  /** One timer for all calls: most end long before it. It ends with the last call. */
  #watchFor(milliseconds: number): void {
    this.#watch = setTimeout(() => {
      this.#watch = undefined;
      const [oldest] = this.#waiting;
      if (oldest === undefined) return;
      const left = oldest.since + this.#abandonedMs - performance.now();
      if (left <= 0) this.#primary.query(sql.END_ABANDONED, [this.#abandonedMs], 0).catch(() => undefined);
      this.#watchFor(left > 0 ? left : this.#abandonedMs);
    }, milliseconds);
    this.#watch.unref();
  }

  /** Answers `unknown` where the statement may have had its effect although it failed. */
  async #certain<Outcome>(action: string, call: () => Promise<Outcome>): Promise<Outcome | 'unknown'> {
    try {
      return await this.#unblocked(call);
    } catch (error) {
      if (isUncertain(error)) return 'unknown';
      throw toSharedError(action, error);
    }
  }
}

function changeOf(log: number, rows: readonly CheckRow[]): Change {
  const entries: LogEntry[] = [];
  let root: Root | undefined;
  let last = 0;
  let lost = false;
  for (const row of rows) {
    if (row.kind === 'lost') {
      lost = true;
    } else if (row.kind === 'root') {
      root = { version: Number(row.number), body: row.body };
    } else {
      entries.push({ position: Number(row.number), id: row.id, epoch: row.epoch, body: row.body });
      last = Number(row.last);
    }
  }
  entries.sort((a, b) => a.position - b.position);
  const more = entries.length > 0 && entries.at(-1)!.position < last;
  return { log, entries, more, root, lost };
}

const beatsOf = (rows: readonly ServerRow[]): ServerBeat[] =>
  rows.map(({ server, beats, body }) => ({ server, beats: Number(beats), body }));

/** The last entry may be on this server alone: its wait for the standby was cancelled, or ended with the server. */
async function confirm(query: Ask): Promise<void> {
  if ((await query(sql.BARRIER)).unconfirmed) throw unconfirmed();
}

/** The server warns that a commit did not wait for the standby. */
const unconfirmed = (): Error => Object.assign(new Error('the standby does not answer'), { code: '57P05' });

function notOurs(): StateError {
  return new StateError(
    'NOT_A_STORE',
    'The database has a table qd_meta that is not of Quadrille. Use another database or schema.',
  );
}
