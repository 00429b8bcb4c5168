/** Kills of servers over one store, while clients use those that are left. */
import type { PostgresServer } from '../postgres/server.js';
import { History, type Counts } from './history.js';
import { prepareStore, REPOSITORIES, sleep } from './promotions.js';
import { serve, stop, type Server } from './serve.js';

const SERVERS = 3;
const CLIENTS = 4;

export interface KillPlan {
  /** Milliseconds of load before. */
  readonly afterMs: number;
  /** Which of the servers. */
  readonly server: number;
  readonly signal: 'SIGKILL' | 'SIGTERM';
}

/** Kills servers and starts others, under load, and checks the whole history. @throws Error for what is wrong */
export async function runKills(
  postgres: PostgresServer,
  database: string,
  plans: readonly KillPlan[],
  random: () => number,
): Promise<Counts> {
  const store = await postgres.database(database);
  const ended = new AbortController();
  const servers: Server[] = [];
  const start = (): Promise<Server> => serve(store, { options: ['--open'] });
  let clients: Promise<unknown> = Promise.resolve();
  try {
    servers.push(await start());
    servers.push(...(await Promise.all(Array.from({ length: SERVERS - 1 }, start))));
    await prepareStore(servers);
    const history = new History();
    clients = Promise.all(
      Array.from({ length: CLIENTS }, (_, i) =>
        history.client(`c${i}`, () => servers.map(({ url }) => url), REPOSITORIES, random, ended.signal),
      ),
    );
    for (const { afterMs, server, signal } of plans) {
      await sleep(afterMs);
      const killed = servers[server]!;
      await stop(killed, signal);
      servers[server] = await start();
    }
    await sleep(200);
    ended.abort();
    await clients;
    for (const server of servers) await stop(server);
    return await history.check(store, REPOSITORIES);
  } finally {
    ended.abort();
    await clients.catch(() => undefined);
    for (const server of servers) await stop(server, 'SIGKILL');
  }
}

/** @param count number of kills */
export function killPlans(count: number, random: () => number): readonly KillPlan[] {
  return Array.from({ length: count }, () => ({
    afterMs: Math.floor(random() * 600),
    server: Math.floor(random() * SERVERS),
    signal: random() < 0.9 ? ('SIGKILL' as const) : ('SIGTERM' as const),
  }));
}
