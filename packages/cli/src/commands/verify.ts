/** `quadrille verify`: checks a store for damage. */
import type { Command } from 'commander';
import type { Database, VerifyReport } from 'quadrille';
import { EXIT } from '../exit.js';
import { addJson } from '../options.js';
import { READING, type Shell, withDatabase } from '../shell.js';

interface Options {
  readonly repository?: string;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille verify ./data
  $ quadrille verify ./data --repository acme/people --json

Reads everything: each index against the log of revisions, each checksum, each term. Exit code 70 where something is
wrong; quadrille rebuild makes damaged indexes anew from the log.
`;

export function addVerify(program: Command, shell: Shell): void {
  const command = program
    .command('verify')
    .description('Check the whole store, or one repository.')
    .argument('<store>', 'directory of the store')
    .option('-r, --repository <account/repository>', 'only this repository (default: all of them)');
  addJson(command)
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, options: Options) => {
      await withDatabase(store, READING, async (database) => {
        const subject = options.repository === undefined ? database : await database.repository(options.repository);
        const report = await subject.verify();
        const reserved = options.repository === undefined ? await reservedNames(database) : [];
        if (options.json === true) await shell.stdout.json({ ...report, reserved });
        else await shell.stdout.write(reservedText(reserved) + reportText(report));
        if (!report.ok) shell.setExitCode(EXIT.corrupt);
      });
    });
}

/** Accounts and repositories that were made before their names were reserved. They are no problem. */
async function reservedNames(database: Database): Promise<string[]> {
  const { RESERVED_NAMES } = await import('@quadrille/service');
  const repositories = (await database.repositories()).map(({ name }) => name);
  const names = [...(await database.accounts.list()), ...repositories];
  return names.filter((name) => RESERVED_NAMES.has(name.slice(name.indexOf('/') + 1)));
}

const reservedText = (names: readonly string[]): string =>
  names.map((name) => `${name}: the name is reserved by now; it stays reachable\n`).join('');

function reportText({ ok, checked, problems }: VerifyReport): string {
  const counts = Object.entries(checked).map(([what, count]) => `${String(count)} ${what}`);
  const lines = problems.map(({ code, message, where }) => `${where}: ${message} (${code})\n`);
  const verdict = ok ? 'everything is in order' : `${String(problems.length)} problems`;
  return `${lines.join('')}${verdict}; checked ${counts.join(', ')}\n`;
}
