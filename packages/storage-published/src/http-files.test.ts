import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HttpFiles } from './http-files.js';
import { WebHost, type Fault } from './testing.js';

const NAME = `${'0'.repeat(32)}.pack`;
const CONTENT = Uint8Array.from({ length: 1000 }, (_, i) => i);
/** Waits for nothing. */
const pause = (): Promise<void> => Promise.resolve();

let host: WebHost;
let files: HttpFiles;
beforeEach(async () => {
  const text = new TextEncoder().encode('{}');
  host = await WebHost.open({
    file: async (name) => (name === NAME ? CONTENT : name === 'quadrille.json' ? text : undefined),
  });
  files = new HttpFiles(host.url.replace(/\/$/, ''), { pause });
});
afterEach(async () => {
  files.close();
  await host.close();
});

/** One fault, then none. */
const once = (fault: Fault): void => {
  let left = 1;
  host.fault = () => (left-- > 0 ? fault : undefined);
};
const part = (): Promise<Uint8Array> => files.read(NAME, 100, 50, CONTENT.length);

describe('a host', () => {
  test('gives parts, whole files and the manifest', async () => {
    expect(await part()).toEqual(CONTENT.slice(100, 150));
    expect(await files.read(NAME, 0, 1000, 1000)).toEqual(CONTENT);
    expect(await files.manifest()).toBe('{}');
  });

  test.each<[Fault, string | undefined]>([
    ['whole', 'HOST_UNSUITABLE'],
    ['packed', 'HOST_UNSUITABLE'],
    ['short', undefined],
    ['long', 'HOST_UNSUITABLE'],
    ['broken off', undefined],
    ['other part', 'HOST_UNSUITABLE'],
    ['a page', 'HOST_UNSUITABLE'],
    ['redirect', undefined],
    ['reset', undefined],
    [403, 'HOST_UNSUITABLE'],
    [404, 'HOST_UNSUITABLE'],
    [416, 'HOST_UNSUITABLE'],
    [429, undefined],
    [500, 'HOST_UNSUITABLE'],
    [502, undefined],
    [503, undefined],
  ])('that answers once with %s', async (fault, code) => {
    once(fault);
    if (code === undefined) expect(await part()).toEqual(CONTENT.slice(100, 150));
    else await expect(part()).rejects.toMatchObject({ code });
  });

  test.each<[Fault, string]>([
    ['short', 'HOST_UNSUITABLE'],
    ['reset', 'FETCH_FAILED'],
    ['broken off', 'FETCH_FAILED'],
    [429, 'STORE_UNAVAILABLE'],
    [503, 'STORE_UNAVAILABLE'],
  ])('that always answers with %s is asked four times', async (fault, code) => {
    let asked = 0;
    host.fault = () => (asked++, fault);
    await expect(part()).rejects.toMatchObject({ code });
    expect(asked).toBe(4);
  });

  test('without the manifest has no store', async () => {
    host.fault = () => 404;
    await expect(files.manifest()).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
  });

  test('is asked for six parts at once', async () => {
    let open = 0;
    let most = 0;
    const slow = await WebHost.open({
      file: async () => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setImmediate(resolve));
        open--;
        return CONTENT;
      },
    });
    const many = new HttpFiles(slow.url);
    await Promise.all(Array.from({ length: 40 }, () => many.read(NAME, 100, 50, CONTENT.length)));
    expect(most).toBeLessThanOrEqual(6);
    many.close();
    await slow.close();
  });

  test('of a store that was closed is not waited for', async () => {
    host.fault = () => 503;
    let isWaiting = (): void => undefined;
    const waits = new Promise<void>((resolve) => (isWaiting = resolve));
    const given = new HttpFiles(host.url, {
      pause: (_, signal) => {
        isWaiting();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        });
      },
    });
    const reading = given.read(NAME, 0, 10, CONTENT.length).catch((error: unknown) => error);
    await waits;
    given.close();
    expect(await reading).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});
