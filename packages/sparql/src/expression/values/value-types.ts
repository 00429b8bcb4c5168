/**
 * The values that expressions compute with. A value made from a term keeps it, so that its lexical form survives; one
 * that was computed makes its term when it is asked for (see value.ts).
 */
import { canonicalLanguage } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';

/** The error of SPARQL expressions: a value, never thrown. */
export class ErrorValue {
  readonly kind = 'error';
}

export class IriValue {
  readonly kind = 'iri';
  constructor(
    readonly value: string,
    public term: RDF.NamedNode | undefined = undefined,
  ) {}
}

export class BlankNodeValue {
  readonly kind = 'blankNode';
  constructor(
    readonly value: string,
    public term: RDF.BlankNode,
  ) {}
}

/** A literal of datatype xsd:string. */
export class StringValue {
  readonly kind = 'string';
  constructor(
    readonly value: string,
    public term: RDF.Literal | undefined = undefined,
  ) {}
}

export type Direction = 'ltr' | 'rtl';

/** A literal with a language tag, as written, and perhaps a base direction. */
export class LangStringValue {
  readonly kind = 'langString';
  /** In its canonical case. */
  readonly language: string;
  constructor(
    readonly value: string,
    language: string,
    readonly direction: Direction | undefined,
    public term: RDF.Literal | undefined = undefined,
  ) {
    this.language = canonicalLanguage(language);
  }
}

export class BooleanValue {
  readonly kind = 'boolean';
  constructor(
    readonly value: boolean,
    public term: RDF.Literal | undefined = undefined,
  ) {}
}

/** A JS number where that is safe, otherwise a bigint; never a bigint that a safe number could stand for. */
export type Integer = number | bigint;

/** xsd:integer, or a type derived from it. */
export class IntegerValue {
  readonly kind = 'integer';
  constructor(
    readonly value: Integer,
    /** The full IRI where it is a derived type. */
    readonly datatype: string | undefined = undefined,
    public term: RDF.Literal | undefined = undefined,
  ) {}
}

/** The exact number `mantissa / 10 ** scale`. The mantissa may have trailing zeros. */
export class DecimalValue {
  readonly kind = 'decimal';
  constructor(
    readonly mantissa: Integer,
    readonly scale: number,
    public term: RDF.Literal | undefined = undefined,
  ) {}
}

/** xsd:float; `value` is exact in single precision. */
export class FloatValue {
  readonly kind = 'float';
  constructor(
    readonly value: number,
    public term: RDF.Literal | undefined = undefined,
  ) {}
}

export class DoubleValue {
  readonly kind = 'double';
  constructor(
    readonly value: number,
    public term: RDF.Literal | undefined = undefined,
  ) {}
}

export const TEMPORAL_KINDS = [
  'dateTime',
  'date',
  'time',
  'gYear',
  'gYearMonth',
  'gMonth',
  'gDay',
  'gMonthDay',
] as const;
export type TemporalKind = (typeof TEMPORAL_KINDS)[number];

/** A point of the local time line; what the type lacks is that of 1972-01-01T00:00:00, and for a time 1970-01-01. */
export class TemporalValue {
  constructor(
    readonly kind: TemporalKind,
    /** Seconds since 1970-01-01T00:00:00, local time. */
    readonly seconds: DecimalValue,
    /** Offset from UTC in minutes. */
    readonly zone: number | undefined,
    public term: RDF.Literal | undefined = undefined,
  ) {}
}

export const DURATION_TYPES = ['duration', 'dayTimeDuration', 'yearMonthDuration'] as const;
export type DurationType = (typeof DURATION_TYPES)[number];

/** Months and seconds, neither of which can be told in the other. Both have the same sign. */
export class DurationValue {
  readonly kind = 'duration';
  constructor(
    readonly type: DurationType,
    readonly months: number,
    readonly seconds: DecimalValue,
    public term: RDF.Literal | undefined = undefined,
  ) {}
}

/** A literal without a value here: its datatype is not known, or its lexical form is not one of that datatype. */
export class OtherLiteralValue {
  readonly kind = 'other';
  constructor(
    readonly term: RDF.Literal,
    readonly illFormed: boolean,
  ) {}
}

export class TripleValue {
  readonly kind = 'triple';
  constructor(
    readonly subject: Value,
    readonly predicate: Value,
    readonly object: Value,
    public term: RDF.BaseQuad | undefined = undefined,
  ) {}
}

export type NumericValue = IntegerValue | DecimalValue | FloatValue | DoubleValue;
export type Value =
  | ErrorValue
  | IriValue
  | BlankNodeValue
  | StringValue
  | LangStringValue
  | BooleanValue
  | NumericValue
  | TemporalValue
  | DurationValue
  | OtherLiteralValue
  | TripleValue;

export const ERROR = new ErrorValue();
export const TRUE = new BooleanValue(true);
export const FALSE = new BooleanValue(false);

export const toBoolean = (value: boolean): BooleanValue => (value ? TRUE : FALSE);

export function isNumeric(value: Value): value is NumericValue {
  const { kind } = value;
  return kind === 'integer' || kind === 'decimal' || kind === 'double' || kind === 'float';
}

export function isLiteral(value: Value): boolean {
  const { kind } = value;
  return kind !== 'iri' && kind !== 'blankNode' && kind !== 'triple' && kind !== 'error';
}

const TEMPORAL: ReadonlySet<string> = new Set(TEMPORAL_KINDS);

export const isTemporal = (value: Value): value is TemporalValue => TEMPORAL.has(value.kind);
