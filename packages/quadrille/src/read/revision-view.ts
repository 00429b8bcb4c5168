/** A revision other than by way of the head: it is read like the repository, and refuses to be written. */
import { StateError } from '@quadrille/model';
import type {
  Bindings,
  LogOptions,
  PreparedQuery,
  PrepareOptions,
  Ref,
  Results,
  Revision,
  RevisionView,
  Row,
  SparqlText,
} from '../api/index.js';
import { loggedRevisions } from './log.js';
import { View, type ViewContext } from './view.js';

export class OpenRevisionView extends View implements RevisionView {
  readonly #context: ViewContext;
  readonly #ref: Ref;

  constructor(context: ViewContext, ref: Ref) {
    const { core } = context;
    super(
      context,
      () => core.tryResolve(ref) ?? core.locate(ref),
      () => core.locateAtOnce(ref),
    );
    this.#context = context;
    this.#ref = ref;
  }

  log(options: LogOptions = {}): Results<Revision> {
    return loggedRevisions(this.#context, options, this.#ref);
  }

  override async prepare<R extends object = Row, B extends object = Bindings>(
    text: SparqlText,
    options?: PrepareOptions,
  ): Promise<PreparedQuery<R, B>> {
    return Object.assign(await super.prepare<R, B>(text, options), { update: () => this.#refuse('update') });
  }

  // The calls of a repository that write. They are not in the type of a view: they are for programs without types, and for `asStore`.

  add(): Promise<never> {
    return this.#refuse('add');
  }

  remove(): Promise<never> {
    return this.#refuse('remove');
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

  revert(): Promise<never> {
    return this.#refuse('revert');
  }

  /** What `console.log` shows. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    const { name, branchName } = this.#context.core;
    const ref = this.#ref;
    const at = ref instanceof Date ? ref.toISOString() : typeof ref === 'object' ? ref.id : ref;
    return `RevisionView ${name} (branch ${branchName}, at ${String(at)})`;
  }

  async #refuse(call: string): Promise<never> {
    const { name } = this.#context.core;
    throw new StateError('READ_ONLY', `${call}: a revision can only be read; write to the repository ${name} itself`, {
      details: { repository: name },
    });
  }
}
