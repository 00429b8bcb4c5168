/** `quadrille publish`: a store as files for any web host. */
import { InvalidArgumentError } from '@quadrille/model';
import type { Command } from 'commander';
import type { PublishOptions, PublishReport } from 'quadrille';
import { bytes } from '../lines.js';
import { addJson, given } from '../options.js';
import { READING, type Shell, withDatabase } from '../shell.js';

const EXAMPLES = `
Examples:
  $ quadrille publish ./data ./site
  $ quadrille publish ./data ./site --repository acme/people --repository acme/places
  $ quadrille publish ./data ./site --history all             all revisions can be asked, by --at and in queries
  $ quadrille query https://acme.example/site/ 'SELECT * { ?s ?p ?o } LIMIT 5'

Copy the folder to any host of static files that gives parts of files, at any path, and open its address: a page there asks the store by
SPARQL. Published again, it writes only what is new; a file that nobody needs any more is named. Without --history only the head of main is
published: a history has what the head has lost.
`;

interface Options {
  readonly repository?: readonly string[];
  readonly all?: boolean;
  readonly history?: PublishOptions['history'];
  readonly ranges: boolean;
  readonly replace?: boolean;
  readonly json?: boolean;
}

export function addPublish(program: Command, shell: Shell): void {
  const command = program
    .command('publish')
    .description('Write a store as files for any web host, which can be queried there.')
    .argument('<store>', 'directory or URL of the store')
    .argument('<out>', 'folder for the files; made if it does not exist')
    .option('-r, --repository <account/repository>', 'repository to publish; may be repeated', collected)
    .option('--all', 'publish all repositories')
    .option('--history <revisions>', 'none, all, or how many of the last revisions (default: none)', historyOf)
    .option('--no-ranges', 'write small files, for a host that gives whole files alone')
    .option('--replace', 'take the place of the publication of another store, or of one from before an erasure');
  addJson(command)
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, out: string, options: Options) => {
      const { repository: repositories, all, history, ranges, replace, json } = options;
      const { signal } = shell;
      // A shared store may have a writer, beside which it is read.
      const how = /^\w+:\/\//.test(store) ? READING : { create: false };
      const report = await withDatabase(store, how, async (database) => {
        const { publish } = await import('quadrille');
        const { writePage } = await import('./write-page.js');
        const options = { ranges, signal, ...given({ repositories, all, history, replace }) };
        const published = await publish(database, out, options);
        const { page } = await writePage(published, database);
        return { ...published, page };
      });
      await (json === true ? shell.stdout.json(report) : shell.stdout.write(told(report)));
    });
}

const collected = (name: string, before: readonly string[] = []): string[] => [...before, name];

function historyOf(text: string): PublishOptions['history'] {
  if (text === 'none' || text === 'all') return text;
  const revisions = Number(text);
  if (/^\d+$/.test(text) && revisions > 0) return revisions;
  throw new InvalidArgumentError('INVALID_OPTION', `--history is none, all or a number of revisions, not ${text}`);
}

function told(report: PublishReport & { readonly page: boolean }): string {
  const { location, repositories, bytes: all, writtenFiles, writtenBytes, superfluous, page } = report;
  const lines = [
    ...repositories.map(({ name, revision, quads }) => `${name} #${revision.number}, ${quads} quads`),
    `${location}: ${bytes(all)}; ${writtenFiles} new files, ${bytes(writtenBytes)}`,
    ...(page ? [] : ['index.html is not that of a publication, and stays: the page was not written']),
    ...superfluous.map((name) => `may be deleted: ${name}`),
  ];
  return `${lines.join('\n')}\n`;
}
