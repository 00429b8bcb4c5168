// What npm start runs: a store with a small real data set, served to this machine, and five things to try.
//   QUADRILLE_PORT=9000 npm start      another port (default 8080, or the next free one)
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHandler, serveOnPort } from 'quadrille/server';
import { files } from 'quadrille/workbench';
import { open } from 'quadrille';

const here = dirname(fileURLToPath(import.meta.url));
const directory = process.env.QUADRILLE_DEMO_DIR ?? join(here, '..', '.quadrille-demo');
const REPOSITORY = 'demo/solar-system';
const YEARS = [1610, 1787, 1846, 1930, 2006, 2015];

try {
  await main();
} catch (error) {
  console.error(`quadrille: ${error.message}`);
  process.exitCode = 1;
}

async function main() {
  const db = await open(join(directory, 'served'));
  try {
    await loadOnce(db);
    const handler = createHandler({
      database: db,
      open: true,
      pages: files(),
      logger: { info() {}, warn: console.error, error: console.error },
    });
    const server = await serveOnPort(handler, chosenPort());
    console.log(introduction(server.url));
    await stopSignal();
    await server.close();
  } finally {
    await db.close();
  }
  console.log('stopped');
}

/** Six files, six revisions, each tagged by its year. What an earlier start has done is not done again. */
async function loadOnce(db) {
  const repo = await db.repository(REPOSITORY, {
    create: true,
    metadata: { summary: 'The solar system as it was known' },
  });
  await repo.namespaces.set('sol', 'http://example.org/solar-system/');
  for (const year of YEARS) {
    if ((await repo.tags.get(`year-${year}`)) !== undefined) continue;
    const file = join(here, 'data', `solar-system-${year}.ttl`);
    const revision = await repo.load(file, { replace: true, message: `as known in ${year}`, author: 'demo' });
    await repo.tags.set(`year-${year}`, revision);
    console.log(`revision ${revision.number}: the solar system in ${year}, ${revision.size} quads`);
  }
}

function chosenPort() {
  const text = process.env.QUADRILLE_PORT;
  if (text === undefined || text === '') return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`QUADRILLE_PORT is not a port: ${text}`);
}

function introduction(url) {
  const repository = `${url}/${REPOSITORY}`;
  const sparql = `curl -s ${repository}/sparql -H 'Accept: text/csv'`;
  const planets = `SELECT ?name { ?planet a sol:Planet ; rdfs:label ?name FILTER(lang(?name) = "en") }`;
  // The store is held by this server, so the command works on another one beside it.
  const yours = relative(process.cwd(), join(directory, 'yours')) || '.';
  const files = `${relative(process.cwd(), join(here, 'data')) || '.'}/solar-system-*.ttl`;
  return `
Quadrille serves the solar system, as it was known in six years. Open this in your browser:

   ${url}/#/${REPOSITORY}/query

Five things to try, in another terminal and in this folder:

1. Which planets are there?
   ${sparql} --data-urlencode 'query=${planets}'

2. Which planets were there in 1846? The same question to an old revision:
   ${sparql} --data-urlencode 'query=${planets}' --data-urlencode 'revision-id=year-1846'

3. Everything about Pluto, as Turtle:
   curl -s '${repository}/statements?subj=%3Chttp://example.org/solar-system/Pluto%3E' -H 'Accept: text/turtle'

4. A new revision, and its identifier in the answer's ETag; the old ones stay as they are:
   curl -si ${repository}/sparql --data-urlencode 'update=INSERT DATA { sol:Vulcan a sol:Planet ; rdfs:label "Vulcan"@en }'

5. The same from the command line, in a store of your own, and what changed last:
   npx quadrille load ${yours} ${files} --replace && npx quadrille diff ${yours} HEAD~1

Ctrl+C stops the server. The next npm start goes on with the same store, ${relative(process.cwd(), directory) || '.'}.
`;
}

function stopSignal() {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
    // Under npm start a SIGTERM ends npm and its shell but does not come through to here; their end does.
    const parent = process.ppid;
    if (process.env.npm_lifecycle_event === 'start') {
      setInterval(() => process.ppid !== parent && resolve(), 250).unref();
    }
  });
}
