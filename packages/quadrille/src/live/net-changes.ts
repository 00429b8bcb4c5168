/** The quads that some revisions have changed together: one that was added and removed again is not among them. */
import type * as RDF from '@rdfjs/types';
import type { DiffEntry } from '../api/index.js';

/** More are no small change: to run a query again takes about as long as to join them. */
export const MOST_CHANGES = 1000;

export class NetChanges {
  readonly #quads = new Map<string, { readonly quad: RDF.Quad; net: number }>();
  #large = false;

  constructor(private readonly keyOf: (quad: RDF.Quad) => string) {}

  /** Whether there were too many to hold. */
  get large(): boolean {
    return this.#large;
  }

  /** Says how many changes come. They need not be added if they are too many. */
  expect(count: number): void {
    if (this.#quads.size + count <= MOST_CHANGES) return;
    this.#large = true;
    this.#quads.clear();
  }

  add({ op, quad }: DiffEntry): void {
    const key = this.keyOf(quad);
    const entry = this.#quads.get(key) ?? { quad, net: 0 };
    this.#quads.set(key, entry);
    entry.net += op === 'add' ? 1 : -1;
  }

  /** The quads that were added (`1`) or removed (`-1`). */
  of(net: 1 | -1): RDF.Quad[] {
    return Array.from(this.#quads.values()).flatMap((entry) => (entry.net === net ? entry.quad : []));
  }
}
