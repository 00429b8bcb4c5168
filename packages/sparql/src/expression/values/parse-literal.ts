/** From the lexical form of a known XSD datatype to its value. */
import type * as RDF from '@rdfjs/types';
import { XSD } from '@quadrille/model';
import { parseDecimal, parseDigits } from './decimal.js';
import { parseDuration } from './duration.js';
import { parseDouble } from './number-text.js';
import { parseTemporal } from './temporal.js';
import {
  BooleanValue,
  DoubleValue,
  FloatValue,
  IntegerValue,
  StringValue,
  TEMPORAL_KINDS,
  DURATION_TYPES,
  type Integer,
  type Value,
} from './value-types.js';

/** The value, or undefined where the text is not in the lexical space (or is longer than what is supported). */
export type LiteralParser = (text: string) => (Value & { term?: RDF.Term | undefined }) | undefined;

const INTEGER = /^[+-]?\d+$/;

export const parseInteger = (text: string): Integer | undefined => (INTEGER.test(text) ? parseDigits(text) : undefined);

function parseBoolean(text: string): BooleanValue | undefined {
  if (text === 'true' || text === '1') return new BooleanValue(true);
  return text === 'false' || text === '0' ? new BooleanValue(false) : undefined;
}

const NONE = undefined;
/** The smallest and the greatest value of the types derived from xsd:integer. */
export const INTEGER_RANGES: ReadonlyMap<string, readonly [Integer | undefined, Integer | undefined]> = new Map([
  ['nonPositiveInteger', [NONE, 0]],
  ['negativeInteger', [NONE, -1]],
  ['nonNegativeInteger', [0, NONE]],
  ['positiveInteger', [1, NONE]],
  ['long', [-(2n ** 63n), 2n ** 63n - 1n]],
  ['int', [-(2 ** 31), 2 ** 31 - 1]],
  ['short', [-32_768, 32_767]],
  ['byte', [-128, 127]],
  ['unsignedLong', [0, 2n ** 64n - 1n]],
  ['unsignedInt', [0, 2 ** 32 - 1]],
  ['unsignedShort', [0, 65_535]],
  ['unsignedByte', [0, 255]],
]);

/** The integer as a value of the derived type of that (local) name, or undefined where it is out of its range. */
export function toDerivedInteger(name: string, value: Integer): IntegerValue | undefined {
  const [least, greatest] = INTEGER_RANGES.get(name) ?? [NONE, NONE];
  if ((least !== NONE && value < least) || (greatest !== NONE && value > greatest)) return undefined;
  return new IntegerValue(value, XSD + name);
}

const ifDefined = <T, R>(value: T | undefined, make: (value: T) => R): R | undefined =>
  value === undefined ? undefined : make(value);

const byName: readonly (readonly [string, LiteralParser])[] = [
  ['string', (text) => new StringValue(text)],
  ['boolean', parseBoolean],
  ['integer', (text) => ifDefined(parseInteger(text), (value) => new IntegerValue(value))],
  ['decimal', parseDecimal],
  ['double', (text) => ifDefined(parseDouble(text), (value) => new DoubleValue(value))],
  ['float', (text) => ifDefined(parseDouble(text), (value) => new FloatValue(Math.fround(value)))],
  ['dateTimeStamp', (text) => (/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? parseTemporal('dateTime', text) : undefined)],
  ...TEMPORAL_KINDS.map((kind) => [kind, (text: string) => parseTemporal(kind, text)] as const),
  ...DURATION_TYPES.map((type) => [type, (text: string) => parseDuration(type, text)] as const),
  ...[...INTEGER_RANGES.keys()].map(
    (name) =>
      [name, (text: string) => ifDefined(parseInteger(text), (value) => toDerivedInteger(name, value))] as const,
  ),
];

/** Characters of a number, a date or a duration. Regular expressions that read longer ones overflow the stack of V8. */
const MOST_CHARACTERS = 16_384;

const limited =
  (parse: LiteralParser): LiteralParser =>
  (text) =>
    text.length <= MOST_CHARACTERS ? parse(text) : undefined;

/** By datatype IRI. */
export const LITERAL_PARSERS: ReadonlyMap<string, LiteralParser> = new Map(
  byName.map(([name, parser]) => [XSD + name, name === 'string' ? parser : limited(parser)]),
);
