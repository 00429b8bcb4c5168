/** `quadrille explain`: how a query would run, or has run. */
import type { Command } from 'commander';
import { PLACE, addAt, addBranch, addJson, addPlace, given, seconds } from '../options.js';
import { addContexts, addHosts, type ContextOptions } from '../documents/json-ld-contexts.js';
import { withSource } from '../documents/document-place.js';
import { refuseLocal } from '../server/server-place.js';
import type { ReadingOptions, Shell } from '../shell.js';
import { sparqlInput } from '../text-input.js';

interface Options extends ReadingOptions, ContextOptions {
  readonly analyze?: boolean;
  readonly file?: string;
  readonly timeout?: number;
}

const EXAMPLES = `
Examples:
  $ quadrille explain ./data 'SELECT * { ?s foaf:knows ?o . ?o foaf:name ?name }'
  $ quadrille explain ./data --file slow.rq --analyze
  $ quadrille explain ./data 'ASK { ?s ?p 7 }' --at HEAD~1 --json
  $ quadrille explain people.ttl.gz --file slow.rq      of a file, without a store

Prints one step a line, its inputs indented below it, with the rows that are expected. --analyze runs the query as well and
adds the rows and milliseconds that each step had.
`;

export function addExplain(program: Command, shell: Shell): void {
  const command = program
    .command('explain')
    .description('Show the plan of a SPARQL query.')
    .argument('<store>', `${PLACE}, or an RDF document`)
    .argument('[query]', 'the text of the request, or - for standard input')
    .option('--file <path>', 'read the text from this file')
    .option('--analyze', 'run the query, and show the actual figures of each step')
    .option('--timeout <seconds>', 'time limit, in seconds', seconds('--timeout'));
  addHosts(
    addContexts(command),
    'contexts of JSON-LD in a file',
    'files and other hosts that the query or the file names',
  );
  addJson(addBranch(addPlace(addAt(command))))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, argument: string | undefined, options: Options) => {
      const text = await sparqlInput(argument, options.file);
      const { analyze, timeout: timeoutMs, at, fetch, allow, safe } = options;
      refuseLocal(store, { fetch, allow, safe });
      await withSource(shell, store, options, {}, async (repository) => {
        const view = at === undefined ? repository : repository.at(at);
        const explanation = await view.explain(text, { signal: shell.signal, ...given({ analyze, timeoutMs }) });
        if (options.json === true) return shell.stdout.json(explanation);
        return shell.stdout.line(explanation.text);
      });
    });
}
