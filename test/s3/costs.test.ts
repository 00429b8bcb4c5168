/** Requests and round trips of commits and of cold point queries: the figures of docs/how-to/s3.md. */
import { S3Driver } from '@quadrille/storage-s3';
import { SharedStorage } from '@quadrille/storage-shared';
import { open, type Database } from 'quadrille';
import { expect, test } from 'vitest';
import { Objects, transportOf } from './objects.js';

/** Counts requests, and round trips: requests that are under way at the same time are one. */
class Meter {
  readonly objects = new Objects();
  #under = 0;
  #trips = 0;

  open(): Promise<Database> {
    const send = transportOf(this.objects);
    const driver = new S3Driver('s3://store', {
      transport: async (request) => {
        if (this.#under++ === 0) this.#trips++;
        await new Promise((resolve) => setImmediate(resolve));
        this.#under--;
        return send(request);
      },
    });
    return open({ storage: new SharedStorage(driver, { beatMs: 3_600_000 }) });
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
  await repo.compact();
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
