/** Texts and options of queries and commits in the words of the client. */
import type { ChangeOptions, QueryOptions, RemoteRepository, Rows } from '@quadrille/client';
import { termToNTriples } from '@quadrille/model';
import { type CommitOptions, type Row, sparql, type SelectOptions } from 'quadrille';
import { jsRows } from 'quadrille/host';
import { HOLDER_DOES, unsupported } from './errors.js';

const PLACEHOLDER = /<urn:quadrille:value:[\da-f-]+:(\d+)>/g;
/** Options that the client passes on. */
const QUERY = new Set([
  'signal',
  'memoryBytes',
  'timeoutMs',
  'bindings',
  'defaultGraphUris',
  'namedGraphUris',
  'values',
  'analyze',
]);
const COMMIT = new Set([
  'message',
  'author',
  'ifRevision',
  'dryRun',
  'retries',
  'signal',
  'timeoutMs',
  'bindings',
  'memoryBytes',
]);
const UUID = /^[\da-f]{8}-[\da-f-]{27}$/;

type Template = ReturnType<typeof sparql>;

/** A text, a template with its values, or what a template tag gets. */
export function textOf(text: string | Template | TemplateStringsArray, values: readonly unknown[]): string {
  if (typeof text === 'string') return text;
  const template = 'text' in text ? text : sparql(text, ...values);
  return template.text.replace(PLACEHOLDER, (_, n: string) => termToNTriples(template.values[Number(n)]!));
}

/** The options behind a text; a template tag has none. */
export const optionsBehind = (text: unknown, given: readonly unknown[]): object =>
  Array.isArray(text) ? {} : ((given[0] as object | undefined) ?? {});

function checked(options: object, known: ReadonlySet<string>): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !known.has(name)) throw unsupported(`the option ${name}`, HOLDER_DOES);
}

/** @throws EvaluationError `UNSUPPORTED` for an option that only the holder has */
export function queryOptions(options: object): QueryOptions {
  checked(options, QUERY);
  // The holder bounds the memory of its queries.
  const { values: _, memoryBytes: __, ...asked } = options as SelectOptions;
  return asked;
}

/** @throws EvaluationError `UNSUPPORTED` for an option that only the holder has; NotFoundError `REVISION_NOT_FOUND` */
export async function changeOptions(
  remote: RemoteRepository,
  options: object,
  more: readonly string[] = [],
): Promise<ChangeOptions> {
  checked(options, new Set([...COMMIT, ...more]));
  const {
    author: _,
    memoryBytes: __,
    ifRevision,
    ...rest
  } = options as CommitOptions & Pick<SelectOptions, 'memoryBytes'>;
  if (ifRevision === undefined) return rest;
  const ref = ifRevision as string | number | Date;
  const id = typeof ref === 'string' && UUID.test(ref) ? ref : (await remote.at(ref).revision()).id;
  return { ...rest, ifRevision: id };
}

/** The rows as values of JavaScript. */
export function inJavaScript(rows: Rows<Row>): object {
  async function* converted(): AsyncGenerator<object> {
    const convert = await jsRows();
    for await (const row of rows) yield convert(row);
  }
  return {
    get variables() {
      return rows.variables;
    },
    [Symbol.asyncIterator]: converted,
    async toArray() {
      const all: object[] = [];
      for await (const row of converted()) all.push(row);
      return all;
    },
    async first() {
      for await (const row of converted()) return row;
      return undefined;
    },
  };
}
