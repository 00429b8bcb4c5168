/** A server in a process of its own: prints its port, and ends with its standard input. */
import { createHandler, serveNode } from '@quadrille/server';
import { open } from 'quadrille';
import { dataLines, SEARCH } from './data.js';

const SUBJECTS = 5000;

const database = await open(':memory:');
const repository = await database.repository('a/r', { create: true });
await repository.settings.set({ search: SEARCH });
await repository.load({ text: [...dataLines(SUBJECTS)].join('\n') }, { format: 'nquads' });
const other = await database.repository('a/other', { create: true });
await other.update('INSERT DATA { <urn:s1> <urn:age> 1 }');
const server = await serveNode(createHandler({ database, open: true }), {
  port: 0,
});
console.log(server.port);
process.stdin.resume().on('end', () => process.exit());
