// What is sent to do harm: each gets its error, fault or status at once, and the server goes on.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JSON_TYPE, XML_TYPE, errorCode, jsonCall, xmlCall } from './calls.js';
import { type RawAnswer, rawHead, rawRequest } from './raw-request.js';
import { residentBytes } from './resident-bytes.js';
import { type RpcServer, rpcServer } from './rpc-server.js';

const MAX_MS = 100;
/** Another process may have the processor: the fastest counts. */
const TRIES = 5;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const UNKNOWN_METHOD = -32601;
const INVALID_PARAMS = -32602;
const SERVICE = jsonCall('DescribeService');

let at: RpcServer;
beforeAll(async () => {
  at = await rpcServer();
  // Everything is loaded and compiled when the clock runs.
  for (let i = 0; i < 50; i++) {
    await send(JSON_TYPE, SERVICE);
    await send(XML_TYPE, xmlCall('DescribeService'));
  }
});
afterAll(() => at?.stop());

function send(type: string, body: string | Uint8Array): Promise<RawAnswer> {
  const length = Buffer.byteLength(body);
  const head = rawHead(at.rpc, { 'Content-Type': type, 'Content-Length': length, Authorization: at.basic });
  return rawRequest(at.rpc, head, body);
}

async function atOnce(request: () => Promise<RawAnswer>): Promise<RawAnswer> {
  let answer = await request();
  for (let i = 1; i < TRIES && answer.ms >= MAX_MS; i++) answer = await request();
  expect(answer.ms).toBeLessThan(MAX_MS);
  return answer;
}

type Row = readonly [what: string, body: string | Uint8Array];
function refused(type: string, status: number, code: number, rows: readonly Row[]): void {
  test.each(rows)('%s', async (_, body) => {
    const answer = await atOnce(() => send(type, body));
    expect([answer.status, errorCode(answer.body)]).toEqual([status, code]);
    expect(answer.body.length).toBeLessThan(1000);
    expect(answer.body).not.toContain('root:');
  });
}

const entities = Array.from({ length: 10 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');
const inArrays = (depth: number): string =>
  `${'<array><data><value>'.repeat(depth)}x${'</value></data></array>'.repeat(depth)}`;
const withType = (declarations: string, value: string): string =>
  `<!DOCTYPE r [${declarations}]>${xmlCall('DescribeRepository', value).replace(/<\?.*?\?>/u, '')}`;

describe('document types and entities (X1, X2, X3), depth (D1), in XML-RPC', () => {
  refused(XML_TYPE, 200, PARSE_ERROR, [
    ['an empty document type', `<!DOCTYPE methodCall>${xmlCall('DescribeService').slice(38)}`],
    ['a document type elsewhere', `<!DOCTYPE methodCall SYSTEM "http://127.0.0.1/x.dtd"><methodCall/>`],
    ['an entity that is a file', withType('<!ENTITY x SYSTEM "file:///etc/passwd">', '&x;')],
    ['a parameter entity', withType('<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;', '')],
    ['entities of entities', withType(`<!ENTITY l0 "lol">${entities}`, '&l10;')],
    ['one long entity, often', withType(`<!ENTITY a "${'x'.repeat(50_000)}">`, '&a;'.repeat(2000))],
    ['an entity that nobody declared', xmlCall('DescribeRepository', '&nbsp;')],
    ['arrays in arrays', xmlCall('DescribeRepository', inArrays(500))],
    ['arrays without an end', `<methodCall><methodName>a</methodName><params><param><value>${inArrays(2000)}`],
    ['bytes that are not UTF-8', Buffer.from([...Buffer.from('<methodCall>'), 0xff, 0xfe, 0xc0, 0x80])],
    ['a control character', xmlCall('DescribeRepository', '&#0;')],
    ['an encoding that is none', '<?xml version="1.0" encoding="x"?><methodCall/>'],
    ['nothing', ''],
    ['JSON', SERVICE],
  ]);

  test('memory stays where it was', async () => {
    const before = residentBytes(at.pid);
    for (let i = 0; i < 20; i++) {
      await send(XML_TYPE, withType(`<!ENTITY l0 "lol">${entities}`, '&l10;'));
      await send(XML_TYPE, withType(`<!ENTITY a "${'x'.repeat(50_000)}">`, '&a;'.repeat(2000)));
    }
    expect(residentBytes(at.pid) - before).toBeLessThan(50e6);
  });
});

describe('what is no call, in XML-RPC', () => {
  refused(XML_TYPE, 200, INVALID_REQUEST, [
    ['another root', '<methodResponse/>'],
    ['no method', '<methodCall/>'],
    [
      'a member twice',
      xmlCall('DescribeRepository', `<struct>${'<member><name>a</name><value/></member>'.repeat(2)}</struct>`),
    ],
    ['a type that is none', xmlCall('DescribeRepository', '<constructor/>')],
    ['a number that is none', xmlCall('DescribeRepository', '<int>1e3</int>')],
  ]);
});

describe('depth (D1) and what is no JSON', () => {
  refused(JSON_TYPE, 400, PARSE_ERROR, [
    ['arrays in arrays', '['.repeat(500)],
    ['arrays in arrays, closed', `${'['.repeat(500)}${']'.repeat(500)}`],
    ['objects in objects', '{"a":'.repeat(100_000)],
    ['parameters in parameters', SERVICE.replace('}', `,"params":${'['.repeat(20)}${']'.repeat(20)}}`)],
    [
      'brackets behind quotes',
      jsonCall('DescribeService', [`\\"${'['.repeat(30)}`]).replace(/\]\}$/u, `${'['.repeat(20)}`),
    ],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22])],
    ['a half of a text', SERVICE.slice(0, -3)],
    ['XML', xmlCall('DescribeService')],
    ['nothing', ''],
  ]);

  test('brackets within a text have no depth', async () => {
    const answer = await send(JSON_TYPE, jsonCall('CountStatements', [`\\"${'[{'.repeat(30)}`]));
    expect(errorCode(answer.body)).not.toBe(PARSE_ERROR);
  });
});

describe('batches and ids (K1)', () => {
  const notification = '{"jsonrpc":"2.0","method":"DescribeService"}';
  const batchOf = (count: number, call: string): string => `[${Array.from({ length: count }, () => call).join()}]`;
  refused(JSON_TYPE, 400, INVALID_REQUEST, [
    ['10,000 calls', batchOf(10_000, SERVICE)],
    ['10,000 notifications', batchOf(10_000, notification)],
    ['10,000 of anything', batchOf(10_000, '0')],
    ['no call at all', '[]'],
    ['version 1.0', SERVICE.replace('2.0', '1.0')],
    ['no version', '{"id":1,"method":"DescribeService"}'],
    ['a version that is a number', SERVICE.replace('"2.0"', '2.0')],
    ['an id that is an object', jsonCall('DescribeService', [], {})],
    ['an id that is an array', jsonCall('DescribeService', [], [1])],
    ['an id that is true', jsonCall('DescribeService', [], true)],
    ['a method that is a number', jsonCall(1)],
    ['a method that is an object', jsonCall({ toString: 'DescribeService' })],
    ['no method', '{"jsonrpc":"2.0","id":1}'],
    ['a text', '"DescribeService"'],
    ['null', 'null'],
  ]);

  test('100 notifications have no answer', async () => {
    const answer = await atOnce(() => send(JSON_TYPE, batchOf(100, notification)));
    expect([answer.status, answer.headers.get('content-length'), answer.body]).toEqual([200, '0', '']);
  });

  test('a key that is there twice is one call all the same', async () => {
    const answer = await atOnce(() => send(JSON_TYPE, SERVICE.replace('"id":1', '"id":1,"id":2')));
    expect(answer.status).toBeLessThan(500);
    expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: '2.0' });
  });

  test('multicalls of 10,000, and within a multicall', async () => {
    const member = (method: string, params: string): string =>
      `<value><struct><member><name>methodName</name><value>${method}</value></member>` +
      `<member><name>params</name><value><array><data>${params}</data></array></value></member></struct></value>`;
    const multicall = (...members: string[]): string =>
      xmlCall('system.multicall', `<array><data>${members.join('')}</data></array>`);
    const flood = (count: number): string =>
      multicall(...Array.from({ length: count }, () => member('DescribeService', '')));
    const tooLong = await atOnce(() => send(XML_TYPE, flood(10_000)));
    expect([tooLong.status, errorCode(tooLong.body)! < 0]).toEqual([413, true]);
    const tooMany = await atOnce(() => send(XML_TYPE, flood(1000)));
    expect([tooMany.status, errorCode(tooMany.body)]).toEqual([200, INVALID_REQUEST]);
    const inner = member(
      'system.multicall',
      `<value><array><data>${member('DescribeService', '')}</data></array></value>`,
    );
    const nested = await atOnce(() => send(XML_TYPE, multicall(inner)));
    expect(nested.body).toMatch(/<name>faultCode<\/name><value><int>-32\d{3}</);
  });
});

describe('names of prototypes (F1)', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'system.__proto__', ''];
  refused(
    JSON_TYPE,
    200,
    UNKNOWN_METHOD,
    names.map((name) => [`method ${JSON.stringify(name)}`, jsonCall(name)]),
  );
  refused(
    XML_TYPE,
    200,
    UNKNOWN_METHOD,
    names.filter((name) => name !== '').map((name) => [`method ${name} in XML-RPC`, xmlCall(name)]),
  );
  refused(JSON_TYPE, 200, INVALID_PARAMS, [
    ['parameters that are a text', jsonCall('DescribeService', 'x')],
    ['parameters that are a number', jsonCall('DescribeService', 1)],
    [
      'a parameter __proto__',
      '{"jsonrpc":"2.0","id":1,"method":"CountStatements","params":{"__proto__":{"repository":"a/b"}}}',
    ],
    ['a parameter constructor', jsonCall('CountStatements', { constructor: { prototype: { polluted: 1 } } })],
    [
      'a struct for a text',
      '{"jsonrpc":"2.0","id":1,"method":"CountStatements","params":[{"__proto__":{"polluted":1}}]}',
    ],
  ]);
  refused(XML_TYPE, 200, INVALID_PARAMS, [
    [
      'a struct with a member __proto__',
      xmlCall('CountStatements', '<struct><member><name>__proto__</name><value>x</value></member></struct>'),
    ],
  ]);

  test('a call with __proto__ is that call', async () => {
    const answer = await send(
      JSON_TYPE,
      '{"jsonrpc":"2.0","id":1,"method":"DescribeService","__proto__":{"polluted":1}}',
    );
    expect(Object.keys((JSON.parse(answer.body) as { result: object }).result).toSorted()).toEqual([
      'readable',
      'status',
      'version',
      'writable',
    ]);
  });
});

describe('sizes (L1) and what the transport refuses', () => {
  const head = (headers: Record<string, string | number | undefined>): string =>
    rawHead(at.rpc, { 'Content-Type': JSON_TYPE, 'Content-Length': SERVICE.length, ...headers });
  const answered = async (request: () => Promise<RawAnswer>): Promise<number> => (await atOnce(request)).status;

  test('100 MB and a byte: 413 before a byte of it has come', async () => {
    const answer = await atOnce(() => rawRequest(at.rpc, head({ 'Content-Length': 100 * 2 ** 20 + 1 })));
    expect([answer.status, errorCode(answer.body)! < 0]).toEqual([413, true]);
  });

  test('no length: 411', async () => {
    const chunked = head({ 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' });
    const chunk = `${SERVICE.length.toString(16)}\r\n${SERVICE}\r\n0\r\n\r\n`;
    expect(await answered(() => rawRequest(at.rpc, chunked, chunk))).toBe(411);
    expect(await answered(() => rawRequest(at.rpc, head({ 'Content-Length': undefined })))).toBe(411);
  });

  test('a length and chunks, or a length that is none: 400', async () => {
    expect(await answered(() => rawRequest(at.rpc, head({ 'Transfer-Encoding': 'chunked' }), SERVICE))).toBe(400);
    for (const length of ['-1', '0x10', '1,2', 'a']) {
      expect(await answered(() => rawRequest(at.rpc, head({ 'Content-Length': length }), SERVICE))).toBe(400);
    }
  });

  test.each([undefined, '', 'text/html', 'application/x-www-form-urlencoded', 'text/plain;', '__proto__'])(
    'the type %s: 415',
    async (type) => {
      expect(await answered(() => rawRequest(at.rpc, head({ 'Content-Type': type }), SERVICE))).toBe(415);
    },
  );

  test.each(['/rpc/2011-01-01', '/rpc/__proto__', '/rpc/..%2f..%2fetc', '/rpc/2012-06-01/x'])(
    '%s: 404',
    async (path) => {
      const elsewhere = head({}).replace('/rpc/2012-06-01', path);
      expect(await answered(() => rawRequest(at.rpc, elsewhere, SERVICE))).toBe(404);
    },
  );

  test('a method and an id of many characters are not told again', async () => {
    const long = await atOnce(() => send(JSON_TYPE, jsonCall('x'.repeat(50_000))));
    expect([errorCode(long.body), long.body.length < 1000]).toEqual([UNKNOWN_METHOD, true]);
  });

  test('ids come back as they were, and no number becomes another', async () => {
    for (const id of ['0', '-1', '1.5', '"a\\u0000"', '""', 'null', '9007199254740991']) {
      const { body } = await send(JSON_TYPE, SERVICE.replace('"id":1', `"id":${id}`));
      expect((JSON.parse(body) as { id: unknown }).id).toEqual(JSON.parse(id));
    }
  });
});
