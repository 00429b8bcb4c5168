// A process that shares a store: `node writer.mjs DIRECTORY NAME FIRST COUNT`. It writes, and prints a line for each acknowledged write.
import { open } from 'quadrille';

const [directory, name, first, count] = process.argv.slice(2);
const say = (...words) => process.stdout.write(`${words.join(' ')}\n`);

const db = await open(directory, { share: true });
const repo = await db.repository('acme/people', { create: true });
say('open', db.role);

const subject = (i) => `<urn:${name}:${i}>`;
async function isThere(i) {
  for (;;) {
    try {
      return await repo.ask(`ASK { ${subject(i)} ?p ?o }`);
    } catch (error) {
      if (error.code !== 'STORE_UNAVAILABLE') throw error;
    }
  }
}

/** A write that is done twice leaves two values. */
async function write(i) {
  for (;;) {
    try {
      return await repo.update(`INSERT { ${subject(i)} <urn:once> ?u } WHERE { BIND(UUID() AS ?u) }`, { author: name });
    } catch (error) {
      say('error', i, error.code);
      if (error.code === 'COMMIT_UNKNOWN') {
        if (await isThere(i)) return undefined;
      } else if (error.code !== 'STORE_UNAVAILABLE') throw error;
    }
  }
}

/** The role tells itself without a call. */
let role = db.role;
setInterval(() => {
  if (db.role !== role) say('role', (role = db.role));
}, 10).unref();

for (let i = Number(first); i < Number(count); i++) {
  const begun = performance.now();
  // One that was under way when a process of this name was killed may be there.
  if (i !== Number(first) || !(await isThere(i))) await write(i);
  say('written', i, (performance.now() - begun).toFixed(1));
}
say('done');
// Holds, or waits to take over, until it is told to end.
await new Promise((resolve) => process.stdin.once('data', resolve).once('end', resolve));
await db.close();
say('closed');
process.exit(0);
