/**
 * Watchers beside random commits, imports, removals, drops and reopenings: each gets every revision once, in order and without a gap, and
 * what it has added up is the state of the revision. QUADRILLE_SEED repeats a run.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { termToNTriples } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { type Change, type Database, iri, open, quad, type Repository } from 'quadrille';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { randomOf, SEED } from './environment.js';
import { below } from './operations.mjs';
import type { Random } from './operations.mjs';

const NAME = 'acme/people';
const STEPS = 250;

const textOf = ({ subject, predicate, object, graph }: RDF.Quad): string =>
  [subject, predicate, object, graph].map(termToNTriples).join(' ');

function someQuads(random: Random): RDF.Quad[] {
  const graphs = [undefined, iri('urn:g')];
  return Array.from({ length: 1 + below(random, 4) }, () =>
    quad(
      iri(`urn:s${below(random, 4)}`),
      iri(`urn:p${below(random, 2)}`),
      iri(`urn:o${below(random, 3)}`),
      graphs[below(random, 2)],
    ),
  );
}

async function stateAt(repo: Repository, number: number): Promise<string[]> {
  return (await repo.at(number).quads().toArray()).map(textOf).toSorted();
}

/** Follows a repository, leaves it and resumes by the id of what it saw last. */
class Follower {
  readonly state = new Set<string>();
  number = 1;
  #id: string | number = 1;
  #changes: AsyncIterator<Change, undefined> | undefined;

  /** Reads some of the revisions that there are. */
  async read(repo: Repository, random: Random): Promise<void> {
    this.#changes ??= repo.watch({ since: this.#id });
    const head = (await repo.revision()).number;
    for (let left = below(random, 12); left > 0 && this.number < head; left--) {
      const { value } = await this.#changes.next();
      await this.#apply(value!);
      expect(value!.revision).toEqual(await repo.at(this.number).revision());
    }
    expect([...this.state].toSorted()).toEqual(await stateAt(repo, this.number));
    if (random() < 0.3) await this.leave();
  }

  async #apply({ revision, quads }: Change): Promise<void> {
    expect(revision.number).toBe(this.number + 1);
    this.number = revision.number;
    this.#id = revision.id;
    const delta = { add: [] as string[], remove: [] as string[] };
    for await (const { op, quad: changed } of quads()) delta[op].push(textOf(changed));
    expect([delta.add.length, delta.remove.length]).toEqual([revision.added, revision.removed]);
    for (const text of delta.remove) expect(this.state.delete(text)).toBe(true);
    for (const text of delta.add) {
      expect(this.state).not.toContain(text);
      this.state.add(text);
    }
    expect(this.state.size).toBe(revision.size);
  }

  async leave(): Promise<void> {
    await this.#changes?.return?.();
    this.#changes = undefined;
  }

  /** What waits for the next revision, as the repository goes. */
  waits(repo: Repository): Promise<unknown> {
    this.#changes ??= repo.watch({ since: this.#id });
    const next = this.#changes.next();
    this.#changes = undefined;
    return next.then(
      ({ done }) => (done === true ? 'end' : 'more'),
      (error: { code?: string }) => error.code,
    );
  }
}

let folder: string;
let database: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quadrille-feed-'));
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

test.each([0, 1, 2])(`sequence %i (QUADRILLE_SEED=${SEED})`, async (sequence) => {
  const random = randomOf(sequence);
  const reopened = async (): Promise<Repository> => {
    database = await open(folder, { create: true, durability: 'process' });
    return database.repository(NAME, { create: true });
  };
  let repo = await reopened();
  let followers = [new Follower(), new Follower(), new Follower()];
  /** A follower that has seen all, which waits. */
  const waiting = async (): Promise<{ readonly end: Promise<unknown> }> => {
    const follower = followers[0]!;
    while (follower.number < (await repo.revision()).number) await follower.read(repo, random);
    return { end: follower.waits(repo) };
  };
  for (let step = 0; step < STEPS; step++) {
    const kind = random();
    if (kind < 0.35) await repo.add(someQuads(random));
    else if (kind < 0.5) await repo.remove(someQuads(random)[0]!);
    else if (kind < 0.6) {
      const rows = someQuads(random).map((row) => `${textOf(row).trim()} .`);
      await repo.load({ text: rows.join('\n') }, { format: 'nq' });
    } else if (kind < 0.65) await repo.remove(random() < 0.5 ? { graph: iri('urn:g') } : {});
    else if (kind < 0.7) await repo.revert((await repo.revision()).number === 1 ? 1 : 'HEAD').catch(() => undefined);
    else if (kind < 0.73) {
      const { end } = await waiting();
      await database.close();
      expect(await end).toBe('end');
      repo = await reopened();
      for (const follower of followers) await follower.leave();
    } else if (kind < 0.74) {
      const { end } = await waiting();
      await database.deleteRepository(NAME);
      expect(await end).toBe('REPOSITORY_DELETED');
      repo = await database.repository(NAME, { create: true });
      followers = followers.map(() => new Follower());
    } else await followers[below(random, followers.length)]!.read(repo, random);
  }
  const head = (await repo.revision()).number;
  for (const follower of followers) while (follower.number < head) await follower.read(repo, random);
  for (const follower of followers) await follower.leave();
});
