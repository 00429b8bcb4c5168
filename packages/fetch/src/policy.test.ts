import { expect, test } from 'vitest';
import { createGuardedFetch } from './guarded-fetch.js';
import { type GuardedFetchOptions, readOptions } from './options.js';
import { checkUrl } from './policy.js';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** What the text of a URL is refused with; `undefined` where it may be asked. */
function refusal(url: string, options: GuardedFetchOptions = {}): string | undefined {
  try {
    checkUrl(url, readOptions(options));
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

/** Every way to write this machine, a private network or a tunnel to it that the text alone gives away. */
const BLOCKED =
  words(`http://127.0.0.1/ http://127.0.0.1./ http://0x7f.1/ http://2130706433/ http://127.1/ http://0/ http://0177.0.0.1/
http://0x7f000001/ http://127.0.0.1:8080/ http://①②⑦.⓪.⓪.①/ http://１２７.0.0.1/ http://127。0。0。1/ http://%31%32%37.0.0.1/
http:127.0.0.1/ http:\\\\127.0.0.1\\ http://[::ffff:7f00:1]/ http://[::ffff:127.0.0.1]/ http://[::]/ http://[::1]/
http://[0:0::1]/ http://localhost/ http://LOCALHOST/ http://localhost./ http://a.localhost/ http://ⓛocalhost/
http://169.254.169.254/latest/meta-data/ http://100.64.0.1/ http://10.0.0.1/ http://192.168.0.1/ http://[fd00::1]/
http://[fe80::1]/ http://[64:ff9b::7f00:1]/ http://[2002:7f00:1::]/ http://[2001::1]/`);
test.each([...BLOCKED, 'ht\ntp://127.0.0.1/'])('%s is blocked', async (url) => {
  expect(refusal(url)).toBe('BLOCKED_ADDRESS');
  await expect(createGuardedFetch()({ url })).rejects.toMatchObject({ name: 'FetchError', code: 'BLOCKED_ADDRESS' });
});

const REFUSED =
  words(`file:///etc/passwd ftp://example.org/ gopher://example.org/ data:text/turtle, ws://example.org/ javascript:1
http://a@example.org/ http://a:b@example.org/ http://:b@example.org/ example.org /a http:// http://[fe80::1%25eth0]/
http://1.2.3.4.5/ http://999999999999/ http://./ blob:http://a/ http://127.0.0.1:5432/`);
const PORTS = [22, 25, 110, 1024, 3306, 5432, 6379, 7999, 9042, 9200, 11_211, 27_017];
test.each(['', ...REFUSED, ...PORTS.map((port) => `http://example.org:${port}/`)])('%s is not allowed', async (url) => {
  expect(refusal(url)).toBe('URL_NOT_ALLOWED');
  await expect(createGuardedFetch()({ url })).rejects.toMatchObject({ name: 'FetchError', code: 'URL_NOT_ALLOWED' });
});

test.each(
  words(`http://example.org/ https://example.org/a?b#c http://example.org:8080/ http://1.1.1.1/ https://example.org:8443/
http://example.org:65535/ http://[2606:4700::1111]/ http://localhost.example/`),
)('%s may be asked', (url) => expect(refusal(url)).toBeUndefined());

test('a listed host may be private, on the ports of HTTP', () => {
  const options = { allow: ['db.intern', '127.0.0.1', '[::1]'] };
  for (const url of ['http://db.intern/', 'http://DB.intern./', 'http://127.1:8080/', 'http://[0::1]/']) {
    expect(refusal(url, options), url).toBeUndefined();
  }
  expect(refusal('http://127.0.0.1:6379/', options)).toBe('URL_NOT_ALLOWED');
  expect(refusal('http://127.0.0.2/', options)).toBe('BLOCKED_ADDRESS');
  expect(refusal('http://a.localhost/', { allow: ['localhost'] })).toBe('BLOCKED_ADDRESS');
});

test('a listed port opens that port of that host alone', () => {
  const options = { allow: ['localhost:3030', 'example.org:80'] };
  expect(refusal('http://localhost:3030/', options)).toBeUndefined();
  expect(refusal('http://localhost:3031/', options)).toBe('URL_NOT_ALLOWED');
  expect(refusal('http://localhost:8080/', options)).toBe('BLOCKED_ADDRESS');
  expect(refusal('http://127.0.0.1:3030/', options)).toBe('URL_NOT_ALLOWED');
});

test('a listed prefix covers whole segments of paths of its origin', () => {
  const options = { allow: ['https://10.0.0.1/data'], mode: 'listed' } as const;
  for (const path of ['/data', '/data/a', '/data?x=1', '/x/../data/a']) {
    expect(refusal(`https://10.0.0.1${path}`, options), path).toBeUndefined();
  }
  for (const url of ['/database', '/', '/data/../x', '/data/%2e%2e/x', '/Data'].map(
    (path) => `https://10.0.0.1${path}`,
  )) {
    expect(refusal(url, options), url).toBe('URL_NOT_ALLOWED');
  }
  expect(refusal('http://10.0.0.1/data', options)).toBe('URL_NOT_ALLOWED');
  expect(refusal('https://10.0.0.1:8443/data', options)).toBe('URL_NOT_ALLOWED');
});

test('modes', () => {
  for (const url of ['http://example.org/', 'http://127.0.0.1/']) {
    expect(refusal(url, { mode: 'off', allow: ['127.0.0.1', 'example.org'] })).toBe('URL_NOT_ALLOWED');
    expect(refusal(url, { mode: 'all' })).toBeUndefined();
  }
  expect(refusal('http://localhost:6379/', { mode: 'all' })).toBeUndefined();
  expect(refusal('file:///etc/passwd', { mode: 'all' })).toBe('URL_NOT_ALLOWED');
  expect(refusal('http://a@example.org/', { mode: 'all' })).toBe('URL_NOT_ALLOWED');
  expect(refusal('http://example.org/', { mode: 'listed', allow: ['example.com'] })).toBe('URL_NOT_ALLOWED');
  expect(refusal('http://example.com/', { mode: 'listed', allow: ['example.com'] })).toBeUndefined();
  expect(refusal('http://example.com:81/', { ports: [[80, 81]] })).toBeUndefined();
});

test.each([
  { mode: 'some' as 'all' },
  { allow: [''] },
  { allow: ['a b'] },
  ...words('a:b a:99999 ftp://a/ http://u@a/ http://a/?q a/b').map((entry) => ({ allow: [entry] })),
  { limits: { idleMs: -1 } },
  { limits: { totalMs: 2 ** 31 } },
  { limits: { maxBytes: Number.NaN } },
  { limits: { most: 1 } as object },
])('options that cannot be: %j', (options) => {
  expect(() => createGuardedFetch(options)).toThrowError(expect.objectContaining({ code: 'INVALID_OPTION' }));
});
