/** Rare parts of queries: the plan instead of the answer, and the error for an answer of another kind. */
import { InvalidArgumentError } from '@quadrille/model';
import type { QueryableDataset, Repositories, SparqlAnswer } from '@quadrille/sparql';
import type { Explanation, ExplainOptions, SparqlText } from '../api/index.js';
import type { LazyEngine } from '../sparql/lazy-engine.js';

type Kind = SparqlAnswer['type'];

export function wrongKind(wanted: Kind, given: Kind): InvalidArgumentError {
  const forms = { bindings: 'SELECT', quads: 'CONSTRUCT or DESCRIBE', boolean: 'ASK' };
  return new InvalidArgumentError(
    'INVALID_OPTION',
    `this call takes a ${forms[wanted]} query, not ${forms[given]}: use query()`,
  );
}

interface Explaining {
  readonly engine: LazyEngine;
  readonly core: { readonly name: string };
  prefixes(): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
}

/** The plan of a query over a dataset, whose snapshot is closed with the pins. */
export async function explained(
  { engine, core, prefixes }: Explaining,
  text: SparqlText,
  options: ExplainOptions,
  repositories: Repositories & { close(): void },
  dataset: Promise<QueryableDataset>,
): Promise<Explanation> {
  try {
    const data = await dataset;
    return await engine.explain(text, data, {
      ...options,
      prefixes: await prefixes(),
      repository: core.name,
      repositories,
    });
  } finally {
    repositories.close();
  }
}
