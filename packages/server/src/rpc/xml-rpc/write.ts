/** Writes `<methodResponse>`, in UTF-8. */
import { RPC, RpcError } from '../calls/rpc-error.js';
import type { RpcStruct, RpcValue } from '../calls/value.js';

export interface XmlWriteOptions {
  /** Writes whole numbers beyond 32 bits as `<i8>`, which is an extension; otherwise they are `<double>`. */
  readonly i8?: boolean;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<methodResponse>';
const TAIL = '</methodResponse>\n';
// Lone surrogates among them: XML has no way to write them. What cannot be written becomes U+FFFD, as in SPARQL results.
const UNWRITABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;
const SPECIAL = /[&<>\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' };
/** A text without one of these characters is written unchanged. */
const PLAIN = /^[\t\n\x20-\x25\x27-\x3b\x3d\x3f-\x7e]*$/;
const ENCODER = new TextEncoder();
const MIN_INT = -0x80000000;
const MAX_INT = 0x7fffffff;

/** @throws RpcError `RPC_INTERNAL_ERROR` for a number or a time that XML-RPC cannot write */
export function writeXmlResponse(value: RpcValue, options: XmlWriteOptions = {}): Uint8Array {
  return ENCODER.encode(`${HEAD}<params><param>${valueText(value, options)}</param></params>${TAIL}`);
}

/** A fault has a code and a text, and no `data`. */
export function writeXmlFault(error: RpcError): Uint8Array {
  const fault: RpcStruct = { faultCode: error.rpcCode, faultString: error.message };
  return ENCODER.encode(`${HEAD}<fault>${valueText(fault, {})}</fault>${TAIL}`);
}

function valueText(value: RpcValue, options: XmlWriteOptions): string {
  return `<value>${typedText(value, options)}</value>`;
}

function typedText(value: RpcValue, options: XmlWriteOptions): string {
  if (value === null) return '<nil/>';
  switch (typeof value) {
    case 'string':
      return `<string>${escapeText(value)}</string>`;
    case 'boolean':
      return value ? '<boolean>1</boolean>' : '<boolean>0</boolean>';
    case 'number':
    case 'bigint':
      return numberText(value, options);
  }
  if (value instanceof Date) return `<dateTime.iso8601>${timeText(value)}</dateTime.iso8601>`;
  if (value instanceof Uint8Array) return `<base64>${base64Text(value)}</base64>`;
  if (isArray(value)) {
    return `<array><data>${value.map((item) => valueText(item, options)).join('')}</data></array>`;
  }
  let members = '';
  for (const name of Object.keys(value)) {
    members += `<member><name>${escapeText(name)}</name>${valueText(value[name]!, options)}</member>`;
  }
  return `<struct>${members}</struct>`;
}

/** `Array.isArray` for a read-only array. */
const isArray = (value: RpcValue): value is readonly RpcValue[] => Array.isArray(value);

function escapeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(UNWRITABLE, '\uFFFD').replace(SPECIAL, (char) => ESCAPES[char]!);
}

function numberText(value: number | bigint, options: XmlWriteOptions): string {
  const isWhole = typeof value === 'bigint' || (Number.isInteger(value) && !Object.is(value, -0));
  if (isWhole && value >= MIN_INT && value <= MAX_INT) return `<int>${String(value)}</int>`;
  const isLong = typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);
  if (isWhole && isLong && options.i8 === true) return `<i8>${String(value)}</i8>`;
  return `<double>${decimalText(Number(value))}</double>`;
}

/** Digits around a point, as the specification wants them: without an exponent. */
function decimalText(value: number): string {
  if (!Number.isFinite(value))
    throw new RpcError(RPC.INTERNAL_ERROR, 'XML-RPC cannot write a number that is not finite');
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const point = Number(exponent) + 1;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.slice(0, point).padEnd(point, '0')}.${digits.slice(point) || '0'}`;
}

/** To the second and in UTC: the form has neither a fraction nor a zone. */
function timeText(time: Date): string {
  const text = Number.isNaN(time.getTime()) ? '' : time.toISOString();
  if (!/^\d{4}-/.test(text))
    throw new RpcError(RPC.INTERNAL_ERROR, 'XML-RPC cannot write a time outside the years 0 to 9999');
  return `${text.slice(0, 10).replaceAll('-', '')}${text.slice(10, 19)}`;
}

function base64Text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
