/** A primary server of PostgreSQL and a standby for which its commits wait, or do not; and promotions. */
import { PostgresServer } from './server.js';

export interface PairOptions {
  /** Whether commits wait until the standby has them. Default true. */
  readonly synchronous?: boolean;
}

/** Commits of whichever server is the primary one wait for the other one. */
const SYNCHRONOUS = ["synchronous_standby_names = 'standby'"];

export class PostgresPair {
  readonly #settings: readonly string[];
  #primary: PostgresServer;
  #standby: PostgresServer;

  private constructor(primary: PostgresServer, standby: PostgresServer, settings: readonly string[]) {
    this.#primary = primary;
    this.#standby = standby;
    this.#settings = settings;
  }

  static async start({ synchronous = true }: PairOptions = {}): Promise<PostgresPair> {
    const settings = ['wal_keep_size = 256MB', ...(synchronous ? SYNCHRONOUS : [])];
    const primary = await PostgresServer.start({ settings });
    try {
      return new PostgresPair(primary, await primary.standby({ settings }), settings);
    } catch (error) {
      await primary.stop();
      throw error;
    }
  }

  get primary(): PostgresServer {
    return this.#primary;
  }

  get standby(): PostgresServer {
    return this.#standby;
  }

  /** The URL of a database, with both servers. */
  url(database: string): string {
    const [one, two] = [this.#primary.port, this.#standby.port].toSorted();
    return this.#primary.url(database).replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${one},127.0.0.1:${two}`);
  }

  /** The URL of a new database. */
  async database(name: string): Promise<string> {
    await this.#primary.database(name);
    return this.url(name);
  }

  /** The primary server is killed, and the standby takes its place. There is no standby then. */
  async promote(): Promise<void> {
    const [lost, promoted] = [this.#primary, this.#standby];
    await lost.kill();
    await promoted.promote();
    [this.#primary, this.#standby] = [promoted, lost];
  }

  /** After a promotion: the server that was killed begins anew, as a standby. Until then no commit succeeds. */
  async renew(): Promise<void> {
    const lost = this.#standby;
    await lost.stop();
    this.#standby = await this.#primary.standby({ settings: this.#settings, port: lost.port });
  }

  /** Process of the standby that receives what the primary server writes. Stopped, it lets commits wait. */
  async receiver(): Promise<number> {
    for (;;) {
      const [row] = await this.#standby.ask((query) => query('SELECT pid FROM pg_stat_wal_receiver'));
      if (row !== undefined) return row['pid'] as number;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Lets commits that wait for the standby wait no longer. Returns their number. */
  async cancelWaits(): Promise<number> {
    const rows = await this.#primary.ask((query) =>
      query(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`),
    );
    return rows.length;
  }

  async stop(): Promise<void> {
    await this.#standby.stop();
    await this.#primary.stop();
  }
}
