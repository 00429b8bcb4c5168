/** Reads the first rows of a table, and writes a mapping for its columns. */
import {
  DelimitedReader,
  isArray,
  isObject,
  type Json,
  JsonLinesReader,
  type JsonObject,
  JsonTableReader,
  numberText,
} from '@quadrille/formats-extra/tables';
import { EvaluationError } from '@quadrille/model';
import type { LoadSource } from '../api/index.js';
import { openSource } from '../load/source.js';
import { variableName } from './column-name.js';
import type { DraftMappingOptions } from './draft-mapping.js';
import { tableBytes } from './table-bytes.js';
import { knownTableKind } from './table-formats.js';

/** What the rows are judged by. */
const MOST_ROWS = 100;

interface Column {
  /** Its cells that are texts. */
  readonly texts: string[];
  /** Whether it has numbers or booleans of JSON, whose datatype is known. */
  isTyped: boolean;
}

/** Columns by their variables, and the number of rows. */
class Sample {
  readonly columns = new Map<string, Column>();
  rows = 0;

  column(variable: string): Column {
    let column = this.columns.get(variable);
    if (column === undefined) this.columns.set(variable, (column = { texts: [], isTyped: false }));
    return column;
  }

  readonly cells = (cells: readonly string[]): void => {
    const columns = [...this.columns.values()];
    cells.forEach((cell, i) => cell !== '' && columns[i]?.texts.push(cell));
  };

  readonly object = (object: JsonObject): void => this.#members('', object);

  #members(before: string, object: JsonObject): void {
    for (const key of Object.keys(object)) this.#value(before + variableName(key), object[key]!);
  }

  #value(variable: string, value: Json): void {
    if (isArray(value)) for (const item of value) this.#value(variable, item);
    else if (typeof value === 'string') this.column(variable).texts.push(value);
    else if (isObject(value) && numberText(value) === undefined) this.#members(`${variable}_`, value);
    else if (value !== null) this.column(variable).isTyped = true;
  }
}

export async function draftText(
  source: LoadSource,
  { format, sourceName, signal }: DraftMappingOptions,
): Promise<string> {
  const opened = await openSource(source);
  const kind = knownTableKind(format, opened.fileName);
  const name = sourceName ?? opened.name;
  const sample = new Sample();
  const take = rowsOf(kind, name, sample);
  for await (const chunk of tableBytes(opened, name)) {
    if (signal?.aborted === true) throw new EvaluationError('ABORTED', 'the reading was aborted');
    if (take(chunk)) return mappingOf(sample);
  }
  take(undefined);
  return mappingOf(sample);
}

/** What takes chunks, and undefined at the end; it gives whether it has seen enough. */
function rowsOf(
  kind: ReturnType<typeof knownTableKind>,
  source: string | undefined,
  sample: Sample,
): (chunk: Uint8Array | undefined) => boolean {
  const taking =
    <Row>(
      reader: { push(chunk: Uint8Array): Iterable<Row>; end(): Iterable<Row> },
      see: (row: Row) => void,
    ): ((chunk: Uint8Array | undefined) => boolean) =>
    (chunk) => {
      for (const row of chunk === undefined ? reader.end() : reader.push(chunk)) {
        see(row);
        if (++sample.rows === MOST_ROWS) return true;
      }
      return false;
    };
  if (kind === 'json') return taking(new JsonTableReader({ source }), sample.object);
  if (kind === 'jsonl') return taking(new JsonLinesReader({ source }), sample.object);
  const onHeader = (names: readonly string[]): void =>
    names.forEach((name, i) => void sample.column(variableName(name, i + 1)));
  // Rows with too few or too many cells are the concern of the load.
  const reading = { source, onHeader, onFault: () => undefined, delimiter: kind === 'csv' ? ',' : '\t' };
  return taking(new DelimitedReader(reading), sample.cells);
}

/** What a column is, by its texts, and the expression that makes it so. A cell that is no such thing stays the text that it is. */
const KINDS: readonly (readonly [pattern: RegExp, made: (variable: string) => string])[] = [
  // A zero in front belongs to a code.
  [/^-?(?:0|[1-9]\d{0,17})$/, cast('integer')],
  [/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/, cast('decimal')],
  [/^\d{4}-\d\d-\d\d$/, cast('date')],
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/, cast('dateTime')],
  [/^(?:true|false)$/, cast('boolean')],
  [
    /^https?:\/\/[^\s<>"{}|\\^`]+$/,
    (variable) => `IF(STRSTARTS(?${variable}, "http"), IRI(?${variable}), ?${variable})`,
  ],
];

function cast(type: string): (variable: string) => string {
  return (variable) => `COALESCE(xsd:${type}(?${variable}), ?${variable})`;
}

function mappingOf({ columns, rows }: Sample): string {
  const taken = new Set(columns.keys());
  const unused = (name: string): string => {
    while (taken.has(name)) name += '_';
    taken.add(name);
    return name;
  };
  const key = [...columns].find(([name, { texts }]) => isKey(name, texts, rows))?.[0] ?? 'row';
  const subject = unused('subject');
  const bindings = [`BIND(IRI(CONCAT("http://example.org/", ENCODE_FOR_URI(STR(?${key})))) AS ?${subject})`];
  const statements = ['a ex:Row'];
  for (const [name, { texts, isTyped }] of columns) {
    const made =
      isTyped || texts.length === 0
        ? undefined
        : KINDS.find(([pattern]) => texts.every((text) => pattern.test(text)))?.[1];
    const value = made === undefined ? name : unused(`${name}_value`);
    if (made !== undefined) bindings.push(`BIND(${made(name)} AS ?${value})`);
    statements.push(`ex:${name} ?${value}`);
  }
  const template = statements.join(' ;\n    ');
  return `PREFIX ex: <http://example.org/>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>

CONSTRUCT {
  ?${subject} ${template} .
} WHERE {
  ${bindings.join('\n  ')}
}
`;
}

/** Whether a column names its rows: each of them has a text of its own there, as far as is seen. */
const isKey = (name: string, texts: readonly string[], rows: number): boolean =>
  /^(?:id|key|uuid)$/i.test(name) && (texts.length === 0 || (texts.length === rows && new Set(texts).size === rows));
