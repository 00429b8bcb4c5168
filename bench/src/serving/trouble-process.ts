/**
 * Makes trouble: `node trouble-process.js <name> <repository>`. Sends the message `begun` and ends when it gets any
 * message.
 */
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { TROUBLES } from './import-trouble.js';

const [name = '', repository = ''] = process.argv.slice(2);
const trouble = TROUBLES[name];
if (trouble === undefined) throw new Error(`there is no trouble ${name}`);
// Gives way to the measured client, which runs on the same core.
setPriority(10);
const end = await trouble(repository);
process.send!('begun');
await once(process, 'message');
await end();
process.disconnect();
