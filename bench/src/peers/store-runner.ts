/**
 * Runs queries over a store that is a package for Node.js, or a server like Virtuoso's: `store-runner.js NAME DIRECTORY
 * [FILE]`. Talks as peer-process.ts describes, but replies with the digest of an answer instead of writing it.
 */
import { createInterface } from 'node:readline';
import { AnswerDigest } from '../sparql/answer.js';
import { storeNamed } from '../stores/all-stores.js';
import { versionsOf } from '../stores/missing.js';
import type { PeerReply, PeerRequest } from './peer-process.js';

const [name, directory, file] = process.argv.slice(2) as [string, string, string?];
const kind = storeNamed(name);
const store = await kind.open(directory);
if (file !== undefined) await store.load(file);

const say = (reply: PeerReply): void => void process.stdout.write(`${JSON.stringify(reply)}\n`);

async function answer({ query, answer: wanted }: PeerRequest): Promise<PeerReply> {
  const digest = wanted === undefined ? undefined : new AnswerDigest();
  const begin = performance.now();
  const rows = await store.run!(query, digest);
  const ns = Math.round((performance.now() - begin) * 1e6);
  return { rows, ns, ...(digest === undefined ? {} : { digest: digest.value }) };
}

const versions = Object.entries(versionsOf(kind)).map(([each, version]) => `${each} ${version}`);
say({ quads: await store.size(), version: versions.join(', ') });
for await (const line of createInterface({ input: process.stdin })) {
  try {
    say(await answer(JSON.parse(line) as PeerRequest));
  } catch (error) {
    // What a module of WebAssembly holds after that, nobody knows.
    if (error instanceof WebAssembly.RuntimeError) throw error;
    say({ error: error instanceof Error ? error.message : String(error) });
  }
}
await store.close();
