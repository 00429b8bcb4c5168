/** Faults of hosts (QUADRILLE_FAULTS, 100): each question gets the right answer, or an error that says what the host does. */
import { FAULTS, type Fault } from '@quadrille/storage-published/testing';
import { open, QuadrilleError, type Database, type Repository } from 'quadrille';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publication, type Publication } from './publication.js';

const FAULTS_IN_ALL = Number(process.env['QUADRILLE_FAULTS'] ?? 100);
const QUADS = 20_000;
const CODES = ['HOST_UNSUITABLE', 'FETCH_FAILED', 'STORE_UNAVAILABLE', 'STORE_NOT_FOUND', 'NOT_A_STORE', 'CHECKSUM'];
const QUESTIONS = [
  'SELECT * { <urn:s77> ?p ?o }',
  'SELECT (COUNT(*) AS ?n) { ?s <urn:p1> ?o }',
  'SELECT ?s ?o { ?s <urn:p2> ?o } ORDER BY ?o LIMIT 5',
  'SELECT ?a ?b { <urn:s3> <urn:next> ?a . ?a <urn:next> ?b . ?b <urn:p3> ?v }',
  'ASK { ?s ?p "text 19990" }',
  'SELECT * { ?s <urn:p4> ?o FILTER(STRSTARTS(?o, "text 12")) } LIMIT 9',
];

let state = 20_261_201;
const random = (below: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

let source: Database;
let place: Publication;
const right = new Map<string, string>();

beforeAll(async () => {
  source = await open(':memory:');
  const repo = await source.repository('a/r', { create: true });
  const lines = Array.from({ length: QUADS }, (_, i) =>
    i % 5 === 0
      ? `<urn:s${i}> <urn:next> <urn:s${(i * 7) % QUADS}> .`
      : `<urn:s${i - (i % 5) + 3}> <urn:p${i % 5}> "text ${i}" .`,
  );
  await repo.load({ text: lines.join('\n') }, { format: 'nquads' });
  place = await publication(source);
  for (const question of QUESTIONS) right.set(question, await answer(repo, question));
});
afterAll(async () => {
  await place.close();
  await source.close();
});

const answer = async (repo: Repository, question: string): Promise<string> =>
  question.startsWith('ASK')
    ? String(await repo.ask(question))
    : JSON.stringify(await repo.select(question, { values: 'js' }).toArray());

/** Asks one question of a store that is opened for it. One request of several, or each from there on, has a fault. */
async function ask(question: string, fault: Fault, at: number, lasts: boolean): Promise<string> {
  let requests = 0;
  place.host.fault = () => {
    const index = requests++;
    return index === at || (lasts && index > at) ? fault : undefined;
  };
  try {
    const database = await open(place.host.url);
    try {
      return await answer(await database.repository('a/r'), question);
    } finally {
      await database.close();
    }
  } catch (error) {
    if (error instanceof QuadrilleError && CODES.includes(error.code)) return error.code;
    throw error;
  } finally {
    place.host.fault = () => undefined;
  }
}

test('are answered rightly, or told', async () => {
  const told = new Map<string, number>();
  for (let i = 0; i < FAULTS_IN_ALL; i++) {
    const question = QUESTIONS[random(QUESTIONS.length)]!;
    const fault = FAULTS[random(FAULTS.length)]!;
    // Waits of tries that cannot help would take minutes.
    const lasts = random(40) === 0;
    const found = await ask(question, fault, random(8), lasts);
    if (!CODES.includes(found)) expect([question, fault, found]).toEqual([question, fault, right.get(question)]);
    else told.set(`${String(fault)} ${found}`, (told.get(`${String(fault)} ${found}`) ?? 0) + 1);
  }
  // All kinds were there, and most were survived.
  expect(told.size).toBeGreaterThan(8);
});
