/**
 * The fast way through N-Triples and N-Quads: WebAssembly (assembly/line-scanner.ts) finds the terms of plain lines. It
 * stops at a line that is not plain, which is the parser's to read.
 */
import type { QuadSink } from '@quadrille/model';
import { newScanner, Statements } from '../scanner/scanner.js';
import type { ScannerExports } from '../scanner/scanner.js';

export class LineScanner {
  readonly statements: Statements;

  /** A scanner for one document; `undefined` where it is not to be had. */
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

  /** Where the last {@link scan} stopped: at the start of a line. */
  get stopped(): number {
    return this.module.stopped.value as number;
  }

  /** Hands on the statements of the lines between two places of the memory, and returns how many there were. */
  scan(from: number, to: number): number {
    const count = this.module.scan(from, to, this.quads);
    this.statements.handOn(count);
    return count;
  }
}
