/**
 * Reads the scalar values of XML-RPC, such as `<int>` and `<dateTime.iso8601>`. White space around a value comes from indentation
 * and is ignored, except in strings.
 */
import type { RpcValue } from '../calls/value.js';

/** Reads a text; undefined says that it is not one of its type. */
type ReadScalar = (text: string) => RpcValue | undefined;

const INTEGER = /^[+-]?\d{1,19}$/;
const DOUBLE = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const DATE_TIME =
  /^(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d):?(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):?([0-5]\d))?$/;

/**
 * One rule for all three: clients write every whole number as `<int>`, also beyond the 32 bits of the specification. A
 * number where that is exact.
 */
const integer: ReadScalar = (text) => {
  const digits = text.trim();
  if (!INTEGER.test(digits)) return undefined;
  const number = Number(digits);
  // An integer has no negative zero.
  if (Number.isSafeInteger(number)) return number + 0;
  const big = BigInt(digits.startsWith('+') ? digits.slice(1) : digits);
  return BigInt.asIntN(64, big) === big ? big : undefined;
};

const nil: ReadScalar = (text) => (text.trim() === '' ? null : undefined);

/** By the name of the element; a map, so that no name is found that is not here. */
export const SCALARS: ReadonlyMap<string, ReadScalar> = new Map<string, ReadScalar>([
  ['int', integer],
  ['i4', integer],
  ['i8', integer],
  // As the Apache clients spell the extensions.
  ['ex:i8', integer],
  ['boolean', readBoolean],
  ['double', readDouble],
  ['string', (text) => text],
  ['dateTime.iso8601', readDateTime],
  ['base64', readBase64],
  ['nil', nil],
  ['ex:nil', nil],
]);

function readBoolean(text: string): boolean | undefined {
  const digit = text.trim();
  if (digit === '1') return true;
  return digit === '0' ? false : undefined;
}

function readDouble(text: string): number | undefined {
  const digits = text.trim();
  const number = DOUBLE.test(digits) ? Number(digits) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** The specification leaves the zone open: a time without one is of UTC. */
function readDateTime(text: string): Date | undefined {
  const match = DATE_TIME.exec(text.trim());
  if (match === null) return undefined;
  const [, year, month, day, hours, minutes, seconds, fraction = '', sign, zoneHours, zoneMinutes] = match;
  const date = new Date(
    `${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`,
  );
  // A day that the month does not have, or an hour 24, is carried over into the next.
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return undefined;
  if (sign === undefined) return date;
  const offsetMs = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
  return new Date(date.getTime() + (sign === '+' ? -offsetMs : offsetMs));
}

function readBase64(text: string): Uint8Array | undefined {
  const digits = text.replace(/[ \t\r\n]+/g, '');
  if (digits.length % 4 !== 0 || !BASE64.test(digits)) return undefined;
  return new Uint8Array(Buffer.from(digits, 'base64'));
}
