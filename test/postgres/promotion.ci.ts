/** A short run of the campaigns `promotion` and `server-kill`, and standbys that lack commits. */
import { SharedStorage } from '@quadrille/storage-shared';
import { PostgresDriver } from '@quadrille/postgres';
import { StorageEngine } from '@quadrille/storage';
import { seededRandom } from '@quadrille/storage/testing';
import { describe, expect, test } from 'vitest';
import { SEED } from '../model/environment.js';
import { inShare, notInShare } from '../share.js';
import { killPlans, runKills } from '../servers/kills.js';
import { runPromotions } from '../servers/promotions.js';
import { PostgresPair } from './pair.js';
import { PostgresServer, WITHOUT_POSTGRES } from './server.js';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const put = (key: string) => [{ type: 'put', key: text(key), value: text(key.repeat(200)) }] as const;
const codeOf = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call;
    return 'none';
  } catch (error) {
    return String((error as { code?: unknown }).code ?? error);
  }
};

describe.skipIf(WITHOUT_POSTGRES !== '')(`promotions (QUADRILLE_SEED=${SEED})${WITHOUT_POSTGRES}`, () => {
  test.skipIf(!inShare(0, 2))(
    `a synchronous standby is promoted under load: nothing acknowledged is lost or doubled${notInShare(0, 2)}`,
    async () => {
      const counts = await runPromotions([{ afterMs: 300, trouble: 'cancelled waits' }], seededRandom(SEED));
      expect(counts.acknowledged).toBeGreaterThan(5);
      console.info(JSON.stringify(counts));
    },
  );

  test.skipIf(!inShare(1, 2))(
    `servers are killed under load: nothing acknowledged is lost or doubled${notInShare(1, 2)}`,
    async () => {
      const postgres = await PostgresServer.start();
      try {
        const random = seededRandom(SEED);
        const counts = await runKills(postgres, 'kills', killPlans(2, random), random);
        expect(counts.acknowledged).toBeGreaterThan(5);
        console.info(JSON.stringify(counts));
      } finally {
        await postgres.stop();
      }
    },
  );

  test('an asynchronous standby that lacks commits is promoted: HISTORY_LOST, and the store goes on with what is there', async () => {
    const pair = await PostgresPair.start({ synchronous: false });
    try {
      const url = await pair.database('store');
      const connect = (): PostgresDriver => new PostgresDriver(url, { waitMs: 20_000 });
      const engine = await StorageEngine.open(new SharedStorage(connect(), { silenceMs: 50 }));
      await engine.write(put('a'), { durable: true });
      await untilReplayed(pair);
      await pair.standby.kill();
      await engine.write(put('b'), { durable: true });
      const follower = new SharedStorage(connect(), { follow: true });
      await follower.open();
      expect(await follower.get(text('b'))).not.toBe(undefined);
      await pair.primary.kill();
      await pair.standby.resume();
      await pair.promote();
      expect(await codeOf(engine.write(put('c'), { durable: true }))).toMatch(/LEASE_LOST|HISTORY_LOST/);
      expect(await codeOf(engine.recover())).toBe('HISTORY_LOST');
      expect(await codeOf(follower.refresh!())).toBe('HISTORY_LOST');
      await Promise.all([engine.close(), follower.close()]);
      const again = await StorageEngine.open(new SharedStorage(connect(), { silenceMs: 50 }));
      expect(await again.get(text('a'))).toEqual(text('a'.repeat(200)));
      expect(await again.get(text('b'))).toBe(undefined);
      await again.write(put('d'), { durable: true });
      await again.close();
    } finally {
      await pair.stop();
    }
  });

  test('a primary server that comes back as a standby is not read: it may lag behind', async () => {
    const pair = await PostgresPair.start({ synchronous: false });
    const drivers: PostgresDriver[] = [];
    const connect = async (): Promise<PostgresDriver> => {
      const driver = new PostgresDriver(url, { waitMs: 20_000 });
      drivers.push(driver);
      await driver.open();
      return driver;
    };
    const url = await pair.database('store');
    try {
      const idle = await connect();
      await untilReplayed(pair);
      await pair.promote();
      await pair.renew();
      await pair.standby.ask((query) => query('SELECT pg_wal_replay_pause()'));
      const writer = await connect();
      const entry = { log: 0, position: 1, id: crypto.randomUUID(), previous: undefined, epoch: 1, body: text('news') };
      expect(await writer.append(entry)).toBe('ok');
      const [change] = await idle.check([{ log: 0, after: 0, id: undefined, rootVersion: 0 }]);
      expect(change?.entries.map(({ id }) => id)).toEqual([entry.id]);
    } finally {
      for (const driver of drivers) await driver.close();
      await pair.stop();
    }
  });
});

/** Waits until the standby has everything. */
async function untilReplayed(pair: PostgresPair): Promise<void> {
  for (;;) {
    const [row] = await pair.primary.ask((query) =>
      query('SELECT replay_lsn >= pg_current_wal_lsn() AS done FROM pg_stat_replication'),
    );
    if (row?.['done'] === true) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
