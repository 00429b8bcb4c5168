/** Functions on terms: what kind they are, their parts, and making literals and triple terms. */
import { dataFactory, isLanguageTag, RDF_DIR_LANG_STRING, RDF_LANG_STRING, XSD_STRING } from '@quadrille/model';
import type { Binary, FunctionTable, Measure, Ternary, Unary } from './function-table.js';
import {
  datatypeOf,
  ERROR,
  FALSE,
  IriValue,
  isLiteral,
  isNumeric,
  LangStringValue,
  StringValue,
  textOf,
  toBoolean,
  TripleValue,
  valueOf,
  type Value,
} from '../values/value.js';
import { MAX_DIGITS } from '../values/decimal.js';

/** Characters of most numbers. */
const SHORT = 24;

export const makeString = (text: string): StringValue => new StringValue(text);

const str: Unary = (value) => {
  if (value.kind === 'string') return value;
  const text = textOf(value);
  return text === undefined ? ERROR : makeString(text);
};

/** Of the text that STR makes: those that are there are handed on, and numbers have a limit. */
const textLength: Measure = (value) => {
  if (value.kind === 'integer') return typeof value.value === 'bigint' ? MAX_DIGITS : SHORT;
  if (value.kind === 'decimal') return typeof value.mantissa === 'bigint' ? MAX_DIGITS : SHORT;
  return 0;
};

const lang: Unary = (value) => {
  if (value.kind === 'langString') return makeString(value.language);
  return isLiteral(value) ? makeString('') : ERROR;
};

const langDir: Unary = (value) => {
  if (value.kind === 'langString') return makeString(value.direction ?? '');
  return isLiteral(value) ? makeString('') : ERROR;
};

const datatype: Unary = (value) => {
  switch (value.kind) {
    case 'error':
    case 'iri':
    case 'blankNode':
    case 'triple':
      return ERROR;
    default:
      return new IriValue(datatypeOf(value));
  }
};

const strDt: Binary = (text, type) => {
  if (text.kind !== 'string' || type.kind !== 'iri') return ERROR;
  if (type.value === XSD_STRING) return text;
  if (type.value === RDF_LANG_STRING || type.value === RDF_DIR_LANG_STRING) return ERROR;
  return valueOf(dataFactory.literal(text.value, dataFactory.namedNode(type.value)));
};

const strLang: Binary = (text, tag) =>
  text.kind === 'string' && tag.kind === 'string' && isLanguageTag(tag.value)
    ? new LangStringValue(text.value, tag.value, undefined)
    : ERROR;

const strLangDir: Ternary = (text, tag, direction) => {
  if (direction.kind !== 'string' || (direction.value !== 'ltr' && direction.value !== 'rtl')) return ERROR;
  return text.kind === 'string' && tag.kind === 'string' && isLanguageTag(tag.value)
    ? new LangStringValue(text.value, tag.value, direction.value)
    : ERROR;
};

/** A triple term, where RDF allows these parts in their places. */
export const makeTriple: Ternary = (subject, predicate, object) => {
  if ((subject.kind !== 'iri' && subject.kind !== 'blankNode') || predicate.kind !== 'iri') return ERROR;
  return object.kind === 'error' ? ERROR : new TripleValue(subject, predicate, object);
};

const member =
  (name: 'subject' | 'predicate' | 'object'): Unary =>
  (value) =>
    value.kind === 'triple' ? value[name] : ERROR;

const isIri = (value: Value): Value => toBoolean(value.kind === 'iri');

export const termFunctions: FunctionTable = {
  unary: {
    str,
    lang,
    langdir: langDir,
    datatype,
    isiri: isIri,
    isuri: isIri,
    isblank: (value) => toBoolean(value.kind === 'blankNode'),
    isliteral: (value) => toBoolean(isLiteral(value)),
    isnumeric: (value) => toBoolean(isNumeric(value)),
    istriple: (value) => toBoolean(value.kind === 'triple'),
    haslang: (value) => toBoolean(value.kind === 'langString'),
    haslangdir: (value) => (value.kind === 'langString' ? toBoolean(value.direction !== undefined) : FALSE),
    subject: member('subject'),
    predicate: member('predicate'),
    object: member('object'),
  },
  lengths: { str: textLength },
  binary: { strdt: strDt, strlang: strLang },
  ternary: { strlangdir: strLangDir, triple: makeTriple },
};
