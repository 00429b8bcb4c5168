/** Loads a document into one graph, into several, or into the graphs that it names. Makes one revision. */
import { InvalidArgumentError, LimitError } from '@quadrille/model';
import type { Repository, Revision } from 'quadrille';
import type { HostCommitOptions, HostLoadOptions } from 'quadrille/host';
import type { Graph } from '../repositories/graph.js';
import { stagedQuads, withStaged } from '../transactions/staged-documents.js';

export function loadGraphs(
  repository: Repository,
  source: AsyncIterable<Uint8Array>,
  graphs: readonly Graph[] | undefined,
  options: HostLoadOptions,
  /** Most bytes of a document for several graphs, which is held in memory. */
  heldBytes: number,
): Promise<Revision> {
  const [graph, ...others] = graphs ?? [];
  if (graph === undefined) return repository.load(source, options);
  if (others.length === 0) return repository.load(source, { ...options, graph });
  if (options.onError === 'skip')
    throw new InvalidArgumentError(
      'INVALID_OPTION',
      'errors can be skipped in a document for one graph, not for several',
    );
  return loadSeveral(repository, limited(source, heldBytes), [graph, ...others], options);
}

function loadSeveral(
  repository: Repository,
  source: AsyncIterable<Uint8Array>,
  graphs: readonly Graph[],
  options: HostLoadOptions,
): Promise<Revision> {
  const {
    replace,
    message: _,
    author: __,
    ifRevision: ___,
    id: ____,
    signal,
    records: _____,
    onError: ______,
    maxErrors: _______,
    onProblem: ________,
    ...loading
  } = options;
  return withStaged([{ ...loading, source }], signal, (staged) =>
    repository.transaction(async (transaction) => {
      for (const graph of graphs) {
        if (replace === true) await transaction.remove({ graph });
        await transaction.add(stagedQuads(staged, graph));
      }
    }, commitOf(options)),
  );
}

const COMMIT_MEMBERS = [
  'message',
  'author',
  'ifRevision',
  'id',
  'signal',
  'records',
] as const satisfies (keyof HostCommitOptions)[];

const commitOf = (options: HostCommitOptions): HostCommitOptions =>
  Object.fromEntries(
    COMMIT_MEMBERS.filter((member) => options[member] !== undefined).map((member) => [member, options[member]]),
  );

async function* limited(source: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > limit) {
      throw new LimitError(
        'INPUT_TOO_LARGE',
        `a document that goes to several graphs has at most ${String(limit)} bytes; send it to one after the other`,
      );
    }
    yield chunk;
  }
}
