/**
 * Quads of a dataset as the readable stream that Comunica takes. It reads a batch only when the last one is used up, and never
 * emits an error: one thrown inside Comunica's pipelines can end the process. A failure goes to the control, whose owner
 * stops reading; the stream itself just ends.
 */
import type * as RDF from '@rdfjs/types';
import type { EvaluationControl } from '../../packages/sparql/src/control/control.js';

type Listener = (...values: unknown[]) => void;

export class QuadStream {
  readable = true;
  readonly #batches: AsyncIterator<readonly RDF.Quad[]>;
  readonly #control: EvaluationControl;
  readonly #listeners = new Map<string | symbol, Set<Listener>>();
  readonly #onEnd: () => void;
  #batch: readonly RDF.Quad[] = [];
  #next = 0;
  #state: 'idle' | 'fetching' | 'ended' = 'idle';

  /** `onEnd` is called once, when the stream has ended or was destroyed. */
  constructor(batches: AsyncIterable<readonly RDF.Quad[]>, control: EvaluationControl, onEnd: () => void) {
    this.#batches = batches[Symbol.asyncIterator]();
    this.#control = control;
    this.#onEnd = onEnd;
  }

  read(): RDF.Quad | null {
    if (this.#state === 'ended' || !this.#control.alive()) return null;
    const quad = this.#batch[this.#next];
    if (quad !== undefined) {
      this.#next++;
      return quad;
    }
    if (this.#state === 'idle') void this.#fetch();
    return null;
  }

  on(event: string | symbol, listener: Listener): this {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    if (event === 'end' && this.#state === 'ended') queueMicrotask(() => listener.call(this));
    return this;
  }

  once(event: string | symbol, listener: Listener): this {
    const wrapped: Listener = (...values) => {
      this.removeListener(event, wrapped);
      listener.apply(this, values);
    };
    return this.on(event, wrapped);
  }

  removeListener(event: string | symbol, listener: Listener): this {
    this.#listeners.get(event)?.delete(listener);
    return this;
  }

  destroy(): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#batch = [];
    this.#close();
    this.#onEnd();
  }

  async #fetch(): Promise<void> {
    this.#state = 'fetching';
    this.readable = false;
    try {
      await this.#control.checkpoint();
      const result = await this.#batches.next();
      if (this.#isEnded()) return;
      if (result.done === true) return this.#end();
      this.#batch = result.value;
      this.#next = 0;
      this.#state = 'idle';
      this.readable = true;
      this.#emit('readable');
    } catch (error) {
      this.#control.fail(error);
      this.#close();
      this.#end();
    }
  }

  #isEnded(): boolean {
    return this.#state === 'ended';
  }

  #end(): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#onEnd();
    this.#emit('end');
  }

  #close(): void {
    // A generator that is waiting for storage closes when that is done; what it throws then concerns nobody.
    this.#batches.return?.()?.then(undefined, () => undefined);
  }

  #emit(event: string): void {
    for (const listener of this.#listeners.get(event) ?? []) listener.call(this);
  }
}
