/** `quadrille migrate`: makes the tables of a store in a database, so that servers need no right to make tables. */
import { InvalidArgumentError } from '@quadrille/model';
import type { Command } from 'commander';
import { addJson } from '../options.js';
import type { Shell } from '../shell.js';

const EXAMPLES = `
Examples:
  $ PGPASSWORD=… quadrille migrate postgres://owner@db.example/quadrille

Makes the tables of a store where they are missing, and checks the settings of the database. It can be repeated, also while servers run. Afterwards the
role of the servers needs SELECT, INSERT, UPDATE and DELETE on these tables, and nothing else.
`;

export function addMigrate(program: Command, shell: Shell): void {
  const command = program
    .command('migrate')
    .description('Create the tables of a store in PostgreSQL. The role in the URL needs the right to create tables.')
    .argument('<url>', 'URL of the database');
  addJson(command)
    .addHelpText('after', EXAMPLES)
    .action(async (url: string, { json }: { readonly json?: boolean }) => {
      if (!/^postgres(?:ql)?:\/\//i.test(url))
        throw new InvalidArgumentError('INVALID_OPTION', 'migrate is for databases: postgres://user@host/database');
      const { joinStore } = await import('quadrille');
      const member = await joinStore(url);
      await member.open();
      const servers = member.servers.length - 1;
      await member.close();
      if (json === true) await shell.stdout.json({ migrated: true, servers });
      else await shell.stdout.line('The tables are there.');
    });
}
