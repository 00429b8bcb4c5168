/** Both platforms give the same bytes and texts. Node.js has the standards that the one of browsers is made of. */
import { describe, expect, test } from 'vitest';
import { platform as browser } from './browser.js';
import { platform as node } from './node.js';
import { delay, unref } from './timers.js';

const plain = (bytes: Uint8Array): number[] => [...bytes];
const encoder = new TextEncoder();

test.each(['', 'a', 'Käse', '漢字 🪐', '\ud800 alone', 'x'.repeat(10_000)])('length and digest of %s', (text) => {
  expect(browser.byteLength(text)).toBe(node.byteLength(text));
  expect(plain(browser.sha256(text))).toEqual(plain(node.sha256(text)));
});

test.each([0, 1, 2, 3, 31, 32, 5000])('texts of %d bytes', (count) => {
  const bytes = node.randomBytes(count);
  for (const name of ['toBase64', 'toBase64Url', 'toHex'] as const) {
    expect(browser[name](new Uint8Array(bytes))).toBe(node[name](bytes));
  }
  for (const text of [node.toBase64(bytes), node.toBase64Url(bytes)]) {
    expect(plain(browser.fromBase64(text))).toEqual(plain(bytes));
  }
});

test.each(['YQ', 'YQ==', 'YWI', 'Y W\nJ', 'YWJj=ZGVm', 'Y', '', '=', '%%%', '-_-_', 'YWJjZ'])(
  'base64 as sloppy as %j',
  (text) => expect(plain(browser.fromBase64(text))).toEqual(plain(node.fromBase64(text))),
);

test.each([
  ['abcabd', 'abd'],
  ['aaab', 'ab'],
  ['abc', 'abcd'],
  ['', 'a'],
  ['abc', ''],
  ['xab', 'ab'],
  ['a', 'a'],
  ['abab', 'ba'],
])('where %j has %j', (text, pattern) => {
  const [bytes, wanted] = [encoder.encode(text), encoder.encode(pattern)];
  expect(browser.indexOf(bytes, wanted)).toBe(node.indexOf(bytes, wanted));
  // Parts of larger arrays are looked at alone.
  const within = encoder.encode(`ab${text}ab`).subarray(2, 2 + bytes.length);
  expect(node.indexOf(within, wanted)).toBe(browser.indexOf(within, wanted));
});

test('chunks become one array', () => {
  const chunks = [encoder.encode('ab'), new Uint8Array(0), encoder.encode('c')];
  expect(plain(browser.concat(chunks))).toEqual(plain(node.concat(chunks)));
  expect(plain(browser.concat([]))).toEqual([]);
});

describe.each([
  ['browsers', browser],
  ['Node.js', node],
])('%s', (_, platform) => {
  test('digests are equal or not', () => {
    const digest = platform.sha256('secret');
    expect(platform.equalDigests(digest, platform.sha256('secret'))).toBe(true);
    expect(platform.equalDigests(digest, platform.sha256('Secret'))).toBe(false);
    expect(() => platform.equalDigests(digest, digest.subarray(1))).toThrow(RangeError);
  });

  test('random numbers differ, UUIDs have their form', () => {
    expect(platform.toHex(platform.randomBytes(16))).not.toBe(platform.toHex(platform.randomBytes(16)));
    const ids = Array.from({ length: 50 }, () => platform.randomUuid());
    expect(new Set(ids).size).toBe(50);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(platform.parallelism()).toBeGreaterThanOrEqual(1);
  });
});

test('a delay ends with its signal, and a timer of a browser is a number', async () => {
  const stopping = new AbortController();
  const long = delay(60_000, stopping.signal);
  stopping.abort(new Error('stop'));
  await expect(long).rejects.toThrow('stop');
  await expect(delay(60_000, stopping.signal)).rejects.toThrow('stop');
  await delay(1, new AbortController().signal);
  expect(unref(5)).toBe(5);
});
