/** What a repository gives to those who follow its answers. */
import type { PreparedSparql } from '@quadrille/sparql';
import type { QuadRead } from '@quadrille/sparql/delta';
import type { Repository, Revision, SparqlText } from '../api/index.js';
import type { HostQueryOptions } from '../host/host-types.js';
import type { ViewContext } from '../read/view.js';
import { prepareText } from '../sparql/prepared.js';

export interface AnswerSource {
  readonly repository: Pick<Repository, 'at' | 'revision' | 'watch' | 'diff'>;
  /** @throws ParseError `SPARQL_SYNTAX` */
  prepare(text: SparqlText, options: HostQueryOptions): Promise<PreparedSparql>;
  /** Whether a revision of any size has changed a quad that a query reads. */
  touches(revision: Revision, read: QuadRead): Promise<boolean>;
}

export function answerSource(repository: AnswerSource['repository'], context: ViewContext): AnswerSource {
  const { core, engine } = context;
  return {
    repository,
    async prepare(text, { baseIRI, task }) {
      return prepareText(engine, text, { baseIRI, task }, await context.prefixes());
    },
    async touches({ number }, { graphs, ...terms }) {
      const record = await core.resolve(number);
      for (const graph of graphs ?? [undefined]) {
        const changes = core.history.changes(record, { ...terms, graph });
        try {
          if ((await changes.next()) !== undefined) return true;
        } finally {
          await changes.close();
        }
      }
      return false;
    },
  };
}
