/** Several changes as one revision, over a transaction that the server keeps open. */
import { ClientError } from './client-error.js';
import { changeHeaders, revisionIn } from './remote-load.js';
import { RemoteView } from './remote-view.js';
import { type Request, Requests } from './requests.js';
import { ROWS_TYPE } from './results.js';
import { deletionOf, isQuads, linesOf, type Quads, removalOf, updateOf } from './sent-changes.js';
import { textOf } from './texts.js';
import type { ChangeOptions, QuadPattern, UpdateOptions } from './types.js';

const CONFLICT = 'REVISION_CONFLICT';
const GRAPHS = 'SELECT DISTINCT ?contextID { GRAPH ?contextID { ?s ?p ?o } }';
const QUERY = { 'Content-Type': 'application/sparql-query' };

/** Sends what a view asks to a transaction. */
class RequestsWithin extends Requests {
  readonly #path: string;

  constructor(requests: Requests, path: string) {
    super(requests.place);
    this.#path = path;
  }

  override send(request: Request): Promise<Response> {
    return super.send(this.#within(request));
  }

  #within({ parameters, ...request }: Request): Request {
    const to = (action: string, more: Partial<Request> = {}): Request => ({
      ...request,
      ...more,
      path: this.#path,
      parameters: { ...parameters, action },
    });
    switch (request.path) {
      case '/statements':
        return to('GET');
      case '/size':
        return to('SIZE');
      case '/contexts':
        return to('QUERY', { method: 'POST', headers: QUERY, body: GRAPHS, accept: ROWS_TYPE });
      default:
        return to(request.headers?.['Content-Type'] === QUERY['Content-Type'] ? 'QUERY' : 'UPDATE');
    }
  }
}

/**
 * Staged changes on the state with which the transaction began. Its reads see them; other readers see them after the commit.
 * @since 0.1.0
 */
export interface RemoteTransaction extends Pick<
  RemoteView,
  'size' | 'count' | 'quads' | 'graphs' | 'select' | 'construct' | 'describe' | 'ask' | 'query'
> {
  /** Stages quads. Blank nodes become new nodes. */
  add(quads: Quads): Promise<void>;
  /**
   * Stages the removal of quads, or of the matches of a pattern.
   * @throws ClientError `INVALID_TERM` for blank nodes: an update can find them
   */
  remove(quads: Quads | QuadPattern): Promise<void>;
  /** Stages the changes of an update. */
  update(text: string, options?: UpdateOptions): Promise<void>;
  /** Stages the changes of an update, with values. */
  update(strings: TemplateStringsArray, ...values: readonly unknown[]): Promise<void>;
}

class OpenTransaction extends RemoteView implements RemoteTransaction {
  readonly #outside: Requests;
  readonly #within: Requests;
  readonly #path: string;

  private constructor(outside: Requests, path: string) {
    const within = new RequestsWithin(outside, path);
    super(within);
    this.#outside = outside;
    this.#within = within;
    this.#path = path;
  }

  static async begin(requests: Requests, signal: AbortSignal | undefined): Promise<OpenTransaction> {
    const response = await requests.send({ method: 'POST', path: '/transactions', signal });
    const id = response.headers.get('Location')?.split('/').at(-1) ?? '';
    return new OpenTransaction(requests, `/transactions/${id}`);
  }

  async add(quads: Quads): Promise<void> {
    const body = await linesOf(quads);
    const headers = { 'Content-Type': 'application/n-quads' };
    await this.#outside.send({ method: 'PUT', path: this.#path, parameters: { action: 'ADD' }, headers, body });
  }

  async remove(input: Quads | QuadPattern): Promise<void> {
    await this.#within.send(updateOf(isQuads(input) ? await deletionOf(input) : removalOf(input)));
  }

  async update(text: string | TemplateStringsArray, ...given: readonly unknown[]): Promise<void> {
    const request =
      typeof text === 'string' ? updateOf(text, given[0] as UpdateOptions | undefined) : updateOf(textOf(text, given));
    await this.#within.send(request);
  }

  /** The id of the revision. */
  async commit(options: ChangeOptions): Promise<string | undefined> {
    const headers = changeHeaders(options);
    const { signal } = options;
    return revisionIn(
      await this.#outside.send({
        method: 'PUT',
        path: this.#path,
        parameters: { action: 'COMMIT' },
        headers,
        signal,
      }),
    );
  }

  /** The server ends it later where this fails. */
  async rollback(): Promise<void> {
    await this.#outside.send({ method: 'DELETE', path: this.#path }).catch(() => undefined);
  }
}

/**
 * Runs a function on a transaction, and commits. Without its end by the function everything is dropped.
 * @returns the id of the revision
 */
export async function inTransaction(
  requests: Requests,
  run: (transaction: RemoteTransaction) => Promise<void> | void,
  { retries = 0, ...options }: ChangeOptions & { readonly retries?: number | undefined },
): Promise<string | undefined> {
  for (let left = options.ifRevision === undefined ? retries : 0; ; left--) {
    const transaction = await OpenTransaction.begin(requests, options.signal);
    let isCommitting = false;
    try {
      await run(transaction);
      isCommitting = true;
      return await transaction.commit(options);
    } catch (error) {
      if (!isCommitting) await transaction.rollback();
      const isConflict = isCommitting && error instanceof ClientError && error.code === CONFLICT;
      if (!isConflict || left <= 0) throw error;
    }
  }
}
