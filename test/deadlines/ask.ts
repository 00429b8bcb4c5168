/** Asks a request, and reads the answer to its end. */
import type { Repository } from 'quadrille';
import type { Shape } from './shape.js';

/** `done`, or the code of the error that ended it. */
export async function ask(repo: Repository, { form = 'select', text }: Shape, timeoutMs: number): Promise<string> {
  try {
    if (form === 'update') await repo.update(text, { timeoutMs });
    else if (form === 'select') for await (const _ of repo.select(text, { timeoutMs }));
    else for await (const _ of repo[form](text, { timeoutMs }));
    return 'done';
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return code === undefined || code === 'SPARQL_SYNTAX' ? message : code;
  }
}
