/** `quadrille explain`: how a query would run, or has run. */
import type { Command } from 'commander';
import { PLACE, addAt, addBranch, addJson, addPlace, given, seconds } from '../options.js';
import { type ReadingOptions, type Shell, withView } from '../shell.js';
import { sparqlInput } from '../text-input.js';

interface Options extends ReadingOptions {
  readonly analyze?: boolean;
  readonly file?: string;
  readonly timeout?: number;
}

const EXAMPLES = `
Examples:
  $ quadrille explain ./data 'SELECT * { ?s foaf:knows ?o . ?o foaf:name ?name }'
  $ quadrille explain ./data --file slow.rq --analyze
  $ quadrille explain ./data 'ASK { ?s ?p 7 }' --at HEAD~1 --json

Prints one step a line, its inputs indented below it, with the rows that are expected. --analyze runs the query as well and
adds the rows and milliseconds that each step had.
`;

export function addExplain(program: Command, shell: Shell): void {
  const command = program
    .command('explain')
    .description('Show the plan of a SPARQL query.')
    .argument('<store>', PLACE)
    .argument('[query]', 'the text of the request, or - for standard input')
    .option('--file <path>', 'read the text from this file')
    .option('--analyze', 'run the query, and show the actual figures of each step')
    .option('--timeout <seconds>', 'time limit, in seconds', seconds('--timeout'));
  addJson(addBranch(addPlace(addAt(command))))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, argument: string | undefined, options: Options) => {
      const text = await sparqlInput(argument, options.file);
      const { analyze, timeout: timeoutMs } = options;
      await withView(store, options, async (view) => {
        const explanation = await view.explain(text, { signal: shell.signal, ...given({ analyze, timeoutMs }) });
        if (options.json === true) return shell.stdout.json(explanation);
        return shell.stdout.line(explanation.text);
      });
    });
}
