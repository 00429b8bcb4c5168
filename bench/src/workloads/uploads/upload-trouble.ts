/** Waiting times of a healthy request while other clients misbehave. The control has no other clients. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { REPOSITORY } from '../../data-sets.js';
import { TROUBLES } from '../../serving/import-trouble.js';
import { pointQueries, someSubjects, timesOf } from '../../serving/readers.js';
import type { ServerProcess } from '../../serving/server-process.js';
import { withServer } from '../../serving/upload-case.js';
import type { Context, Figures, Workload } from '../../workload.js';
import { figure, pathOf } from '../../workload.js';

const SECONDS = 10;
const WARM_UP_MS = 2000;

async function measure(context: Context): Promise<Figures> {
  const subjects = await someSubjects(pathOf(context, 'bsbm-1m'));
  const figures: Record<string, Figures[string]> = {};
  for (const name of ['nothing', ...Object.keys(TROUBLES)]) {
    await withServer(context, async (server) => {
      await healthy(server, subjects, WARM_UP_MS);
      const end = name === 'nothing' ? async () => undefined : await beginTrouble(name, server);
      const { waits, busy } = await healthy(server, subjects, SECONDS * 1000);
      const meters = server.meters();
      await end();
      const { p50, p99, max } = timesOf(waits, SECONDS);
      const shown = { p50, p99, max, 'max of the server': Math.max(...busy) };
      for (const [what, value] of Object.entries(shown)) {
        figures[`${name}: ${what}`] = { ...figure(value, 'ms'), meters };
      }
      figures[`${name}: server peak RSS`] = { ...figure(meters.peakBytes / 1e6, 'MB'), meters };
    });
  }
  return figures;
}

const repositoryOf = ({ url }: ServerProcess): string => `${url}/${REPOSITORY}`;

/**
 * Makes trouble in its own process, because a process that makes and sends documents cannot time requests meanwhile.
 */
async function beginTrouble(name: string, server: ServerProcess): Promise<() => Promise<void>> {
  const child = fork(fileURLToPath(new URL('../../serving/trouble-process.js', import.meta.url)), [
    name,
    repositoryOf(server),
  ]);
  const exit = once(child, 'exit');
  await Promise.race([once(child, 'message'), exit]);
  if (child.exitCode !== null) throw new Error(`the trouble ended with code ${String(child.exitCode)}`);
  return async () => {
    child.send('end');
    await exit;
  };
}

/**
 * Sends one request after the other, with a pause between them. Measures how long each waited, and how long the
 * server's main thread ran meanwhile. The second figure is independent of other work on the machine. In milliseconds.
 */
async function healthy(
  server: ServerProcess,
  subjects: readonly string[],
  ms: number,
): Promise<{ readonly waits: number[]; readonly busy: number[] }> {
  const waits: number[] = [];
  const busy: number[] = [];
  const end = performance.now() + ms;
  for (let n = 0; performance.now() < end; n++) {
    const query = pointQueries[n % pointQueries.length]!(subjects[(n * 31) % subjects.length]!);
    const ran = server.busySeconds();
    const start = performance.now();
    const response = await fetch(`${repositoryOf(server)}/sparql?query=${encodeURIComponent(query)}`);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`a healthy query was answered with ${String(response.status)}`);
    waits.push(performance.now() - start);
    busy.push((server.busySeconds() - ran) * 1000);
    await delay(10);
  }
  return { waits, busy };
}

export const workload: Workload = {
  name: 'upload-trouble',
  parts: { quadrille: { backend: 'quadrille', needs: ['bsbm-1m', 'store-1m'], measure } },
};
