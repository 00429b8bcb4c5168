/**
 * The fast way through N-Triples and N-Quads: WebAssembly (assembly/line-scanner.ts) finds the terms of plain lines, and
 * the statements go to the sink from here. It stops at a line that is not plain, which is the parser's to read.
 */
import { DEFAULT_GRAPH_HANDLE } from '@quadrille/model';
import type { QuadSink, TermHandle } from '@quadrille/model';

/** Words of a statement, as the module leaves them. */
const WORDS = 10;
const MAX_STATEMENTS = 4096;
const SLOTS = 1024;
/** On a slot's number: the IRI in it is new. */
const FRESH = 0x8000_0000;
const UNDERSCORE = 0x5f;

interface ScannerExports {
  readonly memory: WebAssembly.Memory;
  readonly stopped: WebAssembly.Global;
  inputStart(): number;
  inputBytes(): number;
  records(): number;
  scan(from: number, to: number, quads: boolean): number;
}

/** Once it is loaded, and where this platform runs it. */
let compiled: WebAssembly.Module | undefined;
let loading: Promise<void> | undefined;

/** To be awaited before {@link LineScanner.create}: a page that reads no such document does without the module. */
export function loadScanner(): Promise<void> {
  return (loading ??= compile());
}

async function compile(): Promise<void> {
  try {
    const { SCANNER_MODULE } = await import('./line-scanner-module.js');
    compiled = new WebAssembly.Module(Uint8Array.from(atob(SCANNER_MODULE), (char) => char.charCodeAt(0)));
  } catch {
    // Without vector instructions, or where a page may not compile: the parser does it alone.
  }
}

export class LineScanner {
  /** The scanner's memory. What {@link scan} reads stands from {@link start} on, at most {@link capacity} bytes of it. */
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly capacity: number;
  readonly #exports: ScannerExports;
  readonly #statements: Uint32Array;
  /** Of the IRI in each slot. */
  readonly #handles = new Uint32Array(SLOTS);
  #subject: TermHandle = 0;
  /** The terms of the statements, as spans and, once the sink has seen them, as handles. */
  readonly #spans = new Uint32Array(MAX_STATEMENTS * 2 * 2);
  readonly #terms = new Uint32Array(MAX_STATEMENTS * 2);
  #taken = 0;

  /** A scanner for one document; `undefined` where it is not loaded, or the platform does not run it. */
  static create(sink: QuadSink, quads: boolean): LineScanner | undefined {
    return compiled === undefined ? undefined : new LineScanner(compiled, sink, quads);
  }

  private constructor(
    module: WebAssembly.Module,
    private readonly sink: QuadSink,
    private readonly quads: boolean,
  ) {
    this.#exports = new WebAssembly.Instance(module).exports as unknown as ScannerExports;
    const { buffer } = this.#exports.memory;
    this.bytes = new Uint8Array(buffer);
    this.start = this.#exports.inputStart();
    this.capacity = this.#exports.inputBytes();
    this.#statements = new Uint32Array(buffer, this.#exports.records(), MAX_STATEMENTS * WORDS);
  }

  /** Where the last {@link scan} stopped: at the start of a line. */
  get stopped(): number {
    return this.#exports.stopped.value as number;
  }

  /** Hands on the statements of the lines between two places of {@link bytes}, and returns how many there were. */
  scan(from: number, to: number): number {
    const count = this.#exports.scan(from, to, this.quads);
    this.#lookUp(count);
    this.#taken = 0;
    for (let at = 0; at < count * WORDS; at += WORDS) this.#handOn(at);
    return count;
  }

  /** Asks the sink for the handles of all subjects and objects but blank nodes. */
  #lookUp(statements: number): void {
    const words = this.#statements;
    let count = 0;
    for (let at = 0; at < statements * WORDS; at += WORDS) {
      count = this.#addSpan(words[at]!, words[at + 1]!, count);
      count = this.#addSpan(words[at + 5]!, words[at + 6]!, count);
    }
    if (this.sink.terms !== undefined) this.sink.terms(this.bytes, this.#spans, count, this.#terms);
    else this.#askOneByOne(count);
  }

  #addSpan(start: number, end: number, count: number): number {
    if (start === 0 || this.bytes[start] === UNDERSCORE) return count;
    this.#spans[count * 2] = start;
    this.#spans[count * 2 + 1] = end;
    return count + 1;
  }

  #askOneByOne(count: number): void {
    for (let i = 0; i < count; i++) {
      this.#terms[i] = this.sink.term(this.bytes, this.#spans[i * 2]!, this.#spans[i * 2 + 1]!);
    }
  }

  #handOn(at: number): void {
    const words = this.#statements;
    if (words[at] !== 0) this.#subject = this.#term(words[at]!, words[at + 1]!);
    const predicate = this.#known(at + 2);
    const object = this.#term(words[at + 5]!, words[at + 6]!);
    const graph = words[at + 8] === 0 ? DEFAULT_GRAPH_HANDLE : this.#known(at + 7);
    this.sink.quad(this.#subject, predicate, object, graph);
  }

  #term(start: number, end: number): TermHandle {
    const isBlank = this.bytes[start] === UNDERSCORE;
    return isBlank ? this.sink.blankNode(this.bytes, start + 2, end) : this.#terms[this.#taken++]!;
  }

  /** The handle of an IRI in a slot, whose number stands at `at`, before where the IRI starts and ends. */
  #known(at: number): TermHandle {
    const words = this.#statements;
    const slot = words[at]!;
    if (slot < FRESH) return this.#handles[slot]!;
    const handle = this.sink.term(this.bytes, words[at + 1]!, words[at + 2]!);
    this.#handles[slot - FRESH] = handle;
    return handle;
  }
}
