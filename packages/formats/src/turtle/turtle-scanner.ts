/**
 * The fast path of Turtle: WebAssembly (assembly/turtle-scanner.ts) finds the terms of ordinary statements. It stops at any
 * other statement, which turtle-statements.ts reads.
 */
import type { QuadSink, TermHandle } from '@quadrille/model';
import { newScanner, Statements } from '../scanner/scanner.js';
import type { ScannerExports } from '../scanner/scanner.js';
import { COLON, LESS } from '../text/bytes.js';

/** Longest names, with their colon, and longest namespaces that the module takes, in bytes. */
const MAX_NAME_BYTES = 16;
const MAX_NAMESPACE_BYTES = 220;

export class TurtleScanner {
  readonly statements: Statements;

  /** Returns a scanner for one document, or `undefined` if the platform has none. */
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

  /** Where the last {@link scan} stopped: behind a statement, or at its start if it read none. */
  get stopped(): number {
    return this.module.turtleStopped.value as number;
  }

  /** Number of line ends that the last {@link scan} passed. */
  get lines(): number {
    return this.module.turtleLines.value as number;
  }

  /**
   * Passes the statements between two offsets of the memory to the sink. Returns the number of quads. The byte behind them is
   * overwritten and restored.
   */
  scan(from: number, to: number, graph: TermHandle): number {
    const count = this.module.scanTurtle(from, to);
    this.statements.graph = graph;
    this.statements.handOn(count);
    return count;
  }

  /** Declares or redeclares a prefix; its name has no colon. The parser reads the names of prefixes that are too long. */
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
