/** `quadrille digest`: the hashes of a revision, by which copies are compared. */
import type { Command } from 'commander';
import { addBranch, addJson, addRepository } from '../options.js';
import { type CommonOptions, READING, type Shell, withStoredRepository } from '../shell.js';

const EXAMPLES = `
Examples:
  $ quadrille digest ./data
  $ quadrille digest ./data HEAD~1 --json

Equal digests mean equal histories. Equal content hashes mean equal quads, with equal labels of blank nodes.
`;

export function addDigest(program: Command, shell: Shell): void {
  const command = program
    .command('digest')
    .description('Print the digest of the history and the hash of the content.')
    .argument('<store>', 'directory or URL of the store')
    .argument('[ref]', 'a revision: a number, a UUID, HEAD~1, a time, a tag or a branch', 'HEAD');
  addJson(addBranch(addRepository(command)))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, ref: string, options: CommonOptions) => {
      await withStoredRepository(store, options, READING, async (repository) => {
        const { signal } = shell;
        const revision = await repository.at(ref).revision();
        const digest = await repository.proof.digest(revision, { signal });
        const contentHash = await repository.proof.contentHash(revision, { signal });
        const { id, number } = revision;
        if (options.json === true) await shell.stdout.json({ id, number, digest, contentHash });
        else
          await shell.stdout.write(`revision ${String(number)}  ${id}\ndigest   ${digest}\ncontent  ${contentHash}\n`);
      });
    });
}
