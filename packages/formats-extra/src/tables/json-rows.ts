/** JSON as rows: the objects of an array, or one object, or one on each line. */
import { ParseError } from '@quadrille/model';
import { isObject } from '../json/canonical-json.js';
import { findJsonFault } from '../json/json-fault.js';
import { type Json, JsonDocument, type JsonObject } from '../json/json-document.js';
import { exactJson } from './exact-numbers.js';
import { inRow, MOST_ROW, type TableReader, type TableReaderOptions } from './table-reader.js';
import { NotUtf8, TextLines } from './text-lines.js';

const MAX_DEPTH = 64;
/** Objects are parsed together, for a parser takes as long to begin as for some of them. */
const PORTION_BYTES = 64 * 1024;
const MOST_BYTES = 64 * 1024 * 1024;

abstract class JsonReader implements TableReader<JsonObject> {
  row = 0;

  constructor(protected readonly options: TableReaderOptions) {}

  abstract push(chunk: Uint8Array): Iterable<JsonObject>;
  abstract end(): Iterable<JsonObject>;

  fault(reason: string, column?: string, line?: number, cause?: unknown): ParseError {
    const { source } = this.options;
    return new ParseError('RDF_SYNTAX', inRow(this.row, column, reason), { source, line }, { cause });
  }

  protected objectOf(value: Json, line?: number): JsonObject {
    this.row++;
    if (isObject(value)) return value;
    throw this.fault(`a row is an object, not ${JSON.stringify(value).slice(0, 60)}`, undefined, line);
  }
}

/** An array of objects, which is not held as a whole, or one object. */
export class JsonTableReader extends JsonReader {
  readonly #document: JsonDocument;

  constructor(options: TableReaderOptions) {
    super(options);
    this.#document = new JsonDocument({
      source: options.source,
      maxDepth: MAX_DEPTH,
      maxBytes: MOST_BYTES,
      portionBytes: PORTION_BYTES,
      parse: exactJson,
    });
  }

  *push(chunk: Uint8Array): Generator<JsonObject> {
    for (const portion of this.#document.push(chunk)) yield* this.#objects(portion);
  }

  *end(): Generator<JsonObject> {
    yield* this.#objects(this.#document.end());
  }

  *#objects(portion: Json): Generator<JsonObject> {
    if (!Array.isArray(portion)) yield this.objectOf(portion);
    else for (const value of portion as readonly Json[]) yield this.objectOf(value);
  }
}

/** JSON Lines. */
export class JsonLinesReader extends JsonReader {
  readonly #lines = new TextLines();
  #line = 0;

  *push(chunk: Uint8Array): Generator<JsonObject> {
    yield* this.#objects(this.#lines.push(chunk));
    if (this.#lines.heldBytes > MOST_ROW) {
      this.row++;
      throw this.fault(`the line is longer than ${String(MOST_ROW)} bytes`, undefined, this.#line + 1);
    }
  }

  *end(): Generator<JsonObject> {
    yield* this.#objects(this.#lines.end());
  }

  *#objects(text: string | NotUtf8): Generator<JsonObject> {
    if (text instanceof NotUtf8) {
      yield* this.#objects(text.before);
      this.row++;
      throw this.fault('not UTF-8', undefined, this.#line + 1);
    }
    for (let start = 0; start < text.length;) {
      const end = text.indexOf('\n', start);
      const line = text.slice(start, end < 0 ? undefined : end);
      start = end < 0 ? text.length : end + 1;
      this.#line++;
      if (line.trim() !== '') yield this.objectOf(this.#parse(line), this.#line);
    }
  }

  #parse(line: string): Json {
    try {
      return exactJson(line);
    } catch (error) {
      this.row++;
      throw this.fault(`not JSON: ${findJsonFault(line).reason}`, undefined, this.#line, error);
    }
  }
}
