// What two agents do with one memory, without a model: the calls are written down. The second one starts while the first one runs.
//   node examples/agent/session.mjs
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from './client.mjs';

const folder = await mkdtemp(join(tmpdir(), 'quadrille-agents-'));
const store = join(folder, 'memory');
const planner = await Client.start('planner', store);
const { tools } = await planner.ask('tools/list');
console.log(
  'the planner may',
  tools
    .map(({ name }) => name)
    .slice(-5)
    .join(', '),
);

await planner.tool('create_entities', {
  entities: [{ name: 'Release 2', entityType: 'project', observations: ['begins in March'] }],
});
const entityName = 'Release 2';
await planner.tool('add_observations', {
  observations: [
    { entityName, contents: ['ships on 12 May'], source: 'mail of Ann', confidence: 0.9, validTo: '2027-05-12' },
  ],
});

const writer = await Client.start('writer', store, '--tools', 'memory,data');
await Promise.all([
  planner.tool('add_observations', { observations: [{ entityName, contents: ['needs a security review'] }] }),
  writer.tool('add_observations', { observations: [{ entityName, contents: ['needs release notes'] }] }),
]);
const { observations } = await writer.tool('recall', { text: 'When does it ship?' });
console.log('the writer recalls:', observations[0].observation);
const { stored, source } = await writer.tool('why', { name: entityName, observation: 'ships on 12 May' });
console.log(`because ${stored.author} has it from a ${source}`);

// A key that is told by mistake would be in the history for ever.
const secret = { observations: [{ entityName, contents: [`the key is ghp_${'a1B2'.repeat(9)}`] }] };
await writer.tool('add_observations', secret).catch((error) => console.log('refused:', error.message.split('. ')[0]));

// The planner deletes too much, and takes it back. What the writer has said is not touched.
await planner.tool('delete_entities', { entityNames: [entityName] });
console.log('after the deletion:', (await writer.tool('read_graph')).entities.length, 'entities');
await planner.tool('undo');
await planner.end();
const [release] = (await writer.tool('open_nodes', { names: [entityName] })).entities;
console.log('after undo:', release.observations.length, 'observations');
const before = await writer.tool('as_of', { at: '3', names: [entityName] });
console.log('at revision 3:', before.entities[0].observations.join('; '));
const query = 'SELECT (COUNT(*) AS ?n) { ?s <urn:quadrille:memory#observation> ?text }';
console.log('SPARQL counts', (await writer.tool('query', { query })).rows[0][0]);
await writer.end();
await rm(folder, { recursive: true });
