import { join } from 'node:path';
import { commandsOf, commandText } from '../../../test/docs/references/commands.mjs';
import { built, REFERENCE, write } from './page.mjs';

/** One page for each command. */
export async function command() {
  const { createProgram } = await built('cli/dist/bundle/index.js');
  const output = { write: () => Promise.resolve() };
  for (const one of commandsOf(createProgram({ stdout: output, stderr: output }))) {
    const file = `${one.name.replace('quadrille ', '').replaceAll(' ', '-')}.md`;
    write(join(REFERENCE, 'cli', file), one.name, commandText(one, 2));
  }
}
