/** The token that a command shows to a server. It is never an argument: those can be read by other users of the machine. */
import { readFile } from 'node:fs/promises';

/** That of `--token-file`, else of QUADRILLE_TOKEN. */
export async function serverToken(tokenFile: string | undefined): Promise<string | undefined> {
  const text = tokenFile === undefined ? process.env['QUADRILLE_TOKEN'] : await readFile(tokenFile, 'utf8');
  return text?.trim() === '' ? undefined : text?.trim();
}
