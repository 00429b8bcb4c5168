/** `quadrille query`: a SPARQL query of a store, at any revision, or of a file. */
import type { RemoteView } from '@quadrille/client';
import type { Command } from 'commander';
import type { Database, PreparedQuery, QueryOptions, ReadView, Repository } from 'quadrille';
import { type DocumentOptions, withSource } from '../documents/document-place.js';
import { namedFiles, withNamedFiles } from '../documents/named-files.js';
import { rdfType, resultType } from '../formats.js';
import { nquadsLine } from '../lines.js';
import { addContexts, addHosts, federationOf } from '../documents/json-ld-contexts.js';
import { addAt, addBranch, addJson, addPlace, given, PLACE, seconds } from '../options.js';
import { endingLine } from '../output.js';
import { isServer, refuseLocal } from '../server/server-place.js';
import type { Shell } from '../shell.js';
import { type Prefixes, tableLines } from '../table.js';
import { sparqlInput } from '../text-input.js';

interface Options extends DocumentOptions {
  readonly format?: string;
  readonly file?: string;
  readonly timeout?: number;
}

const EXAMPLES = `
Examples:
  $ quadrille query ./data 'SELECT ?name { ?person foaf:name ?name }'
  $ quadrille query ./data --file report.rq --format csv > report.csv
  $ quadrille query https://data.example.org/acme/people 'ASK { ?s ?p ?o }'
  $ quadrille query people.ttl.gz 'SELECT * { ?s ?p ?o } LIMIT 5'         a file, without a store
  $ quadrille query people.csv --mapping people.rq 'SELECT ?name { ?p foaf:name ?name }'
  $ quadrille query ./data 'SELECT * { ?s ?p ?o SERVICE <file:more.ttl> { ?s ?q ?x } }'
  $ echo 'ASK { <urn:a> ?p ?o }' | quadrille query ./data - --json
  $ quadrille query ./data 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }' --at 2026-05-01
  $ quadrille query ./data 'CONSTRUCT { ?s a ?t } WHERE { ?s a ?t }' --format ttl

On a terminal SELECT prints a table, elsewhere SPARQL JSON; --format takes json, xml, csv or tsv. CONSTRUCT and DESCRIBE
print N-Triples, or nq, ttl or trig, or rows of s, p and o in the formats of SELECT. The prefixes of the repository need no PREFIX.
`;

export function addQuery(program: Command, shell: Shell): void {
  const command = program
    .command('query')
    .description('Run a SPARQL query.')
    .argument('<store>', `${PLACE}, an RDF document, or a table with --mapping`)
    .argument('[query]', 'the text of the request, or - for standard input')
    .option('--mapping <file>', 'the document is a table: make this CONSTRUCT of each of its rows')
    .option('--file <path>', 'read the text from this file')
    .option('-f, --format <format>', 'json, xml, csv, tsv, table; nt, nq, ttl, trig for graphs; or a media type')
    .option('--timeout <seconds>', 'time limit, in seconds', seconds('--timeout'));
  addHosts(
    addContexts(command),
    'SERVICE, and contexts of JSON-LD in a file,',
    'files and other hosts that the query names',
  );
  addJson(addBranch(addPlace(addAt(command))))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, argument: string | undefined, asked: Options) => {
      const text = await sparqlInput(argument, asked.file);
      const { fetch, allow, safe, timeout: timeoutMs } = asked;
      refuseLocal(store, { fetch, allow, safe });
      const named = isServer(store) ? [] : await namedFiles(text);
      const options: Options = { ...asked, files: named.map(({ iri }) => iri) };
      const federation = federationOf(text, 'SERVICE', options);
      const ask = async (repository: Repository, database?: Database): Promise<void> => {
        const view = options.at === undefined ? repository : repository.at(options.at);
        const { namespaces } = repository;
        if (database === undefined) return askServer(shell, view, () => namespaces.list(), text, options);
        const prefixes = (): Promise<Prefixes> => namespaces.effective();
        const run = (query: string, how: QueryOptions): Promise<void> =>
          runQuery(shell, view, prefixes, query, options, how);
        await withNamedFiles(text, { shell, database, view, repository, named, options, timeoutMs }, run);
      };
      await withSource(shell, store, options, { federation }, ask);
    });
}

const isGraphKind = (kind: PreparedQuery['kind']): boolean => kind === 'construct' || kind === 'describe';

async function runQuery(
  shell: Shell,
  view: ReadView,
  prefixes: () => Promise<Prefixes>,
  text: string,
  options: Options,
  queryOptions: QueryOptions,
): Promise<void> {
  const prepared = await view.prepare(text);
  const { kind } = prepared;
  const isTable = isForPerson(shell, options);
  if (kind === 'select' && isTable) {
    const rows = prepared.select(queryOptions);
    await shell.stdout.writeAll(tableLines(await rows.variables, rows, await prefixes()));
  } else if (kind === 'ask' && isTable) {
    await shell.stdout.line(String(await prepared.ask(queryOptions)));
  } else {
    const mediaType = await outputType(options, isGraphKind(kind));
    await shell.stdout.writeAll(endingLine(await answerIn(mediaType, prepared, queryOptions)));
  }
}

const optionsOf = ({ signal }: Shell, { timeout }: Options): QueryOptions => ({
  signal,
  ...given({ timeoutMs: timeout }),
});

const isForPerson = ({ isTerminal }: Shell, { json, format }: Options): boolean =>
  format === 'table' || (json !== true && format === undefined && isTerminal.stdout);

/** The answer of a server, by one request: the kind of the query comes with it. */
async function askServer(
  shell: Shell,
  view: ReadView,
  prefixes: () => Promise<Prefixes>,
  text: string,
  options: Options,
): Promise<void> {
  const { format } = options;
  if (!isForPerson(shell, options)) {
    const typeOf = (isGraph: boolean): Promise<string> => outputType(options, isGraph);
    const ofGraphs = await typeOf(true).catch(() => undefined);
    const ofRows = await (ofGraphs === undefined ? typeOf(false) : typeOf(false).catch(() => undefined));
    const accept = [ofGraphs, ofRows === ofGraphs || ofRows === undefined ? undefined : `${ofRows};q=0.9`];
    const document = (await import('@quadrille/client')).answerDocument(
      view as unknown as RemoteView,
      text,
      accept.filter((type) => type !== undefined).join(),
      optionsOf(shell, options),
    );
    return shell.stdout.writeAll(endingLine(document)).catch(async (error: unknown) => {
      // The format is none of this kind of answer: the reason is that of a store.
      if ((error as { status?: number }).status === 406) await typeOf(ofRows !== undefined);
      throw error;
    });
  }
  const answer = await view.query(text, optionsOf(shell, options));
  if (answer.type === 'bindings')
    return shell.stdout.writeAll(tableLines(answer.variables, answer.rows, await prefixes()));
  if (answer.type === 'boolean') return shell.stdout.line(String(answer.value));
  if (format === 'table') await outputType(options, true);
  for await (const quad of answer.quads) await shell.stdout.line(nquadsLine(quad));
}

async function answerIn(
  mediaType: string,
  prepared: PreparedQuery,
  options: QueryOptions,
): Promise<AsyncIterable<string>> {
  const { kind } = prepared;
  if (isGraphKind(kind)) {
    const { findResultFormat } = await import('@quadrille/formats');
    if (findResultFormat(mediaType)?.bindings === true) {
      const { rowsDocument, tripleRows } = await import('quadrille');
      const triples = kind === 'describe' ? prepared.describe(options) : prepared.construct(options);
      return rowsDocument(mediaType, ['s', 'p', 'o'], tripleRows(triples));
    }
  }
  return prepared.serialize(mediaType, options);
}

async function outputType({ format, json }: Options, isGraph: boolean): Promise<string> {
  if (format !== undefined)
    return isGraph && !/^(?:json|xml|csv|tsv)$/i.test(format) ? rdfType(format) : resultType(format);
  return isGraph && json !== true ? 'application/n-triples' : 'application/sparql-results+json';
}
