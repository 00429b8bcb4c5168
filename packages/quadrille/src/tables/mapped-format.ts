/** A table with a mapping as a format: its parser reads rows and emits what the mapping makes of them. */
import {
  DelimitedReader,
  JsonLinesReader,
  JsonTableReader,
  type TableReader,
  type TableReaderOptions,
} from '@quadrille/formats-extra/tables';
import { type AsyncParserOptions, type AsyncRdfParser, DEFAULT_LIMITS, type RdfFormat } from '@quadrille/formats';
import { type OpenMapping, RowMapping } from '@quadrille/sparql/mapping';
import { CellRows } from './cell-rows.js';
import { ObjectRows } from './object-rows.js';
import { knownTableKind, type TableKind } from './table-formats.js';

const TITLES: Readonly<Record<TableKind, string>> = { csv: 'CSV', tsv: 'TSV', json: 'JSON', jsonl: 'JSON Lines' };

/** Rows between two looks at what the receiver has to do. */
const ROWS_AT_ONCE = 256;

export interface MappedFormatOptions {
  /** Of the table: a name, an extension or a media type. Else it follows from the name of the file. */
  readonly format: string | undefined;
  readonly fileName: string | undefined;
  /** The text of the mapping. */
  readonly mapping: string;
  readonly prefixes: Readonly<Record<string, string>>;
  /** Resolves relative IRIs of the mapping, also those that IRI() makes. */
  readonly baseIRI: string | undefined;
}

/** @throws ParseError `SPARQL_SYNTAX`; InvalidArgumentError `INVALID_OPTION` for a text that is no mapping, and for a format that is no table */
export function mappedFormat({ format, fileName, mapping, prefixes, baseIRI }: MappedFormatOptions): RdfFormat {
  const kind = knownTableKind(format, fileName);
  const prepared = new RowMapping(mapping, { prefixes, baseIRI });
  return {
    name: TITLES[kind],
    mediaTypes: [],
    extensions: [],
    namedGraphs: false,
    load: () => prepared.load(),
    createAsyncParser: (options) => openMapped(kind, prepared, options),
  };
}

/** What takes the rows of one kind of table. */
interface Rows<Row> {
  write(row: Row, number: number): void;
  end(): void;
}

function openMapped(kind: TableKind, prepared: RowMapping, options: AsyncParserOptions): AsyncRdfParser {
  const { sink, source, onFault, limits } = options;
  const maxTermBytes = limits?.maxTermBytes ?? DEFAULT_LIMITS.maxTermBytes;
  let fault: (reason: string) => Error;
  const fail = (reason: string): Error => fault(reason);
  const open = prepared.open({ sink, maxTermBytes, fail, now: new Date() });
  const { required } = prepared;
  const reading: TableReaderOptions = { source, onFault };
  if (kind === 'csv' || kind === 'tsv') {
    const rows = new CellRows(open, required, source);
    const delimiter = kind === 'csv' ? ',' : '\t';
    const cells = new DelimitedReader({ ...reading, delimiter, onHeader: rows.header });
    fault = (reason) => cells.fault(reason);
    return new MappedParser(cells, rows, open, options);
  }
  const objects = kind === 'json' ? new JsonTableReader(reading) : new JsonLinesReader(reading);
  fault = (reason) => objects.fault(reason);
  return new MappedParser(objects, new ObjectRows(open, required, objects, source), open, options);
}

class MappedParser<Row> implements AsyncRdfParser {
  #rows = 0;

  constructor(
    private readonly reader: TableReader<Row>,
    private readonly rows: Rows<Row>,
    private readonly mapping: OpenMapping,
    private readonly options: AsyncParserOptions,
  ) {}

  push(chunk: Uint8Array): Promise<void> {
    return this.#take(this.reader.push(chunk));
  }

  async end(): Promise<void> {
    await this.#take(this.reader.end());
    this.rows.end();
    // Often a mistake: CONCAT of a number is an error, which leaves its variable unbound.
    if (this.#rows > 0 && this.mapping.statements === 0)
      this.options.onDropped?.([
        { path: '', reason: `the mapping makes no statement of any of the ${String(this.#rows)} rows` },
      ]);
  }

  async #take(found: Iterable<Row>): Promise<void> {
    const { signal, onBatch } = this.options;
    for (const row of found) {
      this.rows.write(row, this.reader.row);
      if (++this.#rows % ROWS_AT_ONCE > 0) continue;
      signal?.throwIfAborted();
      await onBatch?.();
    }
    signal?.throwIfAborted();
  }
}
