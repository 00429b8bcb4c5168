/** Reads the headers of a transaction in a history file. The inverse of history-headers.ts. */
import type { RevisionKind } from '@quadrille/core';
import type { RevisionHeaders } from '@quadrille/core';
import { bytesToTerm } from '@quadrille/model';

/** A header: the canonical text of its value in UTF-8, and its line. */
export interface HeaderValue {
  readonly bytes: Uint8Array;
  readonly line: number;
}

/** The fault of a header. */
export class HeaderFault extends Error {
  constructor(
    readonly line: number,
    reason: string,
  ) {
    super(reason);
  }
}

const KNOWN = ['id', 'prev', 'merged', 'origin', 'number', 'time', 'author', 'message', 'kind', 'nonce'];
const ALL: ReadonlySet<string> = new Set([...KNOWN, 'integrity', 'signature']);
const KINDS: readonly string[] = ['commit', 'merge', 'erase', 'squash'] satisfies RevisionKind[];

/** Half of the numbers that there are: those who import a history can go on with it. */
const MOST_NUMBER = 2 ** 31;
/** The end of the year 9999. Later revisions have later times and ids, for which there must be room. */
const MOST_TIME = 253_402_300_799_999;

const INTEGER = /^"(\d{1,15})"\^\^<http:\/\/www\.w3\.org\/2001\/XMLSchema#integer>$/;
const TIME = /^"([^"]+)"\^\^<http:\/\/www\.w3\.org\/2001\/XMLSchema#dateTime>$/;
const INTEGRITY = /^(\d{1,15}) (\d{1,15}) (\d{1,15}) ([0-9a-f]{64}) ([0-9a-f]{64})$/;
const SIGNATURE = /^([0-9a-f]{128}) (.*)$/s;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const QUOTE = 0x22;

type Headers = ReadonlyMap<string, HeaderValue>;

/** The revision that the headers describe. `line` is that of the transaction. @throws HeaderFault */
export function revisionOf(headers: Headers, line: number): RevisionHeaders {
  for (const [name, header] of headers)
    if (!ALL.has(name)) throw new HeaderFault(header.line, `unknown header ${name}`);
  const number = integerOf(required(headers, 'number', line));
  const kind = stringOf(headers.get('kind')) ?? 'commit';
  if (!KINDS.includes(kind)) throw new HeaderFault(headers.get('kind')!.line, `unknown kind of revision: ${kind}`);
  const parentId = uuidOf(headers.get('prev'));
  // The first revision that a trim has kept has none before it.
  const isFirst = number === 1 || (kind === 'squash' && parentId === undefined);
  if (number > MOST_NUMBER)
    throw new HeaderFault(
      headers.get('number')!.line,
      `revision ${String(number)} has a number above ${String(MOST_NUMBER)}: a history that is imported leaves room for the revisions that follow`,
    );
  if (number < 1 || isFirst !== (parentId === undefined))
    throw new HeaderFault(line, 'a transaction has a header prev, unless it is revision 1');
  const id = uuidOf(required(headers, 'id', line))!;
  const time = timeOf(required(headers, 'time', line));
  if (time > MOST_TIME || milliseconds(id) > MOST_TIME)
    throw new HeaderFault(line, `the time of revision ${String(number)}, or of its id, is after the year 9999`);
  return {
    id,
    parentId,
    mergedParent: uuidOf(headers.get('merged')),
    origin: uuidOf(headers.get('origin')),
    number,
    time,
    author: stringOf(headers.get('author')),
    message: stringOf(headers.get('message')),
    kind: kind as RevisionKind,
    ...attestationOf(headers),
  };
}

/** The time of a UUID of version 7. UUIDs of version 1 end before. */
const milliseconds = (id: Uint8Array): number =>
  id[6]! >> 4 === 7 ? id.subarray(0, 6).reduce((sum, byte) => sum * 256 + byte, 0) : 0;

function attestationOf(headers: Headers): Pick<RevisionHeaders, 'nonce' | 'integrity' | 'signature'> {
  const integrity = fields(headers.get('integrity'), INTEGRITY);
  const signature = fields(headers.get('signature'), SIGNATURE);
  return {
    nonce: nonceOf(headers.get('nonce')),
    integrity: integrity && {
      addedCount: Number(integrity[1]),
      removedCount: Number(integrity[2]),
      size: Number(integrity[3]),
      content: bytesOf(integrity[4]!),
      chain: bytesOf(integrity[5]!),
    },
    signature: signature && { bytes: bytesOf(signature[1]!), keyId: signature[2]! },
  };
}

export function required(headers: Headers, name: string, line: number): HeaderValue {
  const header = headers.get(name);
  if (header === undefined) throw new HeaderFault(line, `the header ${name} is missing`);
  return header;
}

/** Offsets of the first digit within `<urn:uuid:…>`, and of the end. */
const UUID_START = 10;
const UUID_END = 46;
const NONCE_DIGITS = 32;
const HYPHEN = 0x2d;
const URN = new TextEncoder().encode('<urn:uuid:');

export function uuidOf(header: HeaderValue | undefined): Uint8Array | undefined {
  if (header === undefined) return undefined;
  const { bytes, line } = header;
  const isUrn = bytes.length === UUID_END + 1 && URN.every((byte, i) => bytes[i] === byte);
  const id = isUrn ? bytesIn(bytes, UUID_START, UUID_END) : undefined;
  if (id?.length !== 16) throw new HeaderFault(line, 'expected <urn:uuid:…>');
  return id;
}

function nonceOf(header: HeaderValue | undefined): Uint8Array | undefined {
  if (header === undefined) return undefined;
  const { bytes, line } = header;
  const isString = bytes.length === NONCE_DIGITS + 2 && bytes[0] === QUOTE && bytes.at(-1) === QUOTE;
  const nonce = isString ? bytesIn(bytes, 1, NONCE_DIGITS + 1) : undefined;
  if (nonce?.length !== NONCE_DIGITS / 2) throw new HeaderFault(line, 'expected 32 hexadecimal digits');
  return nonce;
}

/** Values of lower-case hexadecimal digits by character, 255 of others. */
const DIGITS = new Uint8Array(256).fill(255);
for (let value = 0; value < 16; value++) DIGITS[value.toString(16).charCodeAt(0)] = value;

// The bytes of hexadecimal digits; hyphens are skipped. Undefined where another character stands.
function bytesIn(text: Uint8Array, start: number, end: number): Uint8Array | undefined {
  const bytes = new Uint8Array((end - start) >> 1);
  let digits = 0;
  for (let at = start; at < end; at++) {
    const digit = DIGITS[text[at]!]!;
    if (digit !== 255) bytes[digits >> 1] = (bytes[digits++ >> 1]! << 4) | digit;
    else if (text[at] !== HYPHEN) return undefined;
  }
  return digits % 2 === 0 ? bytes.slice(0, digits >> 1) : undefined;
}

export function integerOf({ bytes, line }: HeaderValue): number {
  const digits = INTEGER.exec(utf8.decode(bytes))?.[1];
  if (digits === undefined) throw new HeaderFault(line, 'expected a whole number');
  return Number(digits);
}

function timeOf({ bytes, line }: HeaderValue): number {
  const time = Date.parse(TIME.exec(utf8.decode(bytes))?.[1] ?? '');
  if (Number.isNaN(time)) throw new HeaderFault(line, 'expected a time');
  return time;
}

export function stringOf(header: HeaderValue | undefined): string | undefined {
  if (header === undefined) return undefined;
  // Behind the closing quote of a plain string there is nothing.
  const { bytes, line } = header;
  if (bytes[0] !== QUOTE || bytes.at(-1) !== QUOTE) throw new HeaderFault(line, 'expected a string');
  return bytesToTerm(bytes).value;
}

function fields(header: HeaderValue | undefined, form: RegExp): RegExpExecArray | undefined {
  if (header === undefined) return undefined;
  const found = form.exec(stringOf(header)!);
  if (found === null) throw new HeaderFault(header.line, 'the value has not the form that it should have');
  return found;
}

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16));
