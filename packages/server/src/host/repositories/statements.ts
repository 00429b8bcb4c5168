/** Removes statements by a pattern, in one revision. */
import type { CommitOptions, QuadPattern, Revision } from 'quadrille';
import type { Caller } from '../accounts/caller.js';
import type { Graph } from './graph.js';
import type { Rights } from './rights.js';

/** Changes of quads that are no document. */
export class Statements {
  constructor(private readonly rights: Rights) {}

  /**
   * Removes the matching statements of all graphs, or of the given graphs, from `branch` or the default branch. No match is no error.
   * @throws AccessError, NotFoundError as {@link Rights.open}
   */
  async remove(
    caller: Caller,
    name: string,
    pattern: QuadPattern,
    graphs: readonly Graph[] | undefined,
    { branch, ...options }: CommitOptions & { readonly branch?: string | undefined } = {},
  ): Promise<Revision> {
    const repository = await this.rights.openToCommit(caller, name, branch);
    const author = options.author ?? caller.account;
    const commit = { ...options, ...(author === undefined ? {} : { author }) };
    const [graph, ...others] = graphs ?? [];
    if (graph === undefined) return repository.remove(pattern, commit);
    if (others.length === 0) return repository.remove({ ...pattern, graph }, commit);
    return repository.transaction(async (transaction) => {
      for (const each of [graph, ...others]) await transaction.remove({ ...pattern, graph: each });
    }, commit);
  }
}
