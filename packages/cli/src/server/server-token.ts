/** The token that a command shows to a server. It is never an argument: those can be read by other users of the machine. */
import { InvalidArgumentError } from '@quadrille/model';
import type { Command } from 'commander';
import { readInput } from '../text-input.js';

export const addTokenFile = (command: Command): Command =>
  command.option('--token-file <file>', 'file with the token for the server (default: the token in QUADRILLE_TOKEN)');

/**
 * Reads the token of `--token-file`, or else of QUADRILLE_TOKEN, if it is set.
 * @throws NotFoundError `INPUT_NOT_FOUND` if the file cannot be read; InvalidArgumentError `INVALID_OPTION` if it has no token
 */
export async function serverToken(tokenFile: string | undefined): Promise<string | undefined> {
  if (tokenFile === undefined) return process.env['QUADRILLE_TOKEN']?.trim() || undefined;
  const token = (await readInput(tokenFile)).trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new InvalidArgumentError('INVALID_OPTION', `the file ${tokenFile} must have one line, which is the token`);
}
