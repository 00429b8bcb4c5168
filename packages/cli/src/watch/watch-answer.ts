/** `quadrille watch --query`: follows the answer of a SELECT, and prints the rows that come and go. */
import { InvalidArgumentError } from '@quadrille/model';
import type { Repository } from 'quadrille';
import { type CommonOptions, READING, type Shell, withRepository } from '../shell.js';
import { sparqlInput } from '../text-input.js';
import type { Update } from './answer-lines.js';

export interface AnswerOptions extends CommonOptions {
  readonly query?: string;
  readonly file?: string;
  readonly since?: string;
  readonly limit?: number;
  readonly json?: boolean;
}

/** The text of the query; `undefined` if changes are followed. @throws InvalidArgumentError where options do not go together */
export async function queryOf(options: AnswerOptions, pattern: object): Promise<string | undefined> {
  if (options.query === undefined && options.file === undefined) {
    if (options.json === true) throw usage('--json is for --query: without it, revisions are printed as RDF Patch');
    return undefined;
  }
  if (Object.values(pattern).some((term) => term !== undefined))
    throw usage('--query and a pattern of quads do not go together');
  return sparqlInput(options.query, options.file);
}

const usage = (message: string): InvalidArgumentError => new InvalidArgumentError('INVALID_OPTION', message);

/** The answer of a server, which goes on. */
export async function followAnswer(
  repository: Repository,
  query: string,
  { since, limit, json = false }: AnswerOptions,
  shell: Shell,
): Promise<void> {
  const { updateLines } = await import('./answer-lines.js');
  const updates = repository.live(query, { since, signal: shell.signal });
  for await (const update of untilSignal(updates, limit, shell))
    for (const line of updateLines({ ...update, revision: update.revision.id }, json)) await shell.stdout.write(line);
}

/** At most so many items. The signal that ends the command ends them, too. */
export async function* untilSignal<T>(
  items: AsyncIterable<T>,
  limit = Infinity,
  { signal }: Pick<Shell, 'signal'>,
): AsyncGenerator<T> {
  let left = limit;
  try {
    for await (const item of items) {
      yield item;
      if (--left === 0) return;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** The answer of a store, or what has changed in it since a revision. Nothing can be added to the store meanwhile. */
export function printAnswer(store: string, query: string, options: AnswerOptions, shell: Shell): Promise<void> {
  return withRepository(store, options, READING, async (repository) => {
    const { updateLines } = await import('./answer-lines.js');
    const { signal } = shell;
    const { id } = await repository.revision();
    const first = async (): Promise<Omit<Update, 'revision'>> => {
      for await (const update of repository.live(query, { signal })) return update;
      return { path: 'initial', added: [], removed: [] };
    };
    const update = await (options.since === undefined
      ? first()
      : (await import('quadrille')).answerDiff(repository, query, options.since, id, { signal }));
    for (const line of updateLines({ ...update, revision: id }, options.json === true)) await shell.stdout.write(line);
  });
}
