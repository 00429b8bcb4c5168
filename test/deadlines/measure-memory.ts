/** Runs requests that keep much until their memory is refused, and prints what was counted and what the process has grown by. */
import { open, type Repository } from 'quadrille';

/** `node --expose-gc` */
declare const gc: () => void;

const SUBJECTS = 20_000;
const BUDGET_BYTES = 24 * 1024 ** 2;
/** Nothing is measured before so much is counted, nor before it has grown by so much again. */
const LEAST_BYTES = 6 * 1024 ** 2;
const GROWTH = 1.2;

function* lines(): Generator<string> {
  for (let i = 0; i < SUBJECTS; i++) {
    yield `<urn:s${i}> <urn:name> "name ${i}" .`;
    yield `<urn:s${i}> <urn:knows> <urn:s${(i * 7 + 1) % SUBJECTS}> .`;
    yield `<urn:s${i}> <urn:knows> <urn:s${(i * 13 + 5) % SUBJECTS}> .`;
  }
}

const pairs = '?x <urn:name> ?n . ?x <urn:knows>/<urn:knows>/<urn:knows> ?y .';

const far = '?x <urn:knows> ?y . ?y <urn:knows>/<urn:knows>/<urn:knows> ?z . ?z <urn:knows>/<urn:knows>/<urn:knows> ?v';

/** By what keeps the rows. */
const requests: Readonly<Record<string, string>> = {
  'hash join': `SELECT * { { SELECT ?x ?y ?z ?v { ${far} } LIMIT 100000000 } { SELECT ?x ?y ?w { ${far} BIND(?v AS ?w) } LIMIT 100000000 } }`,
  optional: `SELECT * { ?x <urn:name> ?n OPTIONAL { { SELECT ?x ?y ?z ?v { ${far} } LIMIT 100000000 } } }`,
  minus: `SELECT * { ?x <urn:name> ?n MINUS { SELECT ?x ?y ?z ?v { ${far} } LIMIT 100000000 } }`,
  distinct: `SELECT DISTINCT ?x ?n ?y ?z { ${pairs} ?y <urn:knows>/<urn:knows>/<urn:knows> ?z }`,
  'distinct texts': `SELECT DISTINCT ?t { ${pairs} BIND(CONCAT(?n, STR(?y), "a text that is somewhat longer") AS ?t) }`,
  group: `SELECT ?x ?y (COUNT(*) AS ?c) { ${pairs} ?y <urn:knows>/<urn:knows> ?z } GROUP BY ?x ?y ?z`,
  'group of texts': `SELECT ?t (MAX(?u) AS ?m) { ${pairs} BIND(CONCAT(?n, STR(?y)) AS ?t) BIND(CONCAT("u", ?t) AS ?u) } GROUP BY ?t`,
  'group of sums': `SELECT ?x ?y (SUM(STRLEN(?n)) AS ?c) (AVG(STRLEN(?n)) AS ?d) { ${pairs} } GROUP BY ?x ?y`,
  'group of distinct values': `SELECT ?x (COUNT(DISTINCT ?t) AS ?m) { ${pairs} BIND(CONCAT(?n, STR(?y)) AS ?t) } GROUP BY ?x`,
  'group concat': `SELECT ?x (GROUP_CONCAT(?t) AS ?m) { ${pairs} BIND(CONCAT(?n, STR(?y)) AS ?t) } GROUP BY ?x`,
  order: `SELECT * { ${pairs} ?y <urn:knows>/<urn:knows>/<urn:knows> ?z } ORDER BY ?z ?x`,
  'order by texts': `SELECT ?t { ${pairs} } ORDER BY (CONCAT(?n, STR(?y)))`,
  construct: `CONSTRUCT { ?x <urn:far> ?t } WHERE { ${pairs} BIND(CONCAT(?n, STR(?y)) AS ?t) }`,
  update: `INSERT { ?x <urn:far> ?t } WHERE { ${pairs} BIND(CONCAT(?n, STR(?y)) AS ?t) }`,
};

/** What is collected late goes with the second collection. */
async function settle(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function bytesInUse(): number {
  gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function run(repo: Repository, text: string, memoryBytes: number): Promise<string> {
  const options = { memoryBytes, timeoutMs: 20_000 };
  try {
    if (text.startsWith('INSERT')) await repo.update(text, options);
    else if (text.startsWith('CONSTRUCT')) for await (const _ of repo.construct(text, options));
    else for await (const _ of repo.select(text, options));
    return 'done';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const database = await open(':memory:');
const repository = await database.repository('a/r', { create: true });
await repository.settings.set({ search: { text: true } });
await repository.load({ text: [...lines()].join('\n') }, { format: 'nquads' });
for (const [name, text] of Object.entries(requests)) {
  if (process.argv[2] !== undefined && name !== process.argv[2]) continue;
  // Plans and caches of values are made before.
  await run(repository, text, LEAST_BYTES);
  await settle();
  const before = bytesInUse();
  let most = { counted: 0, grown: 0 };
  let next = LEAST_BYTES;
  let isOver = false;
  const look = (): void => {
    const [running] = database.queries();
    const counted = running?.memoryBytes ?? 0;
    if (counted > next) {
      next = counted * GROWTH;
      most = { counted, grown: bytesInUse() - before };
    }
    if (!isOver) setImmediate(look);
  };
  look();
  const end = await run(repository, text, BUDGET_BYTES);
  isOver = true;
  console.log(JSON.stringify({ name, end, ...most }));
}
await database.close();
