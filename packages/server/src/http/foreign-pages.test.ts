import { expect, test } from 'vitest';
import { type PageRules, refuseForeign } from './foreign-pages.js';

type Fields = Readonly<Record<string, string>>;
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const BASIC = { Authorization: 'Basic dG9rZW46' };
const BEARER = { Authorization: 'Bearer token' };
const EVIL = { Origin: 'https://evil.example' };

/** The code of the refusal; `undefined` where the request passes. */
function codeOf(
  method: string,
  fields: Fields,
  { at = 'http://localhost:8080', ...rules }: Partial<PageRules> & { readonly at?: string } = {},
): string | undefined {
  try {
    const header = (name: string): string | undefined => fields[name];
    refuseForeign({ method, address: at, header }, { rightsBy: 'tokens', ...rules });
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const OPEN = { rightsBy: 'nothing', localPages: true } as const;

test.each(['localhost', 'localhost:8080', 'LOCALHOST:1', '127.0.0.1:8080', '127.9.9.9', '[::1]:8080', '127.1:80'])(
  'Host %s is this machine',
  (Host) => expect(codeOf('GET', { Host }, OPEN)).toBeUndefined(),
);

test.each(['evil.example', '192.168.0.7:8080', 'localhost.evil.example', '127.0.0.1.evil.example', '[::2]', '', 'a b'])(
  'Host %j is foreign',
  (Host) => {
    expect(codeOf('GET', { Host }, OPEN)).toBe('MISDIRECTED');
    expect(codeOf('GET', {}, { ...OPEN, at: `http://${Host}` })).toBe('MISDIRECTED');
  },
);

test.each(['http://localhost:3000', 'http://127.0.0.1:8080', 'https://[::1]'])(
  'a page at %s may read of an open server on the same machine, and change nothing',
  (Origin) => {
    expect(codeOf('GET', { Origin }, OPEN)).toBeUndefined();
    expect(codeOf('POST', { Origin }, OPEN)).toBe('FOREIGN_ORIGIN');
  },
);

const FOREIGN = [
  'https://evil.example',
  'null',
  '',
  'x',
  'http://localhost.evil.example',
  'http://localhost:8080@evil.example',
  'https://localhost:8080',
  'http://localhost:8081',
  'http://127.0.0.1:8080',
  'http://a.localhost:8080',
  'http://localhost:8080, https://evil.example',
];

test.each(FOREIGN)(
  'Origin %j may change nothing with Basic, on an open server, or where an embedder decides',
  (Origin) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PURGE']) {
      expect(codeOf(method, { Origin, ...BASIC })).toBe('FOREIGN_ORIGIN');
      expect(codeOf(method, { Origin, ...BASIC, 'Sec-Fetch-Site': 'same-origin' })).toBe('FOREIGN_ORIGIN');
      expect(codeOf(method, { Origin }, { rightsBy: 'nothing' })).toBe('FOREIGN_ORIGIN');
      expect(codeOf(method, { Origin, ...BEARER }, { rightsBy: 'nothing' })).toBe('FOREIGN_ORIGIN');
      expect(codeOf(method, { Origin }, { rightsBy: 'unknown' })).toBe('FOREIGN_ORIGIN');
      expect(codeOf(method, { Origin, ...BEARER })).toBeUndefined();
      // Without credentials it is nobody: no more than its sender could do.
      expect(codeOf(method, { Origin })).toBeUndefined();
      expect(codeOf(method, { Origin }, { cors: '*' })).toBeUndefined();
      expect(codeOf(method, { Origin }, { cors: ['https://app.example'] })).toBe('FOREIGN_ORIGIN');
    }
    for (const method of ['GET', 'HEAD', 'OPTIONS']) expect(codeOf(method, { Origin, ...BASIC })).toBeUndefined();
  },
);

test.each(['cross-site', 'same-site'])('Sec-Fetch-Site: %s is enough', (site) => {
  const fields = { 'Sec-Fetch-Site': site, ...BASIC };
  for (const mode of ['cors', 'no-cors', 'navigate'])
    expect(codeOf('POST', { ...fields, 'Sec-Fetch-Mode': mode })).toBe('FOREIGN_ORIGIN');
  expect(codeOf('POST', { ...fields, ...BEARER })).toBeUndefined();
  expect(codeOf('POST', { ...fields, Origin: 'http://localhost:8080' })).toBe('FOREIGN_ORIGIN');
  expect(codeOf('GET', fields)).toBeUndefined();
});

test('the own origin, the public address and the named origins are not foreign', () => {
  expect(
    codeOf('POST', { Origin: 'http://localhost:8080', 'Sec-Fetch-Site': 'same-origin', ...BASIC }),
  ).toBeUndefined();
  expect(codeOf('POST', { Origin: 'http://h', ...BASIC }, { at: 'http://H:80' })).toBeUndefined();
  const rules = { publicBase: 'https://data.example/rdf', cors: ['https://app.example', 'null'] };
  for (const Origin of ['https://data.example', 'https://app.example', 'null', 'http://localhost:8080'])
    expect(codeOf('DELETE', { Origin, ...BASIC }, rules)).toBeUndefined();
  for (const Origin of [
    'https://app.example.evil',
    'http://app.example',
    'http://data.example',
    'https://data.example:8443',
  ])
    expect(codeOf('DELETE', { Origin, ...BASIC }, rules)).toBe('FOREIGN_ORIGIN');
  const named = { Host: 'data.example', Origin: 'https://app.example', 'Sec-Fetch-Site': 'cross-site' };
  expect(codeOf('POST', named, { ...OPEN, ...rules })).toBeUndefined();
  expect(codeOf('GET', { Host: 'data.example:8443' }, { ...OPEN, ...rules })).toBe('MISDIRECTED');
});

test('cors * names every origin where nobody is asked for a token, if it is said; with tokens it does not', () => {
  expect(codeOf('POST', EVIL, { ...OPEN, cors: '*' })).toBeUndefined();
  expect(codeOf('POST', EVIL, OPEN)).toBe('FOREIGN_ORIGIN');
  expect(codeOf('GET', EVIL, OPEN)).toBe('FOREIGN_ORIGIN');
  expect(codeOf('POST', { ...EVIL, ...BASIC }, { cors: '*' })).toBe('FOREIGN_ORIGIN');
});

test('programs send forms without an origin; a browser that does is refused, unless its page shows a token', () => {
  const old = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:60.0) Gecko/20100101 Firefox/60.0' };
  const types = [
    'application/x-www-form-urlencoded; charset=UTF-8',
    'Multipart/Form-Data; boundary=x',
    'text/plain',
    '',
  ];
  for (const type of types) {
    const fields = { 'Content-Type': type, ...BASIC };
    for (const agent of ['curl/8.5.0', 'sparqlwrapper 2.0.0', 'Java/21', 'node', ''])
      expect(codeOf('POST', { ...fields, 'User-Agent': agent })).toBeUndefined();
    expect(codeOf('POST', { ...fields, ...old })).toBe('FOREIGN_ORIGIN');
    expect(codeOf('POST', { ...fields, ...old }, OPEN)).toBe('FOREIGN_ORIGIN');
    expect(codeOf('POST', { ...fields, ...old, ...BEARER })).toBeUndefined();
    expect(codeOf('POST', { ...fields, ...old, Origin: 'http://localhost:8080' })).toBeUndefined();
    expect(codeOf('POST', { ...fields, ...old, 'Sec-Fetch-Site': 'none' })).toBeUndefined();
  }
  // A page can send these only after a preflight.
  expect(codeOf('PUT', { ...FORM, ...BASIC, ...old })).toBeUndefined();
  expect(codeOf('POST', { 'Content-Type': 'text/turtle', ...BASIC, ...old })).toBeUndefined();
});
