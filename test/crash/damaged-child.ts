/** Opens damaged stores: a process of its own, because a damaged page can end it. */
import type { State } from '../model/operations.mjs';
import { askDirectory, type Backend } from './damaged-files.js';

export interface Question {
  readonly backend: Backend;
  readonly path: string;
  /** Lines of each revision. Absent: those of the question before. */
  readonly states?: readonly (readonly string[])[];
  readonly mayEndEarly: boolean;
}
export type Said = { readonly codes: readonly string[] } | { readonly wrong: string };

let known: readonly State[] = [];

process.on('message', ({ backend, path, states, mayEndEarly }: Question) => {
  if (states !== undefined) known = states.map((lines) => new Set(lines));
  askDirectory(backend, path, known, mayEndEarly).then(
    (codes) => process.send!({ codes } satisfies Said),
    (error: Error) => process.send!({ wrong: error.stack ?? String(error) } satisfies Said),
  );
});
