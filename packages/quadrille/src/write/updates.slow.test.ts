/** Updates beside each other: what they may not wait for, and that the result is that of some sequence. */
import { describe, expect, test } from 'vitest';
import type { Database, Repository, RunningQuery } from '../index.js';
import { hostOf, type HostUpdateOptions } from '../host/index.js';
import { all, line, memory, q } from '../testing/fixtures.js';

const P = 'PREFIX : <http://example.org/> ';
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function fresh(quads: readonly string[] = []): Promise<{ db: Database; repo: Repository }> {
  const db = await memory();
  const repo = await db.repository('r', { create: true });
  await repo.add(quads.map(q));
  return { db, repo };
}
const contents = async (repo: Repository, ref: string | number = 'HEAD'): Promise<string[]> =>
  (await all(repo.at(ref).quads())).map(line).toSorted();

async function until<T>(found: () => T | undefined): Promise<T> {
  for (;;) {
    const value = found();
    if (value !== undefined) return value;
    await delay(2);
  }
}
const running = (db: Database, text: string): RunningQuery | undefined =>
  db.queries().find((query) => query.text.includes(text) && query.state === 'running');

/** Rows of which the product keeps a query busy for minutes. */
const MANY = Array.from({ length: 300 }, (_, i) => `m${String(i)} busy "${String(i)}"`);
const FOREVER = '?x :busy ?a . ?y :busy ?b . ?z :busy ?c FILTER(STRLEN(CONCAT(?a, ?b, ?c)) < 0)';

describe('updates do not wait for the patterns of others', () => {
  test('INSERT DATA, DELETE DATA, commits, and updates with patterns of their own', async () => {
    const { db, repo } = await fresh([...MANY, 'a p "1"']);
    const long = repo.update(`${P} INSERT { :never :p 1 } WHERE { ${FOREVER} } # long`);
    const entry = await until(() => running(db, '# long'));
    await repo.update(`${P} INSERT DATA { :b :p 1 }`);
    await repo.update(`${P} DELETE DATA { :b :p 1 }`);
    await repo.add([q('c p o')]);
    await repo.update(`${P} DELETE { ?s :p ?o } INSERT { ?s :q ?o } WHERE { ?s :p ?o }`);
    expect((await contents(repo)).filter((quad) => !quad.includes('busy'))).toEqual(['a q "1"', 'c q o']);
    expect(running(db, '# long')).toBe(entry);
    entry.cancel();
    await expect(long).rejects.toMatchObject({ code: 'ABORTED' });
  });

  test('two patterns are evaluated at the same time', async () => {
    const { db, repo } = await fresh(MANY);
    const updates = [1, 2].map((i) =>
      repo.update(`${P} DELETE { ?x ?p ${String(i)} } WHERE { ${FOREVER} } # ${String(i)}`),
    );
    const entries = await until(() => {
      const both = ['# 1', '# 2'].flatMap((text) => running(db, text) ?? []);
      return both.length === 2 ? both : undefined;
    });
    for (const entry of entries) entry.cancel();
    await Promise.all(updates.map((update) => expect(update).rejects.toMatchObject({ code: 'ABORTED' })));
  });
});

describe('what others change meanwhile', () => {
  /** Runs an update, and others after it has read. */
  async function raced(before: readonly string[], update: string, meanwhile: (repo: Repository) => Promise<unknown>) {
    const { db, repo } = await fresh([...MANY, ...before]);
    // The last operation keeps it from its commit.
    const pause = `; INSERT { :x :never 1 } WHERE { ?x :busy ?a . ?y :busy ?b FILTER(STRLEN(CONCAT(?a, ?b)) < 0) } # raced`;
    const done = repo.update(P + update + pause);
    await until(() => running(db, '# raced'));
    await meanwhile(repo);
    const revision = await done;
    return { revision, quads: (await contents(repo)).filter((quad) => !quad.includes('busy')) };
  }

  test('nothing that it has read: its changes are made on the newest head', async () => {
    const { quads, revision } = await raced(
      ['a p "1"', 'b q "1"'],
      'DELETE { ?s :p ?o ; :gone ?o } INSERT { ?s :r ?o } WHERE { ?s :p ?o }',
      async (repo) => {
        await repo.update(`${P} INSERT DATA { :a :gone "1" . :c :q "2" }`);
        await repo.update(`${P} DELETE DATA { :b :q "1" }`);
      },
    );
    // The other one came before: what it added is deleted.
    expect(quads).toEqual(['a r "1"', 'c q "2"']);
    expect(revision).toMatchObject({ number: 5, added: 1, removed: 2 });
  });

  test('what it adds again was removed: it is added', async () => {
    const { quads } = await raced(['a p "1"', 'a r "1"'], 'INSERT { ?s :r ?o } WHERE { ?s :p ?o }', (repo) =>
      repo.update(`${P} DELETE DATA { :a :r "1" }`),
    );
    expect(quads).toEqual(['a p "1"', 'a r "1"']);
  });

  test('what it has read: it is evaluated again', async () => {
    const { quads } = await raced(['a p "1"'], 'INSERT { ?s :r ?o } WHERE { ?s :p ?o }', (repo) =>
      repo.update(`${P} DELETE { ?s :p ?o } INSERT { ?s :p "2" } WHERE { ?s :p ?o }`),
    );
    expect(quads).toEqual(['a p "2"', 'a r "2"']);
  });

  test.each([
    [
      'a predicate that nobody knew',
      'INSERT { ?s :found ?o } WHERE { ?s :unheard ?o }',
      'INSERT DATA { :n :unheard :o }',
      'n found o',
    ],
    [
      'a term that nobody knew',
      'INSERT { :n :found ?o } WHERE { :unheard :p ?o }',
      'INSERT DATA { :unheard :p :o }',
      'n found o',
    ],
    [
      'a graph that nobody knew',
      'INSERT { ?g :found :o } WHERE { GRAPH ?g { } }',
      'INSERT DATA { GRAPH :unheard { :s :o :o } }',
      'unheard found o',
    ],
    [
      'what an EXISTS looks at',
      'INSERT { :n :found :o } WHERE { FILTER EXISTS { ?s :p :there } }',
      'INSERT DATA { :s :p :there }',
      'n found o',
    ],
    [
      'what a path goes through',
      'INSERT { ?a :found ?b } WHERE { ?a :q/:r* ?b }',
      'INSERT DATA { :s :q :o }',
      's found o',
    ],
  ])('%s', async (_name, update, other, expected) => {
    const { quads } = await raced(['a p "1"'], update, (repo) => repo.update(P + other));
    expect(quads).toContain(expected);
  });

  test('a graph that is cleared while somebody adds to it', async () => {
    const { quads } = await raced(['a p "1" g'], 'CLEAR GRAPH :g ; CLEAR GRAPH :h', async (repo) => {
      await repo.update(`${P} INSERT DATA { GRAPH :g { :b :p 1 } GRAPH :h { :b :p 1 } }`);
    });
    expect(quads).toEqual([]);
  });

  test('a quad that nobody knew is deleted by whoever comes last', async () => {
    const update = 'DELETE DATA { :unheard :of :this } ; INSERT { ?s :r ?o } WHERE { ?s :p ?o }';
    const { quads } = await raced(['a p "1"'], update, (repo) =>
      repo.update(`${P} INSERT DATA { :unheard :of :this }`),
    );
    expect(quads).toEqual(['a p "1"', 'a r "1"']);
  });

  test('ifRevision holds as it always did', async () => {
    const { repo } = await fresh(['a p "1"']);
    const text = `${P} INSERT { ?s :r ?o } WHERE { ?s :p ?o }`;
    const head = (await repo.revision()).number;
    const outcomes = await Promise.allSettled([
      repo.update(text, { ifRevision: head, message: 'one' }),
      repo.update(text.replace(':r', ':t'), { ifRevision: head, message: 'two' }),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await repo.revision()).number).toBe(head + 1);
  });
});

describe('no update is lost', () => {
  test('counters', async () => {
    const { repo } = await fresh(['a count "0"', 'b count "0"']);
    const add = (name: string): string =>
      `${P}DELETE { :${name} :count ?n } INSERT { :${name} :count ?m } WHERE { :${name} :count ?n BIND(STR(xsd:integer(?n) + 1) AS ?m) }`;
    await repo.namespaces.set('xsd', 'http://www.w3.org/2001/XMLSchema#');
    await Promise.all(Array.from({ length: 60 }, (_, i) => repo.update(add(i % 3 === 0 ? 'b' : 'a'))));
    expect(await contents(repo)).toEqual(['a count "40"', 'b count "20"']);
    expect((await repo.revision()).number).toBe(62);
  });

  test('two that each look for what the other adds: one of them finds it', async () => {
    for (let round = 0; round < 20; round++) {
      const { repo } = await fresh();
      await Promise.all([
        repo.update(`${P}INSERT { :a :on :duty } WHERE { FILTER NOT EXISTS { :b :on :duty } }`),
        repo.update(`${P}INSERT { :b :on :duty } WHERE { FILTER NOT EXISTS { :a :on :duty } }`),
      ]);
      expect(await contents(repo)).toHaveLength(1);
    }
  });

  test('one that loses to short ones again and again gets its turn', async () => {
    const { db, repo } = await fresh([...MANY, 'a p "0"']);
    const long = repo.update(
      `${P}INSERT { :result :saw ?n } WHERE { :a :p ?n . ?x :busy ?a . ?y :busy ?b FILTER(STRLEN(CONCAT(?a, ?b)) < 3) } # long`,
    );
    let [ended, rounds] = [false, 0];
    void long.finally(() => (ended = true)).catch(() => undefined);
    while (!ended) {
      await repo.update(`${P}DELETE { :a :p ?n } INSERT { :a :p "${String(++rounds)}" } WHERE { :a :p ?n }`);
      await turn();
    }
    await long;
    expect(rounds).toBeGreaterThan(2);
    expect(db.queries()).toEqual([]);
    expect((await contents(repo)).filter((quad) => quad.startsWith('result saw'))).toHaveLength(1);
  });
});

/** Updates at once are those of some sequence: that of their revisions. */
describe('the sequence of revisions explains every state', () => {
  const PREDICATES = ['p', 'q', 'r', 't'];
  type Random = (below: number) => number;
  const randomOf = (seed: number): Random => {
    let state = seed * 7919 + 1;
    return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
  };

  function randomUpdate(random: Random): string {
    const predicate = (): string => `:${PREDICATES[random(random(8) === 0 ? PREDICATES.length : 2)]!}`;
    const subject = (): string => `:s${String(random(4))}`;
    const value = (): string => String(random(5));
    const graph = (): string => `:g${String(random(2))}`;
    const [a, b, c] = [predicate(), predicate(), predicate()];
    const forms = [
      () => `INSERT DATA { ${subject()} ${a} ${value()} . ${subject()} ${b} ${value()} }`,
      () => `DELETE DATA { ${subject()} ${a} ${value()} }`,
      () => `DELETE { ?s ${a} ?v } INSERT { ?s ${a} ?w } WHERE { ?s ${a} ?v BIND((?v + 1) AS ?w) FILTER(?v < 9) }`,
      () => `INSERT { ?s ${a} ?v } WHERE { ?s ${b} ?v FILTER NOT EXISTS { ?s ${c} ?v } }`,
      () => `DELETE WHERE { ?s ${a} ?v . ?s ${b} ?v }`,
      () =>
        `INSERT DATA { ${subject()} ${a} ${value()} } ; DELETE { ?s ${a} ?v } INSERT { ?s ${b} ?v } WHERE { ?s ${a} ?v ; ${c} ?w }`,
      () =>
        `DELETE { :sum ${a} ?old } INSERT { :sum ${a} ?n } WHERE { { SELECT (COUNT(*) AS ?n) { ?s ${b} ?v FILTER(?s != :sum) } } OPTIONAL { :sum ${a} ?old } }`,
      () => `INSERT { GRAPH ${graph()} { ?s ${a} ?v } } WHERE { ?s ${b} ?v FILTER(?v < 3) }`,
      () => `INSERT { ?s ${a} ?v } WHERE { GRAPH ?g { ?s ${b} ?v } }`,
      () => `CLEAR GRAPH ${graph()}`,
      () => `COPY SILENT ${graph()} TO ${graph()}`,
      () => `INSERT { ?s :new${value()} ?v } WHERE { ?s ${a} ?v . FILTER NOT EXISTS { ?x :new${value()} ?v } }`,
      () => `DELETE { ?s ?p ?v } WHERE { ?s ?p ?v FILTER(?v > 7) }`,
    ];
    return P + forms[random(forms.length)]!();
  }

  test.each([1, 2, 3, 4, 5, 6])('seed %i', async (seed) => {
    const random = randomOf(seed);
    const { repo } = await fresh(['s0 p "0"']);
    const texts = Array.from({ length: 120 }, () => randomUpdate(random));
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < texts.length) {
        const at = next++;
        await repo.update(texts[at]!, { message: String(at) });
        for (let turns = random(3); turns > 0; turns--) await turn();
      }
    };
    await Promise.all(Array.from({ length: 6 }, worker));
    const model = await fresh(['s0 p "0"']);
    const revisions = (await repo.log().toArray()).toReversed();
    expect(revisions.length).toBeGreaterThan(20);
    for (const { number, message } of revisions) {
      if (message === undefined) continue;
      await model.repo.update(texts[Number(message)]!);
      expect(await contents(repo, number), `revision ${String(number)}: ${texts[Number(message)]!}`).toEqual(
        await contents(model.repo),
      );
    }
    expect(await contents(repo)).toEqual(await contents(model.repo));
    expect((await repo.maintenance.verify()).problems).toEqual([]);
  });
});

describe('ends', () => {
  test.each<[string, (db: Database, client: AbortController) => void]>([
    [
      'cancel()',
      (db) =>
        db
          .queries()
          .find(({ text }) => text.includes('# waits'))!
          .cancel(),
    ],
    ['the signal', (_db, client) => client.abort()],
  ])('%s is heard while an update waits for the turn of another', async (_name, end) => {
    const { db, repo } = await fresh([...MANY, 'a p "0"']);
    // Its first pattern has no solution before the third time, when it has the turn. The second one takes a while.
    const first = `DELETE { :a :p ?a } WHERE { :a :p "1", "2" . ${FOREVER} }`;
    const second = `INSERT { :x :never 1 } WHERE { ?x :busy ?a . ?y :busy ?b FILTER(STRLEN(CONCAT(?a, ?b)) < 0) }`;
    const long = repo.update(`${P}${first} ; ${second} # long`);
    void long.catch(() => undefined);
    for (const value of ['1', '2']) {
      const { id } = await until(() => running(db, '# long'));
      await repo.update(`${P}INSERT DATA { :a :p "${value}" }`);
      await until(() => db.queries().find((query) => query.text.includes('# long') && query.id !== id));
    }
    const client = new AbortController();
    const task = await hostOf(db).begin({ kind: 'update', text: '# waits', signal: client.signal });
    task.control.startClock();
    const call: HostUpdateOptions = { task };
    const waits = repo.update(`${P}INSERT { :b :q ?n } WHERE { :a :p ?n }`, call);
    await until(() => (task.state === 'writing' ? true : undefined));
    end(db, client);
    await expect(waits).rejects.toMatchObject({ code: 'ABORTED' });
    task.end();
    for (const entry of db.queries()) entry.cancel();
    await expect(long).rejects.toMatchObject({ code: 'ABORTED' });
    expect((await contents(repo)).filter((quad) => quad.includes(' q '))).toEqual([]);
  });
});
