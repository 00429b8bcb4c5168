/** Parts of documents of which nothing is made: counted and told, or refused. */
import type { AsyncParserOptions, DroppedStatement } from '@quadrille/formats';
import { ParseError } from '@quadrille/model';
import type { LoadedRevision, LoadOptions, Revision } from '../api/index.js';

const MOST_SHOWN = 10;

export class DroppedCounter {
  readonly #first: DroppedStatement[] = [];
  #count = 0;

  /** @param source the name of the document */
  constructor(
    private readonly options: Pick<LoadOptions, 'onProblem' | 'safe'>,
    private readonly source: string | undefined,
  ) {}

  /** @throws ParseError `RDF_SYNTAX` with the option `safe` */
  readonly add: NonNullable<AsyncParserOptions['onDropped']> = (dropped) => {
    const { safe, onProblem } = this.options;
    for (const { path, reason } of dropped) {
      if (safe === true)
        throw new ParseError('RDF_SYNTAX', path === '' ? reason : `${path}: ${reason}`, { source: this.source });
      this.#count++;
      if (this.#first.length < MOST_SHOWN) this.#first.push({ path, reason });
      onProblem?.({ kind: 'dropped', path, message: reason });
    }
  };

  /** The revision of the load, with what it has left out. */
  addTo(revision: Revision): LoadedRevision {
    return this.#count === 0 ? revision : { ...revision, dropped: { count: this.#count, first: this.#first } };
  }
}
