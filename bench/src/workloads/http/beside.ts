/** Short requests of 8 clients to a server that does something else: it loads a million triples, or has hundreds of feeds open. */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { measureWork } from '../../http/measure-work.js';
import { getRequest, postRequest, sendOnce } from '../../http/requests.js';
import { partsOf, type Subject } from '../../http/subjects.js';
import { triples, worksOf } from '../../http/work.js';
import type { Context, Figures, Workload } from '../../workload.js';

const CLIENTS = 8;
const LOADED = 1_000_000;
/** The triples of the load are others than those of the requests. */
const FIRST = 1_000_000_000;
/** Clients without credentials have 100 feeds from an address, and 750 in all. */
const FEED_ADDRESSES = 7;
const FEEDS = 100;

async function measure(subject: Subject, { scratch }: Context): Promise<Figures> {
  const server = await subject.start(scratch);
  const figures: Record<string, Figures[string]> = {};
  const all = worksOf(subject);
  const all8 = async (what: string, isCold = false): Promise<void> => {
    for (const name of ['POST of 1', 'query']) {
      const work = all.find((each) => each.name === name)!;
      Object.assign(figures, await measureWork(server, work, CLIENTS, `${name} ${what}`, isCold));
    }
  };
  const feeds: Socket[] = [];
  try {
    await all8('alone', true);
    if (subject.feed !== undefined) {
      for (let address = 1; address <= FEED_ADDRESSES; address++) {
        for (let i = 0; i < FEEDS; i++) feeds.push(await feed(server.port, subject.feed, address));
      }
      await all8(`beside ${String(feeds.length)} feeds`);
      for (const socket of feeds.splice(0)) socket.destroy();
    }
    const load = sendOnce(server.port, postRequest(subject.load, 'application/n-triples', triples(FIRST, LOADED)));
    await Promise.all([all8('beside a load'), load]);
  } finally {
    for (const socket of feeds) socket.destroy();
    await server.stop();
  }
  return figures;
}

/** Opens a feed from an address of this machine, and reads it to nothing. */
async function feed(port: number, path: string, address: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${String(address)}` });
  socket.write(getRequest(path, 'text/event-stream'));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  if (!answer.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(answer.toString());
  socket.resume();
  return socket;
}

export const workload: Workload = { name: 'beside', parts: partsOf(measure), layout: 'columns' };
