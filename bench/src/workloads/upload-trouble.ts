/** How long a healthy request waits while others misbehave; the control has nobody else there. */
import { setTimeout as delay } from 'node:timers/promises';
import { REPOSITORY } from '../data-sets.js';
import { TROUBLES, type Trouble } from '../serving/import-trouble.js';
import { pointQueries, someSubjects, timesOf } from '../serving/readers.js';
import { withServer } from '../serving/upload-case.js';
import type { Context, Figures, Workload } from '../workload.js';
import { figure, pathOf } from '../workload.js';

const SECONDS = 10;
const WARM_UP_MS = 2000;

async function measure(context: Context): Promise<Figures> {
  const subjects = await someSubjects(pathOf(context, 'bsbm-1m'));
  const figures: Record<string, Figures[string]> = {};
  for (const [name, trouble] of Object.entries<Trouble>({ nothing: async () => async () => undefined, ...TROUBLES })) {
    await withServer(context, async (server) => {
      const repository = `${server.url}/${REPOSITORY}`;
      await healthy(repository, subjects, WARM_UP_MS);
      const end = await trouble(repository);
      const { p50, p99, max } = timesOf(await healthy(repository, subjects, SECONDS * 1000), SECONDS);
      const meters = server.meters();
      await end();
      for (const [what, value] of Object.entries({ p50, p99, max })) {
        figures[`${name}: ${what}`] = { ...figure(value, 'ms'), meters };
      }
      figures[`${name}: server peak RSS`] = { ...figure(meters.peakBytes / 1e6, 'MB'), meters };
    });
  }
  return figures;
}

/** One request after the other, with a rest between them. */
async function healthy(repository: string, subjects: readonly string[], ms: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + ms;
  for (let n = 0; performance.now() < end; n++) {
    const query = pointQueries[n % pointQueries.length]!(subjects[(n * 31) % subjects.length]!);
    const start = performance.now();
    const response = await fetch(`${repository}/sparql?query=${encodeURIComponent(query)}`);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`a healthy query was answered with ${String(response.status)}`);
    times.push(performance.now() - start);
    await delay(10);
  }
  return times;
}

export const workload: Workload = {
  name: 'upload-trouble',
  parts: { quadrille: { backend: 'quadrille', needs: ['bsbm-1m', 'store-1m'], measure } },
};
