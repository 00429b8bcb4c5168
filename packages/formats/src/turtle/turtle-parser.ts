/**
 * Parses Turtle and TriG (RDF 1.2) from chunks of bytes. WebAssembly (turtle-scanner.ts) finds ordinary statements;
 * turtle-statements.ts reads all others. Only a token that is cut is kept for the next chunk.
 */
import type { QuadSink } from '@quadrille/model';
import { DEFAULT_LIMITS } from '../parser.js';
import type { ParserOptions, RdfParser } from '../parser.js';
import { skippingSink } from '../terms/skipping-sink.js';
import { TokenDocument } from './token-document.js';
import type { DocumentScanner } from './token-document.js';
import { TurtleScanner } from './turtle-scanner.js';
import { TurtleStatements } from './turtle-statements.js';
import { TurtleText } from './turtle-text.js';

export interface TurtleParserOptions extends ParserOptions {
  /** Whether the document may name graphs (TriG). */
  readonly trig: boolean;
  /** Whether to use WebAssembly. Default: true. */
  readonly scanner?: boolean;
}

/** Smallest chunk, in bytes, for which the scanner is worth setting up. */
const SCANNED_BYTES = 32 * 1024;

/** A parser for Turtle, or with `trig` for TriG. */
export function createTurtleParser(options: TurtleParserOptions): RdfParser {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { onFault } = options;
  const sink = onFault === undefined ? options.sink : skippingSink(options.sink);
  const text = new TurtleText();
  let scanner: TurtleStatementScanner | undefined;
  const grammar = new TurtleStatements(text, {
    sink,
    trig: options.trig,
    baseIRI: options.baseIRI,
    limits,
    onPrefix: (name, namespace) => scanner?.declare(name, namespace),
    onFault: onFault && ((fault, end) => onFault(document.errorOf(fault), document.shown(fault.token!, end))),
  });
  if (options.scanner !== false) scanner = new TurtleStatementScanner(text, grammar, sink, limits.maxTermBytes);
  const scannerFor = (length: number): DocumentScanner | undefined => scanner?.openFor(length);
  const document = new TokenDocument({ text, grammar, limits, source: options.source, scannerFor });
  return document;
}

/** The scanner of a document, which is set up with its first long chunk. */
class TurtleStatementScanner {
  /** `null` if the platform has none. */
  #scanner: TurtleScanner | null | undefined;
  #opened: DocumentScanner | undefined;

  constructor(
    private readonly text: TurtleText,
    private readonly grammar: TurtleStatements,
    private readonly sink: QuadSink,
    private readonly maxTermBytes: number,
  ) {}

  declare(name: Uint8Array, namespace: Uint8Array): void {
    this.#scanner?.declare(name, namespace);
  }

  openFor(length: number): DocumentScanner | undefined {
    if (length < SCANNED_BYTES) return undefined;
    if (this.#scanner === undefined) this.#open();
    return this.#opened;
  }

  #open(): void {
    const scanner = TurtleScanner.create(this.sink);
    // The scanner does not check the length of terms. No term is longer than a piece that it takes.
    this.#scanner = scanner !== undefined && scanner.statements.capacity <= this.maxTermBytes ? scanner : null;
    if (this.#scanner === null) return;
    for (const { name, namespace } of this.grammar.prefixes) this.#scanner.declare(name, namespace);
    const { statements } = this.#scanner;
    this.#opened = { statements, scan: () => this.#scan(this.#scanner!) };
  }

  #scan(scanner: TurtleScanner): void {
    const { text, grammar } = this;
    if (!grammar.isBetween) return;
    while (scanner.scan(text.at, text.end, grammar.graph) > 0) {
      text.at = scanner.stopped;
      text.line += scanner.lines;
    }
  }
}
