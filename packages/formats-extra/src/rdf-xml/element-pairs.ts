/** Predicates and objects of one element. They are emitted together, because an element counts only when it is whole. */
import { DEFAULT_GRAPH_HANDLE } from '@quadrille/model';
import type { QuadSink, TermHandle } from '@quadrille/model';

export class ElementPairs {
  #pairs = new Uint32Array(64);
  #length = 0;

  clear(): void {
    this.#length = 0;
  }

  add(predicate: TermHandle, object: TermHandle): void {
    if (this.#length === this.#pairs.length) {
      const larger = new Uint32Array(this.#pairs.length * 2);
      larger.set(this.#pairs);
      this.#pairs = larger;
    }
    this.#pairs[this.#length++] = predicate;
    this.#pairs[this.#length++] = object;
  }

  emit(sink: QuadSink, subject: TermHandle): void {
    const pairs = this.#pairs;
    for (let i = 0; i < this.#length; i += 2) sink.quad(subject, pairs[i]!, pairs[i + 1]!, DEFAULT_GRAPH_HANDLE);
  }
}
