/** A store on a small file system that is filled: what was acknowledged is there, and writes work again once there is room. */
import { join } from 'node:path';
import { type Backend, type Database, iri, literal, open, quad } from 'quadrille';
import { check } from '../model/check.js';
import { below } from '../model/operations.mjs';
import type { Random } from '../model/operations.mjs';
import { SmallDisk } from './small-disk.js';

const MEGABYTES = 16;
const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/** Answers how many changes found no room; 0 where no file system can be mounted. @throws Error where something is lost or does not go on */
export async function fillDisk(random: Random, backend: Backend): Promise<number> {
  const disk = new SmallDisk(`campaign-${below(random, 1e9)}`, MEGABYTES);
  if (!disk.mount()) {
    disk.unmount();
    return 0;
  }
  let database: Database | undefined;
  try {
    const path = join(disk.path, 'store');
    database = await open(path, { backend });
    const repository = await database.repository('crash/full', { create: true });
    const acknowledged: number[] = [];
    let quads = 0;
    const write = async (n: number): Promise<void> => {
      const size = 1 + below(random, random() < 0.2 ? 3000 : 20);
      const made = Array.from({ length: size }, (_, i) =>
        quad(iri(`urn:s${n}x${i}`), iri('urn:p'), literal(`${n} ${i}`)),
      );
      await repository.add(made, { message: `${n}` });
      acknowledged.push(n);
      quads += size;
    };
    for (let n = 0; n < 3; n++) await write(n);
    disk.fill('ballast', below(random, 600_000));
    const refused: unknown[] = [];
    for (let n = 3; n < 60 && refused.length < 4; n++)
      await write(n).catch((error: unknown) => {
        check(codeOf(error) === 'STORAGE_FULL', () => `${String(error)} (${String(codeOf(error))})`);
        refused.push(error);
      });
    const seen = async (): Promise<void> => {
      const messages = (await repository.log().toArray())
        .map(({ message }) => message)
        .filter((text) => text !== undefined);
      check(
        messages.toReversed().join() === acknowledged.join(),
        () => `revisions ${messages.toReversed().join()}, acknowledged ${acknowledged.join()}`,
      );
      const size = await repository.size();
      check(size === quads, () => `${size} quads, not ${quads}`);
      const { problems } = await database!.verify();
      check(problems.length === 0, () => JSON.stringify(problems));
    };
    await seen();
    disk.remove('ballast');
    await write(1000);
    await seen();
    return refused.length;
  } finally {
    await database?.close();
    disk.unmount();
  }
}
