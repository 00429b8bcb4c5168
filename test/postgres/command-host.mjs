// Runs commands for tests in one process: to start the built command takes longer than most commands do.
import { Writable } from 'node:stream';

const packages = new URL('../../packages/', import.meta.url);
const { createProgram, run } = await import(new URL('cli/dist/bundle/index.js', packages).href);

class Text extends Writable {
  text = '';
  _write(chunk, _, done) {
    this.text += chunk.toString();
    done();
  }
}

const names = () => createProgram({}).commands.map((command) => command.name());

/** What a restore leaves whose process dies after its first batches. */
async function unfinished(url) {
  const { beginUnfinished } = await import(new URL('core/dist/backup.js', packages).href);
  const { StorageEngine } = await import(new URL('storage/dist/index.js', packages).href);
  const { openPostgres } = await import(new URL('postgres/dist/index.js', packages).href);
  const engine = await StorageEngine.open(openPostgres(url));
  await beginUnfinished(engine, 'x');
  const key = Uint8Array.of(3, 97, 47, 98);
  await engine.write([{ type: 'put', key, value: new Uint8Array(4) }], { durable: true });
  await engine.close();
  return { code: 0, stdout: '', stderr: '' };
}

async function answer({ args, env }) {
  if (args[0] === 'commands') return { code: 0, stdout: names().join('\n'), stderr: '' };
  if (args[0] === 'unfinished') return unfinished(args[1]);
  const [stdout, stderr] = [new Text(), new Text()];
  const before = Object.keys(env).map((name) => [name, process.env[name]]);
  Object.assign(process.env, env);
  try {
    return { code: await run(args, { stdout, stderr }), stdout: stdout.text, stderr: stderr.text };
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

process.on('message', async (message) => {
  process.send({ id: message.id, outcome: await answer(message) });
});
