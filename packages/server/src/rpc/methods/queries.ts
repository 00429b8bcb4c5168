/** Background queries of older clients: one call starts a query, other calls fetch the answer. */
import { isWorking } from '../../host/index.js';
import { method, type Parameter, type RpcResult } from './method.js';

const QUERY = { name: 'uuid', type: 'string', doc: 'the UUID that the query was given' } as const satisfies Parameter;

export const queryMethods = [
  method({
    names: ['dydra.repository.query'],
    parameters: [
      { name: 'repository', type: 'string', doc: '`account/repository`' },
      { name: 'query', type: 'string', doc: 'a SPARQL query' },
    ],
    result: 'string',
    doc: 'Begins a query, which runs when its turn has come. Gives the UUID of the operation; its answer is kept for ten minutes, in at most 4 MiB.',
    right: 'read',
    run: ({ service, caller }, [repository, query]) => service.queries.start(caller, repository, query),
  }),
  method({
    names: ['dydra.query.done'],
    parameters: [QUERY],
    result: 'boolean',
    doc: 'Whether it has ended, however it did.',
    right: 'own',
    run: ({ service, caller }, [uuid]) => !isWorking(service.jobs.get(caller, uuid)),
  }),
  method({
    names: ['dydra.query.result'],
    parameters: [QUERY],
    result: 'array',
    doc: 'Its rows, each a struct of the texts of its values; of ASK one boolean; of CONSTRUCT and DESCRIBE rows of `s`, `p` and `o`.',
    right: 'own',
    run: ({ service, caller }, [uuid]) => rowsOf(service.queries.answer(caller, uuid)),
  }),
  method({
    names: ['dydra.query.result.json'],
    parameters: [QUERY],
    result: 'string',
    doc: 'The same as a document of SPARQL results in JSON, which tells terms apart.',
    right: 'own',
    run: ({ service, caller }, [uuid]) => service.queries.answer(caller, uuid),
  }),
];

interface Document {
  readonly boolean?: boolean;
  readonly results?: { readonly bindings: readonly Readonly<Record<string, { readonly value: unknown }>>[] };
}

function rowsOf(document: string): RpcResult {
  const { boolean, results } = JSON.parse(document) as Document;
  if (results === undefined) return [boolean ?? false];
  return results.bindings.map((row) => {
    const texts = Object.entries(row).map(([name, { value }]) => [name, textOf(value)]);
    return Object.fromEntries(texts) as Record<string, string>;
  });
}

/** The value of a triple term is an object. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
