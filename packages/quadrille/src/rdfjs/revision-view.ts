/** A revision other than by way of the head: it is read like the repository, and refuses to be written. */
import type { EventEmitter } from 'node:events';
import { StateError } from '@quadrille/model';
import type { Bindings, PreparedQuery, PrepareOptions, Ref, Row, SparqlText } from '../api/index.js';
import type { ViewContext } from '../read/view.js';
import { RdfjsView } from './rdfjs-view.js';
import { emitterFor } from './streams.js';

export class RevisionView extends RdfjsView {
  constructor(context: ViewContext, ref: Ref) {
    const { core } = context;
    super(
      context,
      () => core.tryResolve(ref) ?? core.locate(ref),
      () => core.locateAtOnce(ref),
    );
  }

  override async prepare<R extends object = Row, B extends object = Bindings>(
    text: SparqlText,
    options?: PrepareOptions,
  ): Promise<PreparedQuery<R, B>> {
    return Object.assign(await super.prepare<R, B>(text, options), { update: () => this.#refuse('update') });
  }

  // The calls of a repository that write. But for queryVoid they are not in the type of a view: they are for programs without types.

  queryVoid(): Promise<never> {
    return this.#refuse('queryVoid');
  }

  add(): Promise<never> {
    return this.#refuse('add');
  }

  remove(input: unknown): Promise<never> | EventEmitter {
    const isStream = typeof (input as { on?: unknown } | undefined)?.on === 'function';
    return isStream ? this.#refuseByEvent('remove') : this.#refuse('remove');
  }

  load(): Promise<never> {
    return this.#refuse('load');
  }

  patch(): Promise<never> {
    return this.#refuse('patch');
  }

  update(): Promise<never> {
    return this.#refuse('update');
  }

  transaction(): Promise<never> {
    return this.#refuse('transaction');
  }

  begin(): Promise<never> {
    return this.#refuse('begin');
  }

  revert(): Promise<never> {
    return this.#refuse('revert');
  }

  merge(): Promise<never> {
    return this.#refuse('merge');
  }

  cherryPick(): Promise<never> {
    return this.#refuse('cherryPick');
  }

  reset(): Promise<never> {
    return this.#refuse('reset');
  }

  import(): EventEmitter {
    return this.#refuseByEvent('import');
  }

  removeMatches(): EventEmitter {
    return this.#refuseByEvent('removeMatches');
  }

  deleteGraph(): EventEmitter {
    return this.#refuseByEvent('deleteGraph');
  }

  async #refuse(call: string): Promise<never> {
    const { name } = this.context.core;
    throw new StateError('READ_ONLY', `${call}: a revision can only be read; write to the repository ${name} itself`, {
      details: { repository: name },
    });
  }

  #refuseByEvent(call: string): EventEmitter {
    return emitterFor(() => this.#refuse(call));
  }
}
