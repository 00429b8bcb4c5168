/**
 * Loads the WebAssembly module that finds the terms of ordinary statements (see assembly/). Passes the statements that the module
 * stores in its memory to the sink.
 */
import { DEFAULT_GRAPH_HANDLE } from '@quadrille/model';
import type { QuadSink, TermHandle } from '@quadrille/model';

/** Layout of a statement in the memory of the module, in words. */
const WORDS = 10;
const MAX_STATEMENTS = 4096;
const SLOTS = 1024;
/** Flag in the number of a slot: the text in the slot is new. */
const FRESH = 0x8000_0000;
const UNDERSCORE = 0x5f;

export interface ScannerExports {
  readonly memory: WebAssembly.Memory;
  readonly stopped: WebAssembly.Global;
  readonly turtleStopped: WebAssembly.Global;
  readonly turtleLines: WebAssembly.Global;
  inputStart(): number;
  inputBytes(): number;
  records(): number;
  declared(): number;
  scan(from: number, to: number, quads: boolean, operation: number): number;
  scanTurtle(from: number, to: number): number;
  declare(nameBytes: number, namespaceBytes: number): void;
}

/** The compiled module, if it is loaded and the platform supports it. */
let compiled: WebAssembly.Module | undefined;
let loading: Promise<void> | undefined;

/** Compiles the module. Await it before a parser that scans is made. Pages that read no such document never load it. */
export function loadScanner(): Promise<void> {
  return (loading ??= compile());
}

async function compile(): Promise<void> {
  try {
    const { SCANNER_MODULE } = await import('./scanner-module.js');
    compiled = new WebAssembly.Module(Uint8Array.from(atob(SCANNER_MODULE), (char) => char.charCodeAt(0)));
  } catch {
    // The platform has no vector instructions, or the page may not compile modules: the parsers work without it.
  }
}

/** Creates an instance for one document. Returns `undefined` if the module is not loaded or not supported. */
export function newScanner(): ScannerExports | undefined {
  return compiled && (new WebAssembly.Instance(compiled).exports as unknown as ScannerExports);
}

export class Statements {
  /** The memory of the module. Its input starts at `start` and has at most `capacity` bytes. */
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly capacity: number;
  /** The graph of statements without a graph name. */
  graph: TermHandle = DEFAULT_GRAPH_HANDLE;
  readonly #words: Uint32Array;
  /** Handles of the texts in the slots. */
  readonly #handles = new Uint32Array(SLOTS);
  #subject: TermHandle = 0;
  /** The terms of the statements, as spans and, once the sink has seen them, as handles. */
  readonly #spans = new Uint32Array(MAX_STATEMENTS * 2 * 2);
  readonly #terms = new Uint32Array(MAX_STATEMENTS * 2);
  #taken = 0;

  constructor(
    { memory, inputStart, inputBytes, records }: ScannerExports,
    private readonly sink: QuadSink,
  ) {
    this.bytes = new Uint8Array(memory.buffer);
    this.start = inputStart();
    this.capacity = inputBytes();
    this.#words = new Uint32Array(memory.buffer, records(), MAX_STATEMENTS * WORDS);
  }

  /** Passes the statements that the module has stored to the sink. */
  handOn(count: number): void {
    this.#lookUp(count);
    this.#taken = 0;
    for (let at = 0; at < count * WORDS; at += WORDS) this.#handOn(at);
  }

  /** Asks the sink for the handles of all subjects and objects but blank nodes. */
  #lookUp(statements: number): void {
    const words = this.#words;
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
    const words = this.#words;
    if (words[at] !== 0) this.#subject = this.#term(words[at]!, words[at + 1]!);
    const predicate = this.#known(at + 2);
    const object = this.#term(words[at + 5]!, words[at + 6]!);
    const graph = words[at + 8] === 0 ? this.graph : this.#known(at + 7);
    this.sink.quad(this.#subject, predicate, object, graph);
  }

  #term(start: number, end: number): TermHandle {
    const isBlank = this.bytes[start] === UNDERSCORE;
    return isBlank ? this.sink.blankNode(this.bytes, start + 2, end) : this.#terms[this.#taken++]!;
  }

  /** The handle of the text in a slot. The number of the slot is at `at`, followed by the start and the end of the term. */
  #known(at: number): TermHandle {
    const words = this.#words;
    const slot = words[at]!;
    if (slot < FRESH) return this.#handles[slot]!;
    const handle = this.sink.term(this.bytes, words[at + 1]!, words[at + 2]!);
    this.#handles[slot - FRESH] = handle;
    return handle;
  }
}
