/** `quadrille verify`: checks a store for damage. */
import type { Command } from 'commander';
import { InvalidArgumentError } from '@quadrille/model';
import type { ChainReport, Database, VerifyReport } from 'quadrille';
import { EXIT } from '../exit.js';
import { addJson } from '../options.js';
import { READING, type Shell, withDatabase } from '../shell.js';
import { readInput } from '../text-input.js';

interface Options {
  readonly repository?: string;
  readonly json?: boolean;
  readonly chain?: boolean;
  readonly key?: string;
}

const EXAMPLES = `
Examples:
  $ quadrille verify ./data
  $ quadrille verify ./data --repository acme/people --json
  $ quadrille verify ./data --repository acme/people --chain --key key.pub.pem

Reads everything: each index against the log of revisions, each checksum, each term. Exit code 70 where something is
wrong; quadrille rebuild makes damaged indexes anew from the log.
`;

export function addVerify(program: Command, shell: Shell): void {
  const command = program
    .command('verify')
    .description('Check the whole store, or one repository.')
    .argument('<store>', 'directory or URL of the store')
    .option('-r, --repository <account/repository>', 'only this repository (default: all of them)')
    .option('--chain', 'compute the digest of every revision instead, and compare it with signatures and erasures')
    .option('--key <file>', 'with --chain: public key as PEM (SPKI), of which a valid signature is required');
  addJson(command)
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, options: Options) => {
      const key = options.key === undefined ? undefined : await readInput(options.key);
      if (key !== undefined && options.chain !== true)
        throw new InvalidArgumentError('INVALID_OPTION', '--key is only for --chain');
      await withDatabase(store, READING, async (database) => {
        if (options.chain === true) return verifyChains(database, options, key, shell);
        const { repository } = options;
        const subject = repository === undefined ? database : (await database.repository(repository)).maintenance;
        const report = await subject.verify();
        const reserved = options.repository === undefined ? await reservedNames(database) : [];
        if (options.json === true) await shell.stdout.json({ ...report, reserved });
        else await shell.stdout.write(reservedText(reserved) + reportText(report));
        if (!report.ok) shell.setExitCode(EXIT.corrupt);
      });
    });
}

/** One line or JSON object for each repository. */
async function verifyChains(
  database: Database,
  { repository, json }: Options,
  key: string | undefined,
  shell: Shell,
): Promise<void> {
  const names =
    repository === undefined ? (await database.repositories().toArray()).map(({ name }) => name) : [repository];
  for (const name of names) {
    const report = await (await database.repository(name)).proof.verify({ key, signal: shell.signal });
    if (json === true) await shell.stdout.json({ repository: name, ...report });
    else await shell.stdout.write(chainText(name, report));
    if (!report.ok) shell.setExitCode(EXIT.corrupt);
  }
}

function chainText(name: string, report: ChainReport): string {
  const { ok, revisions, digest, problems, signedUpTo } = report;
  const lines = problems.map(({ code, message, where }) => `${where}: ${message} (${code})\n`);
  const verdict = ok ? 'the chain is in order' : `${String(problems.length)} problems`;
  const signed = signedUpTo === undefined ? '' : `, signed up to revision ${String(signedUpTo.number)}`;
  return `${lines.join('')}${name}: ${verdict}; ${String(revisions)} revisions${signed}, digest ${digest}\n`;
}

/** Accounts and repositories that were made before their names were reserved. They are no problem. */
async function reservedNames(database: Database): Promise<string[]> {
  const { RESERVED_NAMES } = await import('@quadrille/server/host');
  const repositories = (await database.repositories().toArray()).map(({ name }) => name);
  const names = [...(await database.accounts.list().toArray()), ...repositories];
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
