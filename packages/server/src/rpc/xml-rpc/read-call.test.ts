import { describe, expect, test } from 'vitest';
import type { RpcCall } from '../calls/call.js';
import { DEFAULT_LIMITS } from '../calls/limits.js';
import { RPC, RpcError } from '../calls/rpc-error.js';
import { readXmlCall } from './index.js';

const read = (xml: string | Uint8Array): RpcCall =>
  readXmlCall(typeof xml === 'string' ? Buffer.from(xml) : xml, DEFAULT_LIMITS);
const call = (params: string): string => `<methodCall><methodName>m</methodName>${params}</methodCall>`;
const withValue = (value: string): string => call(`<params><param><value>${value}</value></param></params>`);
const value = (xml: string): unknown => (read(withValue(xml)).params as readonly unknown[])[0];
const inArrays = (depth: number): string =>
  `${'<array><data><value>'.repeat(depth)}x${'</value></data></array>'.repeat(depth)}`;

function refusal(xml: string | Uint8Array): RpcError {
  try {
    read(xml);
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
  throw new Error('it was read');
}

describe('a call', () => {
  test.each([
    ['without parameters', '', undefined],
    ['with none', '<params></params>', []],
    ['with none, in short', '<params/>', []],
    ['with two', '<params><param><value>a</value></param><param><value>b</value></param></params>', ['a', 'b']],
  ])('%s', (_, params, expected) => {
    expect(read(call(params))).toEqual({ method: 'm', params: expected });
  });

  test('is laid out as its writer likes', () => {
    const xml = `<?xml version="1.0" encoding="utf-8" standalone="yes"?>
      <?xml-stylesheet href="x"?>
      <!-- a call --><methodCall a="1">
        <methodName> dydra.repository.list </methodName>
        <params> <param> <?php x?> <value> <!-- c --> <int> 1 </int> </value> </param> </params>
      </methodCall><!-- end -->
      `;
    expect(read(xml.trimStart())).toEqual({ method: 'dydra.repository.list', params: [1] });
  });

  test.each([
    ['text', 'x'],
    ['a second call', call('')],
    ['CDATA', '<![CDATA[x]]>'],
    ['a character reference', '&#65;'],
    ['an end tag', '</methodCall>'],
    ['a tag that is cut', '<'],
    ['a document type', '<!DOCTYPE methodCall>'],
    ['a zero byte', '\u0000'],
    ['a second declaration', '<?xml version="1.0"?>'],
  ])('ends with its root: not with %s behind it', (_, trailing) => {
    for (const blank of ['', '\n '])
      expect([trailing, refusal(call('') + blank + trailing).code]).toEqual([trailing, 'RPC_PARSE_ERROR']);
  });

  test.each(['__proto__', 'constructor', 'a/b:c.d_E9', 'é'])('names any method: %s', (name) => {
    expect(read(`<methodCall><methodName>${name}</methodName></methodCall>`).method).toBe(name);
  });
});

describe('a value', () => {
  test.each<[string, unknown]>([
    ['', ''],
    ['bare <!-- c -->text ', 'bare text '],
    ['<string></string>', ''],
    ['<string/>', ''],
    ['<string> a\n b </string>', ' a\n b '],
    ['<string>a<![CDATA[<&]]>b</string>', 'a<&b'],
    ['<string>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;&#xD;</string>', '<>&"\'A😀\r'],
    ['<int>-12</int>', -12],
    ['<int>+12</int>', 12],
    ['<int>-0</int>', 0],
    ['<i4>2147483647</i4>', 2147483647],
    ['<int>1099511627776</int>', 1099511627776],
    ['<i8>9007199254740991</i8>', 9007199254740991],
    ['<i8>-9223372036854775808</i8>', -9223372036854775808n],
    ['<ex:i8>9007199254740993</ex:i8>', 9007199254740993n],
    ['<boolean>1</boolean>', true],
    ['<boolean>0</boolean>', false],
    ['<double>-1.50</double>', -1.5],
    ['<double>.5</double>', 0.5],
    ['<double>3</double>', 3],
    ['<double>1e+20</double>', 1e20],
    ['<dateTime.iso8601>19980717T14:08:55</dateTime.iso8601>', new Date('1998-07-17T14:08:55Z')],
    ['<dateTime.iso8601>1998-07-17T14:08:55.25Z</dateTime.iso8601>', new Date('1998-07-17T14:08:55.250Z')],
    ['<dateTime.iso8601>19980717T140855+0230</dateTime.iso8601>', new Date('1998-07-17T11:38:55Z')],
    ['<base64>aGVs\nbG8=\n</base64>', new Uint8Array(Buffer.from('hello'))],
    ['<base64/>', new Uint8Array(0)],
    ['<nil/>', null],
    ['<ex:nil/>', null],
    ['<array><data/></array>', []],
    ['<array><data><value>a</value><value><nil/></value><value/></data></array>', ['a', null, '']],
    ['<struct/>', {}],
    ['<struct><member><name> a </name><value><int>1</int></value></member></struct>', { ' a ': 1 }],
    [inArrays(2), [['x']]],
  ])('%s', (xml, expected) => {
    expect(value(xml)).toEqual(expected);
  });

  test('a struct has whatever names it likes, and no prototype', () => {
    const names = ['__proto__', 'constructor', 'toString', ''];
    const members = names.map((name) => `<member><name>${name}</name><value>x</value></member>`);
    const struct = value(`<struct>${members.join('')}</struct>`) as object;
    expect(Object.getPrototypeOf(struct)).toBeNull();
    expect(Object.keys(struct)).toEqual(names);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  test('bytes are plain bytes, not a Buffer', () => {
    expect(Object.getPrototypeOf(value('<base64>AA==</base64>'))).toBe(Uint8Array.prototype);
  });

  test('nesting ends at the limit', () => {
    expect(value(inArrays(DEFAULT_LIMITS.maxDepth))).toHaveLength(1);
    const error = refusal(withValue(inArrays(DEFAULT_LIMITS.maxDepth + 1)));
    expect([error.rpcCode, error.message]).toEqual([RPC.PARSE_ERROR, expect.stringContaining('deeper than 16')]);
  });
});

describe('no value', () => {
  test.each([
    '<int/>',
    '<int>1.0</int>',
    '<int>0x1</int>',
    '<int>1 2</int>',
    '<int>9223372036854775808</int>',
    '<int>99999999999999999999</int>',
    '<boolean>true</boolean>',
    '<boolean>2</boolean>',
    '<boolean/>',
    '<double/>',
    '<double>.</double>',
    '<double>nan</double>',
    '<double>inf</double>',
    '<double>1e999</double>',
    '<double>1,5</double>',
    '<dateTime.iso8601>1998</dateTime.iso8601>',
    '<dateTime.iso8601>19980231T00:00:00</dateTime.iso8601>',
    '<dateTime.iso8601>19981301T00:00:00</dateTime.iso8601>',
    '<dateTime.iso8601>19980101T24:00:00</dateTime.iso8601>',
    '<dateTime.iso8601>19980101T00:61:00</dateTime.iso8601>',
    '<base64>a</base64>',
    '<base64>aaa</base64>',
    '<base64>a===</base64>',
    '<base64>a?==</base64>',
    '<nil>x</nil>',
    '<array/>',
    '<array><data/><data/></array>',
    '<array><value>1</value></array>',
    '<array><data>text</data></array>',
    '<struct>text</struct>',
    '<struct><member><name>a</name></member></struct>',
    '<struct><member><value>a</value></member></struct>',
    '<struct><member><value>a</value><name>a</name></member></struct>',
    '<struct><member><name>a</name><name>b</name><value>a</value></member></struct>',
    '<struct><member><name>a</name><value>a</value><value>a</value></member></struct>',
    '<struct><member><name>a</name><value>1</value></member><member><name>a</name><value>2</value></member></struct>',
    '<int>1</int><int>2</int>',
    '<nil/><int>2</int>',
    '<int>1</int> text',
    'text<int>1</int>',
    '<int><int>1</int></int>',
    '<unknown>1</unknown>',
    '<constructor>1</constructor>',
    '<__proto__>1</__proto__>',
    '<float>1</float>',
    '<value>1</value>',
  ])('%s', (xml) => {
    expect(refusal(withValue(xml)).rpcCode).toBe(RPC.INVALID_REQUEST);
  });
});

describe('no call', () => {
  test.each([
    '<methodResponse/>',
    '<methodCall/>',
    '<methodCall><methodName/></methodCall>',
    '<methodCall><methodName> </methodName></methodCall>',
    '<methodCall>text<methodName>m</methodName></methodCall>',
    '<methodCall><params/><methodName>m</methodName></methodCall>',
    '<methodCall><methodName>m</methodName><methodName>m</methodName></methodCall>',
    '<methodCall><methodName>m<b/></methodName></methodCall>',
    `${call('')}<more/>`,
    call('<params/><params/>'),
    call('<params>text</params>'),
    call('<params><value/></params>'),
    call('<params><param/></params>'),
    call('<params><param>text</param></params>'),
    call('<params><param><value/><value/></param></params>'),
    call('<param/>'),
    '<x:methodCall xmlns:x="urn:x"><methodName>m</methodName></x:methodCall>',
  ])('%s', (xml) => {
    expect(refusal(xml).rpcCode).toBe(RPC.INVALID_REQUEST);
  });

  test.each([
    '',
    ' ',
    'text',
    '{"jsonrpc":"2.0"}',
    '<methodCall>',
    '<methodCall><methodName>m</methodName></methodcall>',
    `${call('')}text`,
    ` <?xml version="1.0"?>${call('')}`,
    withValue('&nbsp;'),
    withValue('&constructor;'),
    withValue('&__proto__;'),
    withValue('&#0;'),
    withValue('&#xD800;'),
    withValue('\u0001'),
    withValue('\uFFFE'),
    `<?xml version="1.1"?>${withValue('&#1;')}`,
    '<methodCall a="1" a="2"/>',
    '<!DOCTYPE methodCall>' + call(''),
    '<!DOCTYPE methodCall SYSTEM "file:///etc/passwd">' + call(''),
    '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + withValue('&x;'),
    '<!DOCTYPE r [<!ENTITY % a "<!ENTITY b \'c\'>"> %a;]>' + withValue('&b;'),
    '<!DOCTYPE methodCall [' + call(''),
  ])('not XML: %s', (xml) => {
    expect(refusal(xml).rpcCode).toBe(RPC.PARSE_ERROR);
  });

  test('a message says where, and stays short', () => {
    expect(refusal('<methodCall>\n  <wrong/>').message).toBe('2:9: <wrong> has no place in <methodCall>');
    expect(refusal(`<${'a'.repeat(100_000)}/>`).message.length).toBeLessThan(250);
    expect(refusal(`<a ${'b'.repeat(100_000)}="" />`).message.length).toBeLessThan(250);
    expect(refusal(withValue(`<int>${'x'.repeat(100_000)}</int>`)).message.length).toBeLessThan(250);
    expect(refusal(withValue(`&${'x'.repeat(100_000)};`)).message.length).toBeLessThan(250);
  });
});

describe('an encoding', () => {
  const greeting = (declaration: string): string => `${declaration}${withValue('Gründer €')}`;
  const utf16 = (bigEndian: boolean): Buffer => {
    const bytes = Buffer.from(`\uFEFF${greeting('<?xml version="1.0" encoding="UTF-16"?>')}`, 'utf16le');
    return bigEndian ? bytes.swap16() : bytes;
  };
  test.each<[string, Uint8Array]>([
    ['UTF-8 by default', Buffer.from(greeting(''))],
    ['UTF-8 by default, with a declaration', Buffer.from(greeting('<?xml version="1.0"?>'))],
    ['UTF-8 by its name', Buffer.from(greeting('<?xml version="1.0" encoding=\'utf-8\'?>'))],
    ['UTF-8 with its byte order mark', Buffer.from(`\uFEFF${greeting('<?xml version="1.0"?>')}`)],
    ['UTF-16', utf16(false)],
    ['UTF-16, the other way round', utf16(true)],
  ])('%s', (_, bytes) => {
    expect(read(bytes).params).toEqual(['Gründer €']);
  });

  test('another that is declared', () => {
    const xml = `<?xml version="1.0" encoding="ISO-8859-1"?>${withValue('Gründer')}`;
    expect(read(Buffer.from(xml, 'latin1')).params).toEqual(['Gründer']);
  });

  test.each<[string, Uint8Array]>([
    ['unknown', Buffer.from(`<?xml version="1.0" encoding="klingon"?>${call('')}`)],
    ['false: ASCII, not UTF-16', Buffer.from(`<?xml version="1.0" encoding="UTF-16"?>${call('')}`)],
    ['false: Latin-1, not UTF-8', Buffer.from(withValue('Gründer'), 'latin1')],
    ['broken: a surrogate', Buffer.from([...Buffer.from('<a>'), 0xed, 0xa0, 0x80])],
    ['broken: too long a form', Buffer.from([...Buffer.from('<a>'), 0xc0, 0xaf])],
    ['broken: half a UTF-16', Buffer.from([0xff, 0xfe, 0x3c])],
  ])('%s', (_, bytes) => {
    expect(refusal(bytes).rpcCode).toBe(RPC.PARSE_ERROR);
  });
});

describe('hostile documents as long as a call may be are refused or read at once', () => {
  const repeat = (text: string): string => text.repeat(Math.ceil(2 ** 18 / text.length));
  const entities = Array.from({ length: 10 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');
  test.each<[string, string]>([
    ['entities in entities', `<!DOCTYPE l [<!ENTITY l0 "lol">${entities}]>${withValue('&l10;')}`],
    ['one entity, often', `<!DOCTYPE l [<!ENTITY a "${'x'.repeat(50_000)}">]>${withValue('&a;'.repeat(2000))}`],
    ['a document type without end', `<!DOCTYPE l [${repeat('<!ENTITY a "b">')}`],
    ['open elements', `<methodCall>${repeat('<a>')}`],
    ['open arrays', call(`<params><param><value>${repeat('<array><data><value>')}`)],
    ['white space within a number', withValue(`<int>1${repeat(' ')}1</int>`)],
    ['white space within base64', withValue(`<base64>a${repeat(' ')}!</base64>`)],
    ['a long number', withValue(`<int>${repeat('9')}</int>`)],
    ['a long fraction', withValue(`<double>1.${repeat('9')}e</double>`)],
    ['a long time', withValue(`<dateTime.iso8601>19980717T14:08:55.${repeat('9')}</dateTime.iso8601>`)],
    ['white space before a declaration ends', `<?xml ${repeat(' ')}`],
    ['attributes', `<methodCall ${Array.from({ length: 25_000 }, (_, i) => `a${i}=""`).join(' ')}>`],
  ])('%s', (_, xml) => {
    const began = performance.now();
    refusal(xml);
    expect(performance.now() - began).toBeLessThan(500);
  });

  test('many small values', () => {
    const began = performance.now();
    expect(value(`<array><data>${'<value><i4>1</i4></value>'.repeat(10_000)}</data></array>`)).toHaveLength(10_000);
    expect(performance.now() - began).toBeLessThan(500);
  });
});
