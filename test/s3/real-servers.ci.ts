/**
 * The driver over real object stores: versitygw where its binary is there, and any bucket that `QUADRILLE_S3_URL` names,
 * with its keys in `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.
 */
import { S3Driver, type S3Credentials } from '@quadrille/s3';
import { StorageEngine } from '@quadrille/storage';
import { SharedStorage } from '@quadrille/storage-shared';
import { sharedConformance } from '@quadrille/storage-shared/testing';
import { storageConformance } from '@quadrille/storage/testing';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { Gateway, WITHOUT_GATEWAY } from './gateway.js';
import { KEYS } from './server.js';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

function suite(name: string, urlOf: (prefix: string) => string, credentials?: S3Credentials): void {
  const run = crypto.randomUUID();
  let stores = 0;
  const connect = (url: string): S3Driver => new S3Driver(url, credentials === undefined ? {} : { credentials });
  const newUrl = (): string => urlOf(`${run}/${++stores}`);

  sharedConformance({ describe, it, expect }, name, async () => {
    const url = newUrl();
    return { connect: () => connect(url) };
  });
  storageConformance(
    { describe, it, expect },
    name,
    async () => {
      const url = newUrl();
      const driver = (): SharedStorage => new SharedStorage(connect(url));
      return { driver: driver(), again: driver };
    },
    { persistent: true },
  );

  test('of 20 rounds of racing appends each has one winner', async () => {
    const url = newUrl();
    const drivers = Array.from({ length: 8 }, () => connect(url));
    for (const driver of drivers) await driver.open();
    let previous: string | undefined;
    for (let position = 1; position <= 20; position++) {
      const entries = drivers.map(() => ({
        log: 0,
        position,
        id: crypto.randomUUID(),
        previous,
        epoch: 1,
        body: text('x'),
      }));
      const outcomes = await Promise.all(drivers.map((driver, i) => driver.append(entries[i]!)));
      // A service may answer that writes were in conflict. Then the same entry is appended again.
      for (const [i, outcome] of outcomes.entries()) {
        for (let o = outcome; o === 'unknown'; outcomes[i] = o) o = await drivers[i]!.append(entries[i]!);
      }
      expect(outcomes.filter((outcome) => outcome === 'ok').length).toBe(1);
      previous = entries[outcomes.indexOf('ok')]!.id;
    }
  });
}

describe.skipIf(WITHOUT_GATEWAY !== '')(`versitygw${WITHOUT_GATEWAY}`, () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await Gateway.start();
  });
  afterAll(() => gateway.stop());
  suite('versitygw', (prefix) => gateway.url(prefix), KEYS);

  test('it is killed between and during writes: nothing acknowledged is lost', async () => {
    const engine = await StorageEngine.open(
      new SharedStorage(new S3Driver(gateway.url('kills'), { credentials: KEYS })),
    );
    const acknowledged: string[] = [];
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 20; i++) {
        const key = `${round}-${i}`;
        const write = engine.write([{ type: 'put', key: text(key), value: text(key.repeat(200)) }], { durable: true });
        if (i === 10) {
          await gateway.kill();
          await gateway.resume();
        }
        await write;
        acknowledged.push(key);
      }
    }
    await engine.close();
    const again = await StorageEngine.open(
      new SharedStorage(new S3Driver(gateway.url('kills'), { credentials: KEYS })),
    );
    for (const key of acknowledged) expect(await again.get(text(key))).toEqual(text(key.repeat(200)));
    await again.close();
  });
});

const URL_OF_BUCKET = process.env['QUADRILLE_S3_URL'] ?? '';
const why = URL_OF_BUCKET === '' ? ' (skipped: QUADRILLE_S3_URL names no bucket)' : '';
describe.skipIf(why !== '')(`the bucket of QUADRILLE_S3_URL${why}`, () => {
  suite('a bucket', (prefix) => URL_OF_BUCKET.replace(/\/?(?=\?|$)/, `/${prefix}`));
});
