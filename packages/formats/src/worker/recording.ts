/**
 * Records the calls of a sink as bytes, which are transferred to another thread and replayed there. Both threads number terms in
 * the same way, so the parsing thread does not store them.
 */
import { DEFAULT_GRAPH_HANDLE } from '@quadrille/model';
import type { QuadSink, TermHandle } from '@quadrille/model';
import { SentTerms } from './sent-terms.js';

/** A call is one byte for its kind, then lengths and handles of four bytes each, then the bytes of a term. */
const TERM = 1;
const BLANK_NODE = 2;
const TRIPLE_TERM = 3;
const QUAD = 4;

/** Size of a batch in bytes. A batch with a longer call is larger. */
export const BATCH_BYTES = 256 * 1024;
const LONGEST_CALL = 1 + 4 * 4;

/** Records calls and delivers each batch when it is full. */
export class RecordingSink implements QuadSink {
  readonly #deliver: (batch: Uint8Array<ArrayBuffer>) => void;
  readonly #sent: SentTerms;
  /** Memory of consumed batches. */
  readonly #spare: ArrayBuffer[] = [];
  #bytes = new Uint8Array(BATCH_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #used = 0;
  #last: TermHandle = DEFAULT_GRAPH_HANDLE;

  /** @param deliver may keep the batch and its buffer */
  constructor(deliver: (batch: Uint8Array<ArrayBuffer>) => void, sent = new SentTerms()) {
    this.#deliver = deliver;
    this.#sent = sent;
  }

  term(bytes: Uint8Array, start: number, end: number): TermHandle {
    return this.#span(TERM, bytes, start, end);
  }

  blankNode(bytes: Uint8Array, start: number, end: number): TermHandle {
    return this.#span(BLANK_NODE, bytes, start, end);
  }

  tripleTerm(subject: TermHandle, predicate: TermHandle, object: TermHandle): TermHandle {
    this.#call(TRIPLE_TERM, LONGEST_CALL);
    this.#number(subject);
    this.#number(predicate);
    this.#number(object);
    return ++this.#last;
  }

  quad(subject: TermHandle, predicate: TermHandle, object: TermHandle, graph: TermHandle): void {
    this.#call(QUAD, LONGEST_CALL);
    this.#number(subject);
    this.#number(predicate);
    this.#number(object);
    this.#number(graph);
  }

  /** Returns the memory of a consumed batch. */
  reuse(buffer: ArrayBuffer): void {
    this.#spare.push(buffer);
  }

  /** Delivers the calls that were not delivered yet. */
  flush(): void {
    if (this.#used === 0) return;
    const batch = this.#bytes.subarray(0, this.#used);
    this.#used = 0;
    this.#allocate(BATCH_BYTES);
    this.#deliver(batch);
  }

  #span(call: number, bytes: Uint8Array, start: number, end: number): TermHandle {
    // A label never equals the text of another term, because those begin with "<" or a quote.
    const known = this.#sent.find(bytes, start, end);
    if (known !== 0) return known;
    this.#call(call, LONGEST_CALL + end - start);
    this.#number(end - start);
    this.#bytes.set(bytes.subarray(start, end), this.#used);
    this.#used += end - start;
    this.#sent.add(bytes, start, end, ++this.#last);
    return this.#last;
  }

  #call(call: number, length: number): void {
    if (this.#used + length > this.#bytes.length) this.flush();
    if (length > this.#bytes.length) this.#allocate(length);
    this.#bytes[this.#used++] = call;
  }

  #number(value: number): void {
    this.#view.setUint32(this.#used, value);
    this.#used += 4;
  }

  #allocate(length: number): void {
    this.#bytes = new Uint8Array((length === BATCH_BYTES ? this.#spare.pop() : undefined) ?? new ArrayBuffer(length));
    this.#view = new DataView(this.#bytes.buffer);
  }
}

/** Replays recorded calls on another sink. */
export class Replay {
  readonly #sink: QuadSink;
  /** The handles of the sink, by those of the recording. */
  #handles = new Uint32Array(4096);
  #last: TermHandle = DEFAULT_GRAPH_HANDLE;

  constructor(sink: QuadSink) {
    this.#sink = sink;
    this.#handles[DEFAULT_GRAPH_HANDLE] = DEFAULT_GRAPH_HANDLE;
  }

  play(batch: Uint8Array): void {
    const view = new DataView(batch.buffer, batch.byteOffset, batch.length);
    const handle = (at: number): TermHandle => this.#handles[view.getUint32(at)]!;
    for (let at = 0; at < batch.length;) {
      const call = batch[at++]!;
      if (call === QUAD) {
        this.#sink.quad(handle(at), handle(at + 4), handle(at + 8), handle(at + 12));
        at += 16;
      } else if (call === TRIPLE_TERM) {
        this.#add(this.#sink.tripleTerm(handle(at), handle(at + 4), handle(at + 8)));
        at += 12;
      } else {
        const start = at + 4;
        at = start + view.getUint32(at);
        this.#add(call === TERM ? this.#sink.term(batch, start, at) : this.#sink.blankNode(batch, start, at));
      }
    }
  }

  #add(handle: TermHandle): void {
    if (++this.#last === this.#handles.length) {
      const larger = new Uint32Array(this.#handles.length * 2);
      larger.set(this.#handles);
      this.#handles = larger;
    }
    this.#handles[this.#last] = handle;
  }
}
