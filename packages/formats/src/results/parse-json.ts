/** Reads SPARQL results in JSON (SPARQL 1.1 and 1.2). Unknown members are ignored. */
import type * as RDF from '@rdfjs/types';
import {
  checkVariables,
  emptyRow,
  MAX_TRIPLE_DEPTH,
  ResultFault,
  resultError,
  ResultTerms,
  show,
} from './result-terms.js';
import type { MutableRow, ParsedResults } from './result-terms.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** @throws ParseError `RDF_SYNTAX`, with the line if the text is not JSON, otherwise with the path of the member */
export function parseJsonResults(text: string): ParsedResults {
  const document = objectAt(parseJson(text), 'the document');
  const boolean = member(document, 'boolean');
  const results = member(document, 'results');
  if (boolean !== undefined) {
    if (typeof boolean !== 'boolean') throw resultError('"boolean" is neither true nor false');
    if (results !== undefined) throw resultError('"boolean" and "results" exclude each other');
    return { type: 'boolean', value: boolean };
  }
  if (results === undefined) throw resultError('neither "results" nor "boolean" is there');
  const variables = variablesOf(objectAt(member(document, 'head'), 'head'));
  const bindings = arrayAt(member(objectAt(results, 'results'), 'bindings'), 'results.bindings');
  const reader = new RowReader(new Set(variables));
  return { type: 'bindings', variables, rows: bindings.map((row, index) => reader.row(row, index)) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const offset = /at position (\d+)/.exec(message)?.[1];
    const reason = message.replace(/ in JSON at position [^]*|, (?:\.{3})?"[^]*/, '');
    throw resultError(`not JSON: ${reason}`, offset === undefined ? {} : positionAt(text, Number(offset)), error);
  }
}

function positionAt(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

function variablesOf(head: JsonObject): readonly string[] {
  const names = arrayAt(member(head, 'vars'), 'head.vars').map((name) => {
    if (typeof name !== 'string') throw resultError('head.vars holds something that is not text');
    return name;
  });
  try {
    return checkVariables(names);
  } catch (error) {
    throw placed(error, 'head.vars');
  }
}

class RowReader {
  readonly #variables: ReadonlySet<string>;
  readonly #terms = new ResultTerms();

  constructor(variables: ReadonlySet<string>) {
    this.#variables = variables;
  }

  row(value: unknown, index: number): MutableRow {
    const row = emptyRow();
    for (const [name, term] of Object.entries(objectAt(value, `results.bindings[${index}]`))) {
      try {
        if (!this.#variables.has(name)) throw new ResultFault('the variable is not in head.vars');
        row[name] = this.#term(term, 0);
      } catch (error) {
        if (error instanceof ResultFault) error.place = `row ${String(index + 1)}, ?${name}`;
        throw placed(error, `results.bindings[${index}][${show(name)}]`);
      }
    }
    return row;
  }

  #term(value: unknown, depth: number): RDF.Term {
    if (!isObject(value)) throw new ResultFault('a term is not an object');
    const type = textMember(value, 'type');
    switch (type) {
      case 'uri':
        return this.#terms.iri(textMember(value, 'value'));
      case 'bnode':
        return this.#terms.blankNode(textMember(value, 'value'));
      // The name that literals with a datatype had before SPARQL 1.1, and still have in some servers.
      case 'typed-literal':
      case 'literal':
        return this.#terms.literal(textMember(value, 'value'), {
          ...optional('datatype', value, 'datatype'),
          ...optional('language', value, 'xml:lang'),
          ...optional('direction', value, 'its:dir'),
        });
      case 'triple':
        return this.#triple(member(value, 'value'), depth + 1);
      default:
        throw new ResultFault(`unknown type of term ${show(type)}`);
    }
  }

  #triple(value: unknown, depth: number): RDF.Quad {
    if (depth > MAX_TRIPLE_DEPTH) throw new ResultFault(`triple terms are nested deeper than ${MAX_TRIPLE_DEPTH}`);
    if (!isObject(value)) throw new ResultFault('the value of a triple term is not an object');
    const part = (name: string): RDF.Term => this.#term(member(value, name), depth);
    return this.#terms.tripleTerm(part('subject'), part('predicate'), part('object'));
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns an own member. Inherited ones, such as `constructor`, are not part of the document. */
const member = (object: JsonObject, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);

function textMember(object: JsonObject, name: string): string {
  const value = member(object, name);
  if (typeof value !== 'string') throw new ResultFault(`${show(name)} is missing or not text`);
  return value;
}

function optional<K extends string>(key: K, object: JsonObject, name: string): Partial<Record<K, string>> {
  if (member(object, name) === undefined) return {};
  return { [key]: textMember(object, name) } as Partial<Record<K, string>>;
}

function objectAt(value: unknown, path: string): JsonObject {
  if (!isObject(value)) throw resultError(`${path} is not an object`);
  return value;
}

function arrayAt(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw resultError(`${path} is not an array`);
  return value as readonly unknown[];
}

function placed(error: unknown, path: string): unknown {
  return error instanceof ResultFault ? resultError(`${path}: ${error.message}`, {}, error) : error;
}
