/** `quadrille sign`: signs a revision and everything before it. */
import type { Command } from 'commander';
import { addBranch, addJson, addRepository } from '../options.js';
import { type CommonOptions, type Shell, warnings, withStoredRepository } from '../shell.js';
import { readInput } from '../text-input.js';

interface Options extends CommonOptions {
  readonly key: string;
}

const EXAMPLES = `
Examples:
  $ openssl genpkey -algorithm ed25519 -out key.pem
  $ openssl pkey -in key.pem -pubout -out key.pub.pem
  $ quadrille sign ./data --key key.pem
  $ quadrille verify ./data --repository default/default --chain --key key.pub.pem

The signature stands beside the revision. It vouches for the revision and for everything before it.
`;

export function addSign(program: Command, shell: Shell): void {
  const command = program
    .command('sign')
    .description('Sign a revision and everything before it with Ed25519.')
    .argument('<store>', 'directory or URL of the store')
    .argument('[ref]', 'the revision to sign: a number, a UUID, HEAD~1, a time, a tag or a branch', 'HEAD')
    .requiredOption('--key <file>', 'private key as PEM (PKCS#8)');
  addJson(addBranch(addRepository(command)))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, ref: string, options: Options) => {
      const key = await readInput(options.key);
      await withStoredRepository(store, options, { create: false, logger: warnings(shell) }, async (repository) => {
        const { revision, keyId, signature } = await repository.proof.sign(key, { ref, signal: shell.signal });
        const { id, number } = revision;
        if (options.json === true) await shell.stdout.json({ id, number, keyId, signature });
        else await shell.stdout.line(`revision ${String(number)} is signed with key ${keyId}`);
      });
    });
}
