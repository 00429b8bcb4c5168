/** The feed of an answer. */
import { parametersOf, request } from '../client.js';
import type { Problem } from '../errors.js';
import type { Binding } from '../sparql.js';

/** What a revision has changed in the answer. */
export interface AnswerUpdate {
  readonly revision: string;
  readonly added: readonly Readonly<Record<string, Binding>>[];
  readonly removed: AnswerUpdate['added'];
}

export interface AnswerFeedOptions {
  /** The UUID of the revision after which the feed begins. */
  readonly since: string;
  readonly onUpdate: (update: AnswerUpdate) => void;
  /** The server cannot answer any more, for example at a limit. */
  readonly onProblem: (problem: Pick<Problem, 'code' | 'message'>) => void;
  readonly signal: AbortSignal;
}

/**
 * Reads the feed until the server ends it, the connection is lost or the signal is aborted.
 * @throws ApiError; TypeError where the connection is lost; AbortError on the signal
 */
export async function readAnswerFeed(repository: string, query: string, options: AnswerFeedOptions): Promise<void> {
  const { since, onUpdate, onProblem, signal } = options;
  const init = { headers: { Accept: 'text/event-stream' }, signal };
  const response = await request(`${repository}/live${parametersOf({ query, since })}`, init, 'never');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest: string[] = [''];
  let lines: string[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const [first = '', ...others] = value.split('\n');
    rest.push(first);
    for (const next of others) {
      const line = rest.join('');
      rest = [next];
      if (line !== '') lines.push(line);
      else {
        const { event, data } = fieldsOf(lines);
        if (event === 'answer') onUpdate(JSON.parse(data) as AnswerUpdate);
        if (event === 'problem') {
          const { error, code } = JSON.parse(data) as { readonly error: string; readonly code: string };
          onProblem({ message: error, code });
        }
        lines = [];
      }
    }
  }
}

function fieldsOf(lines: readonly string[]): { readonly event: string; readonly data: string } {
  const all = (name: string): string[] =>
    lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
  return { event: all('event').at(-1) ?? '', data: all('data').join('\n') };
}
