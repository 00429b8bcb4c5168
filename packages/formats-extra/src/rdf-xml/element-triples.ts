/** The triples of one element. They are emitted together, when the whole element is read. */
import { DEFAULT_GRAPH_HANDLE } from '@quadrille/model';
import type { QuadSink, TermHandle } from '@quadrille/model';

export class ElementTriples {
  #handles = new Uint32Array(96);
  #length = 0;

  clear(): void {
    this.#length = 0;
  }

  add(subject: TermHandle, predicate: TermHandle, object: TermHandle): void {
    if (this.#length === this.#handles.length) {
      const larger = new Uint32Array(this.#handles.length * 2);
      larger.set(this.#handles);
      this.#handles = larger;
    }
    this.#handles[this.#length++] = subject;
    this.#handles[this.#length++] = predicate;
    this.#handles[this.#length++] = object;
  }

  emit(sink: QuadSink): void {
    const handles = this.#handles;
    for (let i = 0; i < this.#length; i += 3) {
      sink.quad(handles[i]!, handles[i + 1]!, handles[i + 2]!, DEFAULT_GRAPH_HANDLE);
    }
  }
}
