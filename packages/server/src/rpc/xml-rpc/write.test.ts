import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../calls/limits.js';
import { RPC, RpcError } from '../calls/rpc-error.js';
import type { RpcValue } from '../calls/value.js';
import { readXmlCall, writeXmlFault, writeXmlResponse } from './index.js';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
/** What stands in the one value of a response. */
const written = (value: RpcValue, i8 = false): string =>
  /<params><param><value>(.*)<\/value><\/param><\/params>/su.exec(text(writeXmlResponse(value, { i8 })))![1]!;
/** A response as the call whose parameter is its value. */
const readBack = (response: Uint8Array): unknown => {
  const xml = text(response)
    .replace('<methodResponse>', '<methodCall><methodName>m</methodName>')
    .replace('</methodResponse>', '</methodCall>');
  return (readXmlCall(Buffer.from(xml), DEFAULT_LIMITS).params as readonly unknown[])[0];
};

test('a response', () => {
  expect(text(writeXmlResponse({ version: '2012-06-01', readable: true }))).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<methodResponse><params><param><value><struct>' +
      '<member><name>version</name><value><string>2012-06-01</string></value></member>' +
      '<member><name>readable</name><value><boolean>1</boolean></value></member>' +
      '</struct></value></param></params></methodResponse>\n',
  );
});

test('a fault', () => {
  expect(text(writeXmlFault(new RpcError(RPC.METHOD_NOT_FOUND, 'no method <a\u0000>')))).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<methodResponse><fault><value><struct>' +
      '<member><name>faultCode</name><value><int>-32601</int></value></member>' +
      '<member><name>faultString</name><value><string>no method &lt;a\uFFFD&gt;</string></value></member>' +
      '</struct></value></fault></methodResponse>\n',
  );
});

describe('a value', () => {
  test.each<[RpcValue, string]>([
    [null, '<nil/>'],
    [false, '<boolean>0</boolean>'],
    ['', '<string></string>'],
    ['<a>&]]>\r\n\té"\'', '<string>&lt;a&gt;&amp;]]&gt;&#xD;\n\té"\'</string>'],
    ['a\u0000b\u001Fc\uFFFEd\uFFFFe\uD800f\uDC00', '<string>a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\uFFFDf\uFFFD</string>'],
    ['\u007F\u0085😀', '<string>\u007F\u0085😀</string>'],
    [2147483647, '<int>2147483647</int>'],
    [-2147483648, '<int>-2147483648</int>'],
    [2147483648, '<double>2147483648.0</double>'],
    [5n, '<int>5</int>'],
    [-5000000000n, '<double>-5000000000.0</double>'],
    [1.5, '<double>1.5</double>'],
    [-0, '<double>-0.0</double>'],
    [1.25e-7, '<double>0.000000125</double>'],
    [-123.456, '<double>-123.456</double>'],
    [1e21, '<double>1000000000000000000000.0</double>'],
    [new Date('1998-07-17T14:08:55.999Z'), '<dateTime.iso8601>19980717T14:08:55</dateTime.iso8601>'],
    [new Uint8Array([0, 255, 1]).subarray(1), '<base64>/wE=</base64>'],
    [[], '<array><data></data></array>'],
    [[1, 'a'], '<array><data><value><int>1</int></value><value><string>a</string></value></data></array>'],
    [{}, '<struct></struct>'],
    [{ '<': null }, '<struct><member><name>&lt;</name><value><nil/></value></member></struct>'],
  ])('%o', (value, expected) => {
    expect(written(value)).toBe(expected);
  });

  test('a long integer, where that extension is wished for', () => {
    expect(written(2147483648, true)).toBe('<i8>2147483648</i8>');
    expect(written([9223372036854775807n], true)).toContain('<i8>9223372036854775807</i8>');
    expect(written(2n ** 63n, true)).toBe('<double>9223372036854776000.0</double>');
    expect(written(2 ** 60, true)).toBe('<double>1152921504606847000.0</double>');
    expect(written(7, true)).toBe('<int>7</int>');
  });

  test.each<[RpcValue]>([
    [Number.NaN],
    [Number.NEGATIVE_INFINITY],
    [new Date(Number.NaN)],
    [new Date('+010000-01-01T00:00:00Z')],
    [new Date('-000001-01-01T00:00:00Z')],
  ])('%s cannot be written', (value) => {
    expect(() => writeXmlResponse([value])).toThrow(RpcError);
  });
});

describe('what was written is read again', () => {
  /** All that XML can carry. */
  const string = fc
    .string({ unit: 'binary' })
    .map((each) => each.replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, ''));
  const scalar = fc.oneof(
    string,
    fc.boolean(),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constant(null),
    fc.uint8Array(),
    fc
      .date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
      .map((date) => new Date(Math.floor(date.getTime() / 1000) * 1000)),
  );
  const { value } = fc.letrec<{ value: RpcValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      scalar,
      fc.array(tie('value')),
      fc.dictionary(string, tie('value'), { noNullPrototype: false }).map((each) => Object.assign(nothing(), each)),
    ),
  }));
  const nothing = (): Record<string, RpcValue> => Object.create(null) as Record<string, RpcValue>;

  test('any value', () => {
    fc.assert(
      fc.property(value, (each) => {
        expect(readBack(writeXmlResponse(each))).toEqual(each);
      }),
    );
  });

  test('any long integer', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (each) => {
        expect(BigInt(readBack(writeXmlResponse(each, { i8: true })) as bigint)).toBe(each);
      }),
    );
  });

  test('any text is XML afterwards', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
        (each) => {
          expect(readBack(writeXmlResponse(each))).toHaveLength(each.length);
        },
      ),
    );
  });
});
