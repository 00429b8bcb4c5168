/** Converts the quads of a document that LOAD reads to ids. A document may have thousands of quads in a few bytes. */
import type * as RDF from '@rdfjs/types';
import { MISS } from '../../dataset/id-dataset.js';
import type { Session } from '../execution.js';
import type { QuadBuffer } from './quad-buffer.js';

/** Units of work between two looks at the clock: a quad is one unit, and so are this many characters of its object. */
const WORK_PER_CHECKPOINT = 64;
const CHARS_PER_WORK = 256;

export class LoadedQuads {
  #work = 0;

  constructor(
    private readonly session: Session,
    /** The graph for all quads; without it each has its own. */
    private readonly graph: number | undefined,
    private readonly into: QuadBuffer,
  ) {}

  async add(quads: readonly RDF.Quad[]): Promise<void> {
    for (const quad of quads) {
      this.#work += 1 + quad.object.value.length / CHARS_PER_WORK;
      if (this.#work >= WORK_PER_CHECKPOINT) {
        this.#work = 0;
        const pause = this.session.control.checkpoint();
        if (pause !== undefined) await pause;
      }
      const s = this.#tryId(quad.subject) ?? (await this.#id(quad.subject));
      const p = this.#tryId(quad.predicate) ?? (await this.#id(quad.predicate));
      const o = this.#tryId(quad.object) ?? (await this.#id(quad.object));
      const g = this.graph ?? this.#tryId(quad.graph) ?? (await this.#id(quad.graph));
      this.into.push(s, p, o, g);
    }
  }

  /** `undefined` where something has to be fetched first. */
  #tryId(term: RDF.Term): number | undefined {
    const id = this.session.terms.tryTerm(term, true);
    return id === MISS ? undefined : id;
  }

  #id(term: RDF.Term): Promise<number> {
    return this.session.terms.intern(term);
  }
}
