/** Between terms and values: `valueOf` reads a term, `termOf` gives back that very term or makes one. */
import type * as RDF from '@rdfjs/types';
import { dataFactory, RDF_DIR_LANG_STRING, RDF_LANG_STRING, XSD } from '@quadrille/model';
import { formatDecimal } from './decimal.js';
import { formatDuration } from './duration.js';
import { formatDouble, formatFloat } from './number-text.js';
import { LITERAL_PARSERS } from './parse-literal.js';
import { formatTemporal } from './temporal.js';
import {
  BlankNodeValue,
  DecimalValue,
  DURATION_TYPES,
  ERROR,
  IriValue,
  LangStringValue,
  OtherLiteralValue,
  TEMPORAL_KINDS,
  TemporalValue,
  TripleValue,
  type BooleanValue,
  type DurationValue,
  type NumericValue,
  type StringValue,
  type Value,
} from './value-types.js';

export * from './value-types.js';

/** The value of a term. A variable and the default graph have none: an error. */
export function valueOf(term: RDF.Term): Value {
  switch (term.termType) {
    case 'Literal':
      return literalValue(term);
    case 'NamedNode':
      return new IriValue(term.value, term);
    case 'BlankNode':
      return new BlankNodeValue(term.value, term);
    case 'Quad':
      return new TripleValue(valueOf(term.subject), valueOf(term.predicate), valueOf(term.object), term);
    default:
      return ERROR;
  }
}

function literalValue(term: RDF.Literal): Value {
  if (term.language !== '') return new LangStringValue(term.value, term.language, term.direction || undefined, term);
  const parser = LITERAL_PARSERS.get(term.datatype.value);
  if (parser === undefined) return new OtherLiteralValue(term, false);
  const value = parser(term.value);
  if (value === undefined) return new OtherLiteralValue(term, true);
  value.term = term;
  return value;
}

/**
 * The term of a value: the one that it was made from, or else a new one in canonical form, which the value then keeps.
 * An error has none; ask before.
 */
export function termOf(value: Value): RDF.Term {
  switch (value.kind) {
    case 'error':
      throw new Error('an error has no term');
    case 'blankNode':
    case 'other':
      return value.term;
    case 'iri':
      return (value.term ??= dataFactory.namedNode(value.value));
    case 'langString':
      return (value.term ??= langStringTerm(value));
    case 'triple':
      return (value.term ??= tripleTerm(value));
    default:
      return (value.term ??= dataFactory.literal(canonicalForm(value), datatypeNode(datatypeOf(value))));
  }
}

function langStringTerm({ value, language, direction }: LangStringValue): RDF.Literal {
  return dataFactory.literal(value, direction === undefined ? language : { language, direction });
}

const tripleTerm = ({ subject, predicate, object }: TripleValue): RDF.Quad =>
  dataFactory.quad(
    termOf(subject) as RDF.Quad_Subject,
    termOf(predicate) as RDF.Quad_Predicate,
    termOf(object) as RDF.Quad_Object,
  );

type TypedValue = StringValue | BooleanValue | NumericValue | TemporalValue | DurationValue;

function canonicalForm(value: TypedValue): string {
  switch (value.kind) {
    case 'string':
      return value.value;
    case 'boolean':
    case 'integer':
      return String(value.value);
    case 'decimal':
      return canonicalDecimal(value);
    case 'double':
      return formatDouble(value.value);
    case 'float':
      return formatFloat(value.value);
    case 'duration':
      return formatDuration(value);
    default:
      return formatTemporal(value);
  }
}

/** With at least one digit after the point, as XSD 1.0 has it and the W3C tests expect of `4 / 2`. */
function canonicalDecimal({ mantissa, scale }: DecimalValue): string {
  const text = formatDecimal(mantissa, scale);
  return text.includes('.') ? text : `${text}.0`;
}

const datatypeNodes = new Map<string, RDF.NamedNode>();

// Only datatypes that are known here come in, so that it stays small.
function datatypeNode(iri: string): RDF.NamedNode {
  let node = datatypeNodes.get(iri);
  if (node === undefined) {
    node = dataFactory.namedNode(iri);
    datatypeNodes.set(iri, node);
  }
  return node;
}

const DATATYPES: ReadonlyMap<string, string> = new Map(
  ['string', 'boolean', 'integer', 'decimal', 'double', 'float', ...TEMPORAL_KINDS, ...DURATION_TYPES].map((name) => [
    name,
    XSD + name,
  ]),
);

/** The IRI of the datatype of a literal. */
export function datatypeOf(value: TypedValue | LangStringValue | OtherLiteralValue): string {
  switch (value.kind) {
    case 'other':
      return value.term.datatype.value;
    case 'langString':
      return value.direction === undefined ? RDF_LANG_STRING : RDF_DIR_LANG_STRING;
    case 'integer':
      return value.datatype ?? (DATATYPES.get('integer') as string);
    case 'duration':
      return DATATYPES.get(value.type) as string;
    case 'dateTime':
      // xsd:dateTimeStamp is a dateTime that a term may name itself.
      return value.term?.datatype.value ?? (DATATYPES.get('dateTime') as string);
    default:
      return DATATYPES.get(value.kind) as string;
  }
}

/** The text of a value, as STR() has it: an IRI or a lexical form; undefined for what has none. */
export function textOf(value: Value): string | undefined {
  switch (value.kind) {
    case 'string':
    case 'langString':
    case 'iri':
      return value.value;
    case 'error':
    case 'blankNode':
    case 'triple':
      return undefined;
    default:
      return value.term?.value ?? (value.kind === 'other' ? value.term.value : canonicalForm(value));
  }
}

/** The point in time of a JS date, in UTC. */
export const temporalFromDate = (date: Date): TemporalValue =>
  new TemporalValue('dateTime', new DecimalValue(date.getTime(), 3), 0);
