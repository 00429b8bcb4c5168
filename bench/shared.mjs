/**
 * Measures stores in PostgreSQL: `node --import ./test/campaigns/typescript.mjs bench/shared.mjs [part…]`. Parts are commits,
 * callers, queries, load, cold, bsbm, takeover and idle; default: all. It starts a PostgreSQL of its own. What is compared runs in
 * turn, so that other work on the machine concerns both. Needs the built packages. The part bsbm takes the data of QUADRILLE_SHARED.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { EXPLORE } from './dist/sparql/explore-queries.js';
import { ParameterSource } from './dist/sparql/parameter-source.js';
import { prepareQuery } from './dist/sparql/query-class.js';
import { hostOf } from '../packages/quadrille/dist/host.js';
import { iri, open, quad } from '../packages/quadrille/dist/index.js';
import { freePort, PostgresServer, WITHOUT_POSTGRES } from '../test/postgres/server.ts';

const pg = createRequire(new URL('../test/package.json', import.meta.url))('pg');
const PROGRAM = join(import.meta.dirname, '../packages/cli/dist/bundle/main.js');
const PARTS = { commits, callers, queries, load, cold, bsbm, takeover, idle };
const SHARED = process.env['QUADRILLE_SHARED'] ?? '../shared';
const asked = process.argv.slice(2);
const ROUNDS = 5;
const SECONDS = 2;
const QUADS = 400_000;
const LOOKUPS = 2000;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const tell = (what, value) => console.log(`${what.padEnd(74)} ${value}`);
const ratio = (what, value, wanted) => tell(`${what} (asked: ${wanted})`, value.toFixed(2));
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const name = (text) => iri(`http://e/${text}`);

if (WITHOUT_POSTGRES !== '') throw new Error(WITHOUT_POSTGRES);
const folder = await mkdtemp(join(tmpdir(), 'quadrille-shared-'));
// Its own work would be counted with that of the servers.
const postgres = await PostgresServer.start({ settings: ['autovacuum = off'], onDisk: true });
const children = new Set();
let databases = 0;
const database = () => postgres.database(`bench${++databases}`);

/** Calls of `work` a second, by so many callers at once. */
async function rate(callers, work) {
  const until = performance.now() + SECONDS * 1000;
  const begun = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: callers }, async (_, i) => {
      while (performance.now() < until) {
        await work(i);
        done++;
      }
    }),
  );
  return (done / (performance.now() - begun)) * 1000;
}

/** The medians of rates or times that are measured in turn. */
async function inTurn(works) {
  const values = works.map(() => []);
  for (const work of works) await work();
  for (let round = 0; round < ROUNDS; round++) for (const [i, work] of works.entries()) values[i].push(await work());
  return values.map(median);
}

const timed = (work) => async () => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

/** Clients that insert rows as long as a commit of one quad, and nothing else. */
async function bareInserters(url, count) {
  const clients = await Promise.all(
    Array.from({ length: count }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client;
    }),
  );
  await clients[0].query('CREATE TABLE IF NOT EXISTS bare (id bigserial PRIMARY KEY, body bytea)');
  const body = Buffer.alloc(400, 7);
  return {
    rate: () => rate(count, (i) => clients[i].query('INSERT INTO bare (body) VALUES ($1)', [body])),
    end: () => Promise.all(clients.map((client) => client.end())),
  };
}

/** A server of a shared store, or the only one of a directory. */
async function serve(store, { alone = false } = {}) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = [PROGRAM, 'serve', store, '--port', String(port), '--open', '--json'];
  if (!alone) args.push('--advertise', url);
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  await once(child.stdout, 'data');
  return { url, child, agent: new Agent({ keepAlive: true, maxSockets: 64 }) };
}

async function stop({ child, agent }, signal = 'SIGTERM') {
  agent.destroy();
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

function send({ url, agent }, path, { method = 'GET', headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers, agent }, async (answer) => {
      const chunks = [];
      for await (const chunk of answer) chunks.push(chunk);
      resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString() });
    });
    sent.once('error', reject).end(body);
  });
}

let inserted = 0;
async function insert(server) {
  const { status, text } = await send(server, '/default/default/sparql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/sparql-update' },
    body: `INSERT DATA { <urn:s${++inserted}> <urn:p> "${inserted}" }`,
  });
  if (status !== 204) throw new Error(`${status}: ${text}`);
}

const metricOf = async (server, metric) =>
  Number(new RegExp(`^${metric} (.*)$`, 'm').exec((await send(server, '/metrics')).text)?.[1]);
const cpuOf = (server) => metricOf(server, 'process_cpu_seconds_total');

async function commits() {
  const store = await database();
  const servers = [await serve(store), await serve(store)];
  const bare = await bareInserters(store, 8);
  const before = await Promise.all(servers.map(cpuOf));
  const [own, other] = await inTurn([() => rate(8, (i) => insert(servers[i % 2])), bare.rate]);
  const after = await Promise.all(servers.map(cpuOf));
  tell('commits a second of 8 clients over two servers', own.toFixed(0));
  tell('rows a second of 8 bare inserters', other.toFixed(0));
  ratio('commits of 8 clients over two servers / 8 bare inserters', own / other, '0.5');
  tell(
    'processor seconds of the holder, of the follower',
    after.map((value, i) => (value - before[i]).toFixed(1)).join(', '),
  );
  const [many] = await inTurn([() => rate(64, (i) => insert(servers[i % 2]))]);
  tell('commits a second of 64 clients over two servers', many.toFixed(0));
  await bare.end();
  for (const server of servers) await stop(server);
}

async function callers() {
  const store = await database();
  const db = await open(store);
  const repository = await db.repository('a/b', { create: true });
  const bare = await bareInserters(store, 64);
  const add = () => repository.add([quad(name(`s${++inserted}`), name('p'), name('o'))]);
  const [own, other] = await inTurn([() => rate(64, add), bare.rate]);
  tell('commits a second of 64 callers in one process', own.toFixed(0));
  tell('rows a second of 64 bare inserters', other.toFixed(0));
  ratio('commits of 64 callers in one process / 64 bare inserters', own / other, '2');
  await bare.end();
  await db.close();
}

function* lines() {
  for (let i = 0; i < QUADS; i++)
    yield `<http://e/s${i % (QUADS / 4)}> <http://e/p${i % 4}> <http://e/o${i % 997}> .\n`;
}
const loadInto = (repository) => repository.load(Readable.from(lines()), { format: 'application/n-triples' });

async function load() {
  const level = await open(join(folder, 'loads'));
  const shared = await open(await database());
  let number = 0;
  const into = (db) => async () => {
    const repository = await db.repository(`a/r${++number}`, { create: true });
    const time = await timed(() => loadInto(repository))();
    await db.deleteRepository(repository.name);
    return time;
  };
  const [one, two] = await inTurn([into(level), into(shared)]);
  tell(`load of ${QUADS} quads: LevelDB, PostgreSQL (ms)`, `${one.toFixed(0)}, ${two.toFixed(0)}`);
  ratio('speed of a load / that of LevelDB', one / two, '0.5');
  await level.close();
  await shared.close();
}

async function lookUp(view) {
  for (let i = 0; i < LOOKUPS; i++)
    await view.select(`SELECT ?p ?o { <http://e/s${(i * 7919) % (QUADS / 4)}> ?p ?o }`).toArray();
}

async function queries() {
  const level = await open(join(folder, 'queries'));
  const store = await database();
  const shared = await open(store);
  const [one, two] = await Promise.all([level, shared].map((db) => db.repository('a/b', { create: true })));
  for (const repository of [one, two]) await loadInto(repository);
  const follower = await open(store, { follow: true });
  const followed = await follower.repository('a/b');
  const fixed = (repository) => repository.at(2);
  const strong = async () => {
    for (let i = 0; i < LOOKUPS; i++) {
      await hostOf(follower).refresh();
      await followed.select(`SELECT ?p ?o { <http://e/s${(i * 7919) % (QUADS / 4)}> ?p ?o }`).toArray();
    }
  };
  // Many strong reads wait for the same check.
  const strongAtOnce = async () => {
    let next = 0;
    const ask = async () => {
      while (next < LOOKUPS) {
        const i = next++;
        await hostOf(follower).refresh();
        await followed.select(`SELECT ?p ?o { <http://e/s${(i * 7919) % (QUADS / 4)}> ?p ?o }`).toArray();
      }
    };
    await Promise.all(Array.from({ length: 16 }, ask));
  };
  const works = [
    () => lookUp(fixed(one)),
    () => lookUp(fixed(two)),
    () => lookUp(fixed(followed)),
    strong,
    strongAtOnce,
  ];
  const [base, own, beside, checked, together] = await inTurn(works.map(timed));
  tell(`${LOOKUPS} warm point queries of LevelDB (ms)`, base.toFixed(0));
  ratio('warm point query at a fixed revision / LevelDB, the process that writes', base / own, '0.9');
  ratio('warm point query at a fixed revision / LevelDB, a follower', base / beside, '0.9');
  ratio('strong point query / LevelDB, one reader', base / checked, '0.4');
  ratio('strong point query / LevelDB, 16 readers', base / together, '0.4');
  for (const db of [level, follower, shared]) await db.close();
}

async function cold() {
  const store = await database();
  const shared = await open(store);
  await loadInto(await shared.repository('a/b', { create: true }));
  await (await shared.repository('a/b')).maintenance.compact();
  await shared.close();
  for (const [what, text] of [
    ['of one pattern', 'SELECT ?p ?o { <http://e/s1> ?p ?o }'],
    ['of two patterns', 'SELECT ?o ?q { <http://e/s1> <http://e/p1> ?o . ?q <http://e/p2> ?o } LIMIT 10'],
  ]) {
    const reader = await open(store, { follow: true });
    const atOpen = reader.metrics().shared.roundTrips;
    const repository = await reader.repository('a/b');
    const before = reader.metrics().shared.roundTrips;
    await hostOf(reader).refresh();
    const begun = performance.now();
    await repository.select(text).toArray();
    const time = performance.now() - begun;
    const after = reader.metrics().shared.roundTrips;
    tell(`cold query ${what}: round trips, ms (asked: 6)`, `${after - before}, ${time.toFixed(1)}`);
    tell('  opening the store, opening the repository: round trips', `${atOpen}, ${before - atOpen}`);
    await reader.close();
  }
}

/**
 * One server loads BSBM, and the other one answers queries at once. Two cores are busy with one server and PostgreSQL, so a second server
 * cannot make anything faster here. What can be counted is what a query costs it: processor time, and round trips to PostgreSQL.
 */
async function bsbm() {
  const file = join(SHARED, 'data/bsbm/bsbm-1m.nt.gz');
  const body = gunzipSync(await readFile(file));
  const level = await open(join(folder, 'bsbm'));
  const repository = await level.repository('default/default', { create: true });
  await repository.load(Readable.from([body]), { format: 'nt' });
  const { number } = await repository.revision();
  const source = await ParameterSource.read(repository);
  const texts = EXPLORE.flatMap((query) => prepareQuery(query, source).texts);
  await level.close();

  const store = await database();
  const [one, two, alone] = [await serve(store), await serve(store), await serve(level.location, { alone: true })];
  const path = '/default/default/statements';
  const headers = { 'Content-Type': 'application/n-triples' };
  const begun = performance.now();
  const { status, text } = await send(one, path, { method: 'POST', headers, body });
  if (status >= 300) throw new Error(`${status}: ${text}`);
  const loaded = performance.now();
  const ask = async (server, query, more = '', fields = {}) => {
    const url = `/default/default/sparql?query=${encodeURIComponent(query)}${more}`;
    const answer = await send(server, url, { headers: { Accept: 'text/csv', ...fields } });
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
    return answer.text.split('\r\n').toSorted().join('\n');
  };
  const count = await ask(two, 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }');
  tell('seconds of the load of BSBM 1 M through one server', ((loaded - begun) / 1000).toFixed(1));
  tell('  until the other one has counted it, more (ms)', (performance.now() - loaded).toFixed(0));
  if (count !== (await ask(alone, 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }'))) throw new Error(`other count: ${count}`);

  const kinds = {
    'the only server of LevelDB': [alone],
    'strong, the server that writes': [one],
    'strong, the other server': [two],
    'at most 5 s old': [two, '', { 'Cache-Control': 'max-age=5' }],
    'a fixed revision': [two, `&revision=${number}`],
  };
  const answers = new Map();
  // The first round of each fetches blocks and compiles.
  for (const round of ['first', 'second'])
    for (const [kind, [server, ...how]] of Object.entries(kinds)) {
      const figures = async () => [await cpuOf(server), await metricOf(server, 'quadrille_store_round_trips_total')];
      const [cpu, trips] = await figures();
      for (const query of texts) {
        const answer = await ask(server, query, ...how);
        if (answers.has(query) && answers.get(query) !== answer) throw new Error(`${kind} differs: ${query}`);
        answers.set(query, answer);
      }
      const after = await figures();
      const own = 1000 * (after[0] - cpu);
      tell(
        `${texts.length} queries, ${round} time, ${kind}: processor ms, round trips a query`,
        `${(own / texts.length).toFixed(2)}, ${Number.isNaN(trips) ? 'none' : ((after[1] - trips) / texts.length).toFixed(2)}`,
      );
    }
  for (const server of [one, two, alone]) await stop(server);
}

async function takeover() {
  for (const [what, signal, wanted] of [
    ['a refused connection', 'SIGKILL', '0.5'],
    ['silence', 'SIGSTOP', '4'],
  ]) {
    const times = [];
    for (let round = 0; round < 3; round++) {
      const store = await database();
      const [one, two] = [await serve(store), await serve(store)];
      await insert(two);
      const begun = performance.now();
      one.child.kill(signal);
      if (signal === 'SIGKILL') await once(one.child, 'exit');
      while (!(await send(two, '/metrics')).text.includes('\nquadrille_store_holder 1\n')) await sleep(5);
      times.push((performance.now() - begun) / 1000);
      await insert(two);
      one.child.kill('SIGKILL');
      await stop(two);
    }
    ratio(`seconds of a take-over after ${what}`, median(times), wanted);
  }
}

async function idle() {
  const store = await database();
  const db = await open(store);
  for (let i = 0; i < 1000; i++) {
    const repository = await db.repository(`idle/r${i}`, { create: true });
    await repository.add([quad(name('s'), name('p'), name(`o${i}`))]);
  }
  await db.close();
  const servers = [await serve(store), await serve(store)];
  const client = new pg.Client({ connectionString: store });
  await client.connect();
  const statements = async () => {
    await client.query('SELECT pg_stat_force_next_flush()').catch(() => undefined);
    const { rows } = await client.query(
      'SELECT (xact_commit + xact_rollback)::int AS n FROM pg_stat_database WHERE datname = current_database()',
    );
    return rows[0].n;
  };
  // PostgreSQL counts what a connection has done up to ten seconds after it has become idle.
  await sleep(15_000);
  const before = await statements();
  const begun = performance.now();
  await sleep(20_000);
  // Two are of the measurement.
  const count = (await statements()) - before - 2;
  ratio('statements a second a server, 1,000 idle repositories', count / 2 / ((performance.now() - begun) / 1000), '1');
  await client.end();
  for (const server of servers) await stop(server);
}

try {
  for (const [part, run] of Object.entries(PARTS)) if (asked.length === 0 || asked.includes(part)) await run();
} finally {
  for (const child of children) child.kill('SIGKILL');
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
