/** Shared by the readers of SPARQL results: the parsed form, and the construction of checked terms and rows. */
import type * as RDF from '@rdfjs/types';
import {
  dataFactory,
  isAbsoluteIri,
  isBlankNodeLabel,
  isLanguageTag,
  ParseError,
  RDF_DIR_LANG_STRING,
  RDF_LANG_STRING,
} from '@quadrille/model';
import type { ParsePosition } from '@quadrille/model';
import type { ResultRow } from './serializer.js';

/** A parsed answer. Rows have no prototype, so every variable name is safe. An unbound variable has no member. */
export type ParsedResults =
  | {
      /** Rows of a SELECT. */
      readonly type: 'bindings';
      /** The names of the columns. */
      readonly variables: readonly string[];
      /** The rows, in their order. */
      readonly rows: readonly ResultRow[];
    }
  | {
      /** The answer of an ASK. */
      readonly type: 'boolean';
      /** Whether there is a solution. */
      readonly value: boolean;
    };

/** Triple terms within triple terms that a reader accepts. */
export const MAX_TRIPLE_DEPTH = 64;

export type MutableRow = Record<string, RDF.Term>;
export const emptyRow = (): MutableRow => Object.create(null) as MutableRow;

export function resultError(reason: string, position: ParsePosition = {}, cause?: unknown): ParseError {
  return new ParseError('RDF_SYNTAX', `SPARQL results: ${reason}`, position, cause === undefined ? {} : { cause });
}

/** A fault in a term or a row. The reader adds its position. */
export class ResultFault extends Error {
  /** The row, and where it is known the variable. */
  place: string | undefined;
}

/** What is wrong with a term of results that are well formed otherwise, and in which row; `undefined` for other errors. */
export function faultOfTerm(error: unknown): string | undefined {
  const fault = error instanceof ParseError ? error.cause : undefined;
  return fault instanceof ResultFault && fault.place !== undefined ? `${fault.place}: ${fault.message}` : undefined;
}

const LONE_SURROGATE = /\p{Surrogate}/u;
// Wider than the grammar: some servers name columns without a name of their own `callret-0` and the like.
const VARIABLE = /^[^\s\p{Cc}\p{Surrogate}]+$/u;

/** Checks that the names of the columns are legal and distinct. */
export function checkVariables(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  for (const name of names) {
    if (!VARIABLE.test(name)) throw new ResultFault(`${show(name)} is not a variable name`);
    if (seen.has(name)) throw new ResultFault(`the variable ${show(name)} is named twice`);
    seen.add(name);
  }
  return names;
}

/** Makes the terms of one document. Blank nodes with equal labels are one node; illegal labels get another name. */
export class ResultTerms {
  readonly #nodes = new Map<string, RDF.BlankNode>();
  readonly #used = new Set<string>();

  iri(value: string): RDF.NamedNode {
    if (!isAbsoluteIri(value)) throw new ResultFault(`${show(value)} is not an absolute IRI`);
    return dataFactory.namedNode(value);
  }

  blankNode(label: string): RDF.BlankNode {
    if (label === '') throw new ResultFault('a blank node has no label');
    let node = this.#nodes.get(label);
    if (node === undefined) {
      node = dataFactory.blankNode(this.#freeLabel(label));
      this.#nodes.set(label, node);
    }
    return node;
  }

  literal(value: string, parts: { datatype?: string; language?: string; direction?: string } = {}): RDF.Literal {
    if (LONE_SURROGATE.test(value)) throw new ResultFault('a literal holds a lone surrogate');
    const { datatype, language, direction } = parts;
    if (language !== undefined && language !== '') return languageString(value, language, direction, datatype);
    if (direction !== undefined) throw new ResultFault('a base direction needs a language');
    if (datatype === undefined) return dataFactory.literal(value);
    if (datatype === RDF_LANG_STRING || datatype === RDF_DIR_LANG_STRING) {
      throw new ResultFault('a language string has no language');
    }
    return dataFactory.literal(value, this.iri(datatype));
  }

  tripleTerm(subject: RDF.Term, predicate: RDF.Term, object: RDF.Term): RDF.Quad {
    if (subject.termType !== 'NamedNode' && subject.termType !== 'BlankNode') {
      throw new ResultFault(`a ${subject.termType} cannot be the subject of a triple term`);
    }
    if (predicate.termType !== 'NamedNode') {
      throw new ResultFault(`a ${predicate.termType} cannot be the predicate of a triple term`);
    }
    return dataFactory.quad(subject, predicate, object as RDF.Quad_Object);
  }

  #freeLabel(label: string): string {
    let free = isBlankNodeLabel(label) ? label : `b${this.#used.size}`;
    for (let n = this.#used.size; this.#used.has(free); n++) free = `b${n}`;
    this.#used.add(free);
    return free;
  }
}

function languageString(value: string, language: string, direction?: string, datatype?: string): RDF.Literal {
  if (!isLanguageTag(language)) throw new ResultFault(`${show(language)} is not a language tag`);
  if (direction !== undefined && direction !== 'ltr' && direction !== 'rtl') {
    throw new ResultFault(`${show(direction)} is not a base direction (ltr or rtl)`);
  }
  const expected = direction === undefined ? RDF_LANG_STRING : RDF_DIR_LANG_STRING;
  if (datatype !== undefined && datatype !== expected) {
    throw new ResultFault('a literal has a language and a datatype');
  }
  return dataFactory.literal(value, direction === undefined ? language : { language, direction });
}

/** A value for a message: quoted, and cut where it is long. */
export const show = (value: string): string => JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
