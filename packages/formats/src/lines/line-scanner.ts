/**
 * The fast path of N-Triples and N-Quads: WebAssembly (assembly/line-scanner.ts) finds the terms of ordinary lines. It stops
 * at any other line, which the parser reads.
 */
import type { QuadSink } from '@quadrille/model';
import { newScanner, Statements } from '../scanner/scanner.js';
import type { ScannerExports } from '../scanner/scanner.js';

const NO_OPERATION = 0;

export class LineScanner {
  readonly statements: Statements;

  /** Returns a scanner for one document, or `undefined` if the platform has none. */
  static create(sink: QuadSink, quads: boolean): LineScanner | undefined {
    const module = newScanner();
    return module && new LineScanner(module, sink, quads);
  }

  private constructor(
    private readonly module: ScannerExports,
    sink: QuadSink,
    private readonly quads: boolean,
  ) {
    this.statements = new Statements(module, sink);
  }

  /** The start of the line at which the last {@link scan} stopped. */
  get stopped(): number {
    return this.module.stopped.value as number;
  }

  /** Passes the statements of the lines between two offsets of the memory to the sink. Returns their number. */
  scan(from: number, to: number): number {
    const count = this.module.scan(from, to, this.quads, NO_OPERATION);
    this.statements.handOn(count);
    return count;
  }
}
