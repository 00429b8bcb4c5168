/**
 * The fast path of RDF Patch: WebAssembly (assembly/line-scanner.ts) finds the terms of rows `A` and `D` that are ordinary lines. It stops
 * at any other row, which patch-grammar.ts reads.
 */
import type { QuadSink } from '@quadrille/model';
import type { ParserLimits } from '../parser.js';
import { newScanner, Statements } from '../scanner/scanner.js';
import type { ScannerExports } from '../scanner/scanner.js';
import { LF } from '../text/bytes.js';
import type { DocumentScanner } from '../turtle/token-document.js';
import type { TurtleText } from '../turtle/turtle-text.js';
import type { PatchSink } from './patch-sink.js';

const ADD = 0x41;
const DELETE = 0x44;
/** How far before the end of the bytes the last line end is looked for. */
const LAST_LINE_BYTES = 8 * 1024;

export class PatchScanner implements DocumentScanner {
  readonly statements: Statements;
  /** The operation of the rows that are passed on, and the line of the next one. */
  #added = false;
  #line = 0;

  /** Returns a scanner for one document, or `undefined` if the platform has none or it takes more than the limits allow. */
  static create(
    text: TurtleText,
    sink: PatchSink,
    { maxTermBytes, maxLineBytes }: Required<ParserLimits>,
  ): PatchScanner | undefined {
    const module = newScanner();
    const scanner = module && new PatchScanner(module, text, sink);
    // The scanner checks no lengths. No term and no row is longer than a piece that it takes.
    return scanner !== undefined && scanner.statements.capacity <= Math.min(maxTermBytes, maxLineBytes)
      ? scanner
      : undefined;
  }

  private constructor(
    private readonly module: ScannerExports,
    private readonly text: TurtleText,
    private readonly sink: PatchSink,
  ) {
    const rows: QuadSink = {
      term: (...span) => sink.term(...span),
      terms: (...spans) => sink.terms!(...spans),
      blankNode: (...span) => sink.blankNode(...span),
      tripleTerm: (...parts) => sink.tripleTerm(...parts),
      quad: (s, p, o, g) => sink.change(this.#added, s, p, o, g, this.#line++),
    };
    this.statements = new Statements(module, rows);
  }

  /** Passes on the ordinary rows at the position. */
  scan(): void {
    const { text, module } = this;
    const to = this.#endOfLines();
    for (;;) {
      const operation = text.space();
      if ((operation !== ADD && operation !== DELETE) || text.at >= to || this.sink.terms === undefined) return;
      const count = module.scan(text.at, to, true, operation);
      if (count === 0) return;
      this.#added = operation === ADD;
      this.#line = text.line;
      this.statements.handOn(count);
      text.at = module.stopped.value as number;
      text.line += count;
    }
  }

  /** The end of the last whole line: a term at the end of the bytes may go on in the next chunk. */
  #endOfLines(): number {
    const { bytes, at, end } = this.text;
    const first = Math.max(at, end - LAST_LINE_BYTES);
    let to = end;
    while (to > first && bytes[to - 1] !== LF) to--;
    return to === first ? at : to;
  }
}
