/** The store from which a repository moves. Servers may serve it meanwhile, if several can share it. */
import { platform } from '#platform';
import type { Location } from '../open.js';
import { open } from '../open.js';
import type { Logger, StoreServer } from '../api/index.js';
import { OpenDatabase } from '../database.js';
import type { StoreMember } from '../follow/store-member.js';

/** Work with the store. */
export type Work<T> = (database: OpenDatabase) => Promise<T>;

export interface Source {
  /** Runs a function that reads. */
  read<T>(work: Work<T>): Promise<T>;
  /**
   * Runs a function that writes, while no other process can.
   * @param check gets those that serve the store, before anything is changed @throws StateError `STORE_LOCKED`
   */
  hold<T>(work: Work<T>, check?: (servers: readonly StoreServer[]) => void): Promise<T>;
  close(): Promise<void>;
}

type From = Exclude<Location, URL>;

/** How often a store is taken over from servers that change their roles meanwhile. */
const MOST_ATTEMPTS = 10;

/** A directory is opened once, and nobody else can use it meanwhile. */
export async function openSource(from: From, logger: Logger | undefined): Promise<Source> {
  if (typeof from === 'string' && platform.isSharedStore(from)) return new SharedSource(from, logger);
  const database = await openDatabase(from, { create: false, logger });
  return {
    read: (work) => work(database),
    hold: (work) => work(database),
    close: () => database.close(),
  };
}

/** Records of stores are carried over, so a process that holds one is not asked for it. */
export async function openDatabase(place: From, options: Parameters<typeof open>[1]): Promise<OpenDatabase> {
  return (await open(place, { ...options, share: false })) as OpenDatabase;
}

/**
 * Each call opens it anew, so that servers write to it as soon as nothing has to be written here. To write, the store is taken over
 * from a server that can go on as a follower, as if that had been away. What it has acknowledged is there then.
 */
class SharedSource implements Source {
  constructor(
    private readonly url: string,
    private readonly logger: Logger | undefined,
  ) {}

  async read<T>(work: Work<T>): Promise<T> {
    const database = await openDatabase(this.url, { readOnly: true, logger: this.logger });
    return using(database, work);
  }

  async hold<T>(work: Work<T>, check?: (servers: readonly StoreServer[]) => void): Promise<T> {
    const member = await platform.joinStore(this.url, {});
    await member.open();
    try {
      return await using(await this.#take(member, check), work);
    } finally {
      // The servers hear that nobody writes now.
      await member.close();
    }
  }

  // Servers take over from each other, so what was found may have changed meanwhile.
  async #take(member: StoreMember, check: ((servers: readonly StoreServer[]) => void) | undefined) {
    let takesOver = await this.#isServed(member, check);
    for (let attempt = 1; ; attempt++) {
      try {
        return await openDatabase({ storage: member.holder(takesOver) }, { logger: this.logger });
      } catch (error) {
        const { code } = error as { readonly code?: string };
        if ((code !== 'LEASE_LOST' && code !== 'STORE_LOCKED') || attempt === MOST_ATTEMPTS) throw error;
        const isServed = await this.#isServed(member, check);
        if (code === 'STORE_LOCKED' && (takesOver || !isServed)) throw error;
        takesOver = isServed;
      }
    }
  }

  /** Whether a server writes that can go on as a follower. */
  async #isServed(member: StoreMember, check?: (servers: readonly StoreServer[]) => void): Promise<boolean> {
    const follower = member.follower();
    const reading = await openDatabase({ storage: follower }, { logger: this.logger });
    const { holder } = follower;
    await reading.close();
    await member.beat();
    const { servers } = member;
    check?.(servers);
    return servers.some(({ server, url }) => server === holder && url !== undefined);
  }

  async close(): Promise<void> {}
}

async function using<T>(database: OpenDatabase, work: (database: OpenDatabase) => Promise<T>): Promise<T> {
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
