/** Opens damaged stores: a process of its own, because a damaged page can end it. */
import type { State } from '../model/operations.mjs';
import { askDirectory, type Backend } from './damaged-files.js';

export interface Question {
  readonly backend: Backend;
  readonly path: string;
  /** Number of the states that it must have. */
  readonly states: number;
  /** Lines of each revision. Absent where these states were told before. */
  readonly lines?: readonly (readonly string[])[];
  readonly mayEndEarly: boolean;
}
export type Said = { readonly codes: readonly string[] } | { readonly wrong: string };

const known = new Map<number, readonly State[]>();

process.on('message', ({ backend, path, states, lines, mayEndEarly }: Question) => {
  if (lines !== undefined)
    known.set(
      states,
      lines.map((each) => new Set(each)),
    );
  askDirectory(backend, path, known.get(states)!, mayEndEarly).then(
    (codes) => process.send!({ codes } satisfies Said),
    (error: Error) => process.send!({ wrong: error.stack ?? String(error) } satisfies Said),
  );
});
