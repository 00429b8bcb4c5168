/** Requests and round trips of commits and of cold point queries: the figures of docs/how-to/s3.md. */
import { S3Driver } from '@quadrille/s3';
import { SharedServer, SharedStorage } from '@quadrille/storage-shared';
import { open, type Database } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { expect, test } from 'vitest';
import { Objects, transportOf } from './objects.js';

/** Counts requests, and round trips: requests that are under way at the same time are one. */
class Meter {
  readonly objects = new Objects();
  #under = 0;
  #trips = 0;

  open(): Promise<Database> {
    return open({ storage: new SharedStorage(this.driver(), { beatMs: 3_600_000 }) });
  }

  driver(): S3Driver {
    const send = transportOf(this.objects);
    return new S3Driver('s3://store', {
      transport: async (request) => {
        if (this.#under++ === 0) this.#trips++;
        await new Promise((resolve) => setImmediate(resolve));
        this.#under--;
        return send(request);
      },
    });
  }

  async of(work: () => Promise<unknown>): Promise<{ trips: number; requests: Record<string, number> }> {
    this.objects.counts.clear();
    this.#trips = 0;
    await work();
    return { trips: this.#trips, requests: Object.fromEntries(this.objects.counts) };
  }
}

test('a small commit is one PUT, a commit of 2,000 quads two round trips, a cold point query at most six', async () => {
  const meter = new Meter();
  let db = await meter.open();
  const repo = await db.repository('acme/people', { create: true });
  const small = await meter.of(() => repo.update('INSERT DATA { <urn:ann> <urn:age> 30 }'));
  expect(small).toEqual({ trips: 1, requests: { PUT: 1 } });
  const lines = Array.from({ length: 2000 }, (_, i) => `<urn:p${i % 97}-${i}> <urn:q${i % 7}> "value ${i}" .`);
  const long = await meter.of(() => repo.update(`INSERT DATA { ${lines.join('\n')} }`));
  expect(long).toEqual({ trips: 2, requests: { PUT: expect.any(Number) as number } });
  await repo.update(`INSERT DATA { ${lines.join('\n').replaceAll('<urn:p', '<urn:r')} }`);
  await repo.maintenance.compact();
  await db.close();

  let opened!: Database;
  const opening = await meter.of(async () => (opened = await meter.open()));
  db = opened;
  const again = await db.repository('acme/people');
  const query = (n: number) => again.select(`SELECT ?v { <urn:p${n % 97}-${n}> <urn:q${n % 7}> ?v }`).toArray();
  let rows: readonly unknown[] = [];
  const cold = await meter.of(async () => (rows = await query(1234)));
  expect(rows.length).toBe(1);
  const warm = await meter.of(async () => expect((await query(1234)).length).toBe(1));
  console.info(JSON.stringify({ small, long, opening, cold, warm }));
  expect(cold.trips).toBeLessThanOrEqual(6);
  expect(warm.trips).toBe(0);
  await db.close();
});

test('what servers cost while nothing is written: signs of life, and looks at the log', async () => {
  const meter = new Meter();
  const [one, two] = ['http://one', 'http://two'].map(
    (url) => new SharedServer(() => meter.driver(), { url, beatMs: 3_600_000, silenceMs: 0 }),
  ) as [SharedServer, SharedServer];
  await one.open();
  await two.open();
  const holder = await open({ storage: one.holder(false) });
  const repo = await holder.repository('acme/people', { create: true });
  const follower = await open({ storage: two.follower() });
  await hostOf(follower).refresh();
  const look = await meter.of(() => hostOf(follower).refresh());
  const held = await meter.of(() => hostOf(holder).refresh());
  await two.beat();
  const beat = await meter.of(() => one.beat());
  await repo.update('INSERT DATA { <urn:ann> <urn:age> 30 }');
  const news = await meter.of(() => hostOf(follower).refresh());
  console.info(JSON.stringify({ look, held, beat, news }));
  expect(look).toEqual({ trips: 2, requests: { GET: 3 } });
  expect(held).toEqual({ trips: 2, requests: { GET: 3 } });
  // The signs of life that are new are read: that of the other server, and its own.
  expect(beat.requests).toEqual({ PUT: 1, LIST: 1, GET: 2 });
  expect(news.requests['GET']).toBeLessThanOrEqual(8);
  for (const database of [follower, holder]) await database.close();
  for (const server of [two, one]) await server.close();
});
