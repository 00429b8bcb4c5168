/**
 * The fast way through Turtle: WebAssembly (assembly/turtle-scanner.ts) finds the terms of plain statements. It stops at a
 * statement that it does not know, which turtle-statements.ts reads.
 */
import type { QuadSink, TermHandle } from '@quadrille/model';
import { newScanner, Statements } from '../scanner/scanner.js';
import type { ScannerExports } from '../scanner/scanner.js';
import { COLON, LESS } from '../text/bytes.js';

/** Of the longest names, with their colon, and namespaces that the module takes. */
const MAX_NAME_BYTES = 16;
const MAX_NAMESPACE_BYTES = 220;

export class TurtleScanner {
  readonly statements: Statements;

  /** A scanner for one document; `undefined` where it is not to be had. */
  static create(sink: QuadSink): TurtleScanner | undefined {
    const module = newScanner();
    return module && new TurtleScanner(module, sink);
  }

  private constructor(
    private readonly module: ScannerExports,
    sink: QuadSink,
  ) {
    this.statements = new Statements(module, sink);
  }

  /** Where the last {@link scan} stopped: behind a statement, or where it began. */
  get stopped(): number {
    return this.module.turtleStopped.value as number;
  }

  /** How many lines ended in what the last {@link scan} read. */
  get lines(): number {
    return this.module.turtleLines.value as number;
  }

  /**
   * Hands on the statements between two places of the memory, and returns how many quads there were. The byte behind is
   * used, and comes back as it was.
   */
  scan(from: number, to: number, graph: TermHandle): number {
    const count = this.module.scanTurtle(from, to);
    this.statements.graph = graph;
    this.statements.handOn(count);
    return count;
  }

  /** Declares a prefix, its name without the colon, or declares it anew. The names of a long one are left to the parser. */
  declare(name: Uint8Array, namespace: Uint8Array): void {
    if (name.length >= MAX_NAME_BYTES) return;
    const { bytes } = this.statements;
    const at = this.module.declared();
    bytes.set(name, at);
    bytes[at + name.length] = COLON;
    bytes[at + name.length + 1] = LESS;
    bytes.set(namespace.subarray(0, MAX_NAMESPACE_BYTES), at + name.length + 2);
    this.module.declare(name.length + 1, namespace.length + 1);
  }
}
