/** Sends ten million rows to a slow client. The memory must not grow with the sent data. */
import { setTimeout as delay } from 'node:timers/promises';
import { open } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { checkCount, REPOSITORY } from '../../data-sets.js';
import { timed } from '../../measure.js';
import type { Figures, Workload } from '../../workload.js';
import { figure, pathOf } from '../../workload.js';

const MILLION = 1_000_000;
const ROWS = 10 * MILLION;
const MARKS = [1, 5, 10];
/** Number of characters after which the client pauses for a moment. */
const REST_EVERY = 1 << 18;

const BSBM = 'http://www4.wiwiss.fu-berlin.de/bizer/bsbm/v01/vocabulary';
const QUERY = `SELECT ?offer ?product WHERE { ?offer a <${BSBM}/Offer> . ?product a <${BSBM}/Product> } LIMIT ${ROWS}`;
const LINE_FEED = 10;

async function receive(chunks: AsyncIterable<string>): Promise<Figures> {
  const figures: Record<string, ReturnType<typeof figure>> = {};
  const marks = [...MARKS];
  // The header line comes before the rows.
  let rows = -1;
  let unrested = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at++) if (chunk.charCodeAt(at) === LINE_FEED) rows++;
    while (marks.length > 0 && rows >= marks[0]! * MILLION) {
      figures[`RSS after ${marks.shift()!} M`] = figure(process.memoryUsage.rss() / 1e6, 'MB');
    }
    unrested += chunk.length;
    if (unrested < REST_EVERY) continue;
    unrested = 0;
    await delay(1);
  }
  checkCount('rows', rows, ROWS);
  return figures;
}

export const workload: Workload = {
  name: 'slow-client',
  parts: {
    quadrille: {
      backend: 'quadrille',
      needs: ['store-1m'],
      once: true,
      measure: async (context) => {
        const db = await open(pathOf(context, 'store-1m'));
        const repository = await db.repository(REPOSITORY);
        const { result, seconds } = await timed(() =>
          receive(hostOf(repository).serialize(QUERY, 'text/tab-separated-values')),
        );
        await db.close();
        return { ...result, wall: figure(seconds, 's') };
      },
    },
  },
};
