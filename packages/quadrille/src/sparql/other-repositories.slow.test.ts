/** Limits and ends of queries that read other repositories, and the snapshots that they hold. */
import { EvaluationError } from '@quadrille/model';
import { describe, expect, test } from 'vitest';
import { many, q } from '../testing/fixtures.js';
import { PREFIX, two, type Two, untilUnused, users } from '../testing/two-repositories.js';

describe('limits', () => {
  test('memory counts what comes from the other repository', async () => {
    const { people, places } = await two();
    await places.add(many(30_000));
    const sorted = `${PREFIX}SELECT * { SERVICE <repo:acme/places> { ?s ex:p ?o } } ORDER BY ?o`;
    await expect(people.select(sorted, { memoryBytes: 200_000 }).toArray()).rejects.toMatchObject({
      code: 'QUERY_MEMORY',
    });
    const silent = sorted.replace('SERVICE', 'SERVICE SILENT');
    await expect(people.select(silent, { memoryBytes: 200_000 }).toArray()).rejects.toMatchObject({
      code: 'QUERY_MEMORY',
    });
    const from = `${PREFIX}SELECT * FROM <repo:acme/places> { ?s ex:p ?o }`;
    await expect(people.select(from, { memoryBytes: 200_000 }).toArray()).rejects.toMatchObject({
      code: 'QUERY_MEMORY',
    });
  });

  test('deadline and signal hold in the other repository', async () => {
    const { db, people, places } = await two();
    await places.add(many(3000));
    const slow = `${PREFIX}SELECT * { SERVICE SILENT <repo:acme/places> { ?a ex:p ?x . ?b ex:p ?y . ?c ex:p ?z FILTER(STRLEN(CONCAT(STR(?x), STR(?y), STR(?z))) < 0) } }`;
    await expect(people.select(slow, { timeoutMs: 50 }).toArray()).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    const controller = new AbortController();
    const running = people.select(slow, { signal: controller.signal }).toArray();
    const ended = expect(running).rejects.toMatchObject({ code: 'ABORTED' });
    setTimeout(() => controller.abort(), 20);
    await ended;
    const cancelled = expect(people.select(slow).toArray()).rejects.toBeInstanceOf(EvaluationError);
    const wait = setInterval(() => db.queries().forEach((query) => query.cancel()), 10);
    await cancelled;
    clearInterval(wait);
    await untilUnused(db);
  });
});

describe('snapshots of other repositories are closed', () => {
  const EACH = `${PREFIX}SELECT * { ?s ex:p ?o SERVICE <repo:acme/places> { ?s ex:p ?x } }`;
  const FROM = `${PREFIX}SELECT * FROM <repo:acme/places> FROM NAMED <repo:acme/places@2> { ?s ex:p ?o GRAPH ?g { ?p ex:size ?size } }`;

  async function filled(): Promise<Two> {
    const opened = await two();
    await opened.people.add(many(6000));
    await opened.places.add(many(6000));
    await untilUnused(opened.db);
    return opened;
  }

  test.each([EACH, FROM])('when the answer ends, is left or fails: %s', async (query) => {
    const { db, people } = await filled();
    const rows = people.select(query);
    expect(await rows.first()).toBeDefined();
    await untilUnused(db);
    for await (const _ of people.select(query)) {
      expect(users(db)).toBeGreaterThan(1);
      break;
    }
    await untilUnused(db);
    await people.select(`${query} LIMIT 10`).toArray();
    await untilUnused(db);
    expect(await people.ask(query.replace('SELECT *', 'ASK'))).toBe(true);
    await untilUnused(db);
    await expect(people.select(query, { maxRows: 5 }).toArray()).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' });
    await untilUnused(db);
    await expect(people.select(`${query} VALUES ?z { `).toArray()).rejects.toMatchObject({ code: 'SPARQL_SYNTAX' });
    await people.explain(query, { analyze: true });
    await untilUnused(db);
    const answer = await people.query(query);
    expect(users(db)).toBeGreaterThan(1);
    if (answer.type === 'bindings') await answer.rows[Symbol.asyncIterator]().return?.();
    await untilUnused(db);
  });

  test('when one of several cannot be opened, or a function is unknown', async () => {
    const { db, people } = await filled();
    const missing = `${PREFIX}SELECT * { SERVICE <repo:acme/places> { ?s ex:p ?o } SERVICE <repo:acme/none> { ?s ex:p ?o } }`;
    await expect(people.select(missing).toArray()).rejects.toMatchObject({ code: 'REPOSITORY_NOT_FOUND' });
    const unknown = `${PREFIX}SELECT * { SERVICE <repo:acme/places> { ?s ex:p ?o FILTER(ex:none(?o)) } }`;
    await expect(people.select(unknown).toArray()).rejects.toMatchObject({ code: 'UNKNOWN_FUNCTION' });
    const update = `${PREFIX}INSERT { ?s ex:p 1 } WHERE { SERVICE <repo:acme/places> { ?s ex:p ?o } SERVICE <repo:acme/none> {} }`;
    await expect(people.update(update)).rejects.toMatchObject({ code: 'REPOSITORY_NOT_FOUND' });
    await untilUnused(db);
  });

  test('when the other repository is deleted while it is read', async () => {
    const { db, people } = await filled();
    for (const query of [
      `${PREFIX}SELECT * { SERVICE <repo:acme/places> { ?s ex:p ?x } }`,
      `${PREFIX}SELECT * { SERVICE SILENT <repo:acme/places> { ?s ex:p ?x } }`,
    ]) {
      const places = await db.repository('acme/places', { create: true });
      await places.add(many(6000));
      const rows = people.select(query)[Symbol.asyncIterator]();
      expect((await rows.next()).done).toBe(false);
      expect(await db.deleteRepository('acme/places')).toBe(true);
      const rest = async (): Promise<void> => {
        for (let next = await rows.next(); next.done !== true; next = await rows.next());
      };
      await expect(rest()).rejects.toMatchObject({ code: 'REPOSITORY_DELETED' });
      await expect(people.select(EACH).toArray()).rejects.toMatchObject({ code: 'REPOSITORY_NOT_FOUND' });
    }
    await untilUnused(db);
  });

  test('at most 100 are open in one query', async () => {
    const { db, people } = await filled();
    for (let i = 0; i < 101; i++) await (await db.repository(`many/r${String(i)}`, { create: true })).add([q('a p b')]);
    const asked = (count: number): string =>
      `${PREFIX}SELECT * { ${Array.from({ length: count }, (_, i) => `SERVICE <repo:many/r${String(i)}> { ?s ex:p ?o }`).join(' ')} }`;
    expect(await people.select(asked(100)).toArray()).toHaveLength(1);
    await expect(people.select(asked(101)).toArray()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    await untilUnused(db);
  });
});
