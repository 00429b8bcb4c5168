/** Promotions of the standby below servers that answer clients. */
import { PostgresPair } from '../postgres/pair.js';
import { History, type Counts } from './history.js';
import { serve, stop, type Server } from './serve.js';

export const REPOSITORIES = ['default/default', 'default/other'] as const;
const CLIENTS = 4;

/** What comes before the primary server is killed. */
export type Trouble = 'none' | 'stalled standby' | 'cancelled waits';

export interface PromotionPlan {
  /** Milliseconds of load before the primary server is killed. */
  readonly afterMs: number;
  readonly trouble: Trouble;
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Makes the second repository, and waits until both servers take writes. */
export async function prepareStore(servers: readonly Server[]): Promise<void> {
  for (;;) {
    const answer = await fetch(`${servers[0]!.url}/default/repositories`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'repository[name]=other',
    });
    await answer.text();
    if (answer.ok || answer.status === 409) break;
    await sleep(100);
  }
}

/** Waits until a server commits and reads again. */
export async function answersAgain(server: Server): Promise<void> {
  const until = performance.now() + 60_000;
  for (;;) {
    let last = '';
    const answer = await fetch(`${server.url}/${REPOSITORIES[0]}/sparql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/sparql-update' },
      body: `INSERT DATA { <urn:probe> <urn:is> "${crypto.randomUUID()}" }`,
      signal: AbortSignal.timeout(20_000),
    }).catch((error: unknown) => void (last += `the update: ${String(error)}; `));
    last += `the update: ${answer?.status} ${await answer?.text()}; `;
    const read = await fetch(`${server.url}/${REPOSITORIES[0]}/size`).catch(
      (error: unknown) => void (last += `the size: ${String(error)}`),
    );
    last += `the size: ${read?.status} ${await read?.text()}`;
    if (answer?.ok === true && read?.ok === true) return;
    if (performance.now() > until) throw new Error(`${server.url} does not answer after a promotion: ${last}`);
    await sleep(50);
  }
}

/** Runs promotions under load, and checks the whole history. @throws Error for what is wrong */
export async function runPromotions(plans: readonly PromotionPlan[], random: () => number): Promise<Counts> {
  const pair = await PostgresPair.start();
  const ended = new AbortController();
  const servers: Server[] = [];
  let clients: Promise<unknown> = Promise.resolve();
  try {
    const store = await pair.database('store');
    for (let i = 0; i < 2; i++) servers.push(await serve(store, { options: ['--open'] }));
    await prepareStore(servers);
    const history = new History();
    const urls = servers.map(({ url }) => url);
    clients = Promise.all(
      Array.from({ length: CLIENTS }, (_, i) =>
        history.client(`c${i}`, () => urls, REPOSITORIES, random, ended.signal),
      ),
    );
    for (const { afterMs, trouble } of plans) {
      await sleep(afterMs);
      if (trouble === 'none') await pair.promote();
      else await promoteInTrouble(pair, trouble);
      await pair.renew();
      for (const server of servers) await answersAgain(server);
    }
    ended.abort();
    await clients;
    for (const server of servers) await stop(server);
    return await history.check(store, REPOSITORIES);
  } finally {
    ended.abort();
    await clients.catch(() => undefined);
    for (const server of servers) await stop(server, 'SIGKILL');
    await pair.stop();
  }
}

/** The standby receives nothing for a while, so commits wait for it. Some of the waits are cancelled: those commits are on the primary server alone. */
async function promoteInTrouble(pair: PostgresPair, trouble: Trouble): Promise<void> {
  const receiver = await pair.receiver();
  // It may end by itself, when a connection breaks.
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(receiver, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  signal('SIGSTOP');
  await sleep(150);
  if (trouble === 'cancelled waits') await pair.cancelWaits();
  await sleep(50);
  const promoted = pair.promote();
  // It ends when it goes on, because the other server is away.
  await sleep(100);
  signal('SIGCONT');
  await promoted;
}
