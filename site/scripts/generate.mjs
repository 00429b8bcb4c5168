// Writes the references that follow from the code: the packages, the REST resources and the command. Needs the built packages.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { api } from './references/api.mjs';
import { command } from './references/command.mjs';
import { REFERENCE } from './references/page.mjs';
import { rest } from './references/rest.mjs';

const FOLDERS = ['api', 'packages', 'rest', 'cli'];

for (const folder of FOLDERS) rmSync(join(REFERENCE, folder), { recursive: true, force: true });
await command();
await rest();
api();
for (const folder of FOLDERS) {
  const pages = readdirSync(join(REFERENCE, folder), { recursive: true }).filter((name) => name.endsWith('.md'));
  console.log(folder, pages.length, 'pages');
}
process.exit(0);
