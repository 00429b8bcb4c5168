import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Bytes } from '@quadrille/storage';
import { type Backend, damage, makeOriginals, type Original } from '../../crash/damaged-files.js';
import { DamagedProcess } from '../../crash/damaged-process.js';
import { ask } from '../../crash/questions.js';
import { flipped, makeSample, type Sample } from '../../crash/sample-store.js';
import { type Kind, must, type RunSeed } from '../kind.js';
import { scratchFolder } from '../scratch.js';

type Random = () => number;
/** The process that is asked about the stores of each backend. */
type Askers = Readonly<Record<Backend, DamagedProcess>>;
/** What was tried, or nothing where the damage changes nothing. */
type Tried = { readonly plan: string; readonly changed: boolean };

/** Damages of values, and as many of files beside them, in a run. */
const EACH = 10;

const below = (random: Random, most: number): number => Math.floor(random() * most);

/** Damages of a value; `others` are values of other keys. */
const DAMAGES: Readonly<Record<string, (value: Bytes, random: Random, others: readonly Bytes[]) => Bytes>> = {
  'a bit': (value, random) => flipped(value, below(random, value.length * 8)),
  'a byte': (value, random) => {
    const bytes = value.slice();
    bytes[below(random, bytes.length)]! ^= 1 + below(random, 255);
    return bytes;
  },
  'a sector of zeros': (value, random) => {
    const sector = 512 * below(random, Math.ceil(value.length / 512));
    return value.slice().fill(0, sector, sector + 512);
  },
  'a truncation': (value, random) => value.slice(0, below(random, value.length)),
  'another value': (_, random, others) => others[below(random, others.length)]!.slice(),
};

export const kind: Kind = {
  runs: 'runs',
  operations: 'damages',
  promise:
    'A damaged value is found by the call that reads it, with a clear error, and by verification. No answer is ever wrong. Damage of files is found, or changes no answer.',
  how: `A run has ${EACH} damages of each of two sorts. A store has values of every kind: one value gets a flipped bit, another byte, a sector of zeros, an earlier end, or the bytes of another value. Or it is one file of a store of LevelDB or LMDB, which was closed or left by a killed process. It gets a bit, a byte, a sector or a page of zeros, an earlier end, exchanged sectors, or a page of an older copy; or it is removed. Then everything is asked: each revision, counts, differences, names, verification.`,
  notPromised:
    'A whole store set back to an earlier state is a valid store; signed histories show it. Where the end of a log is cut off, the newest revisions can be missing, and nothing tells. A damaged page of LMDB can end the process that reads it: those are tried in a process of their own.',
  goal: 50_000,
  async open() {
    const sample = await makeSample();
    const directory = scratchFolder();
    const originals = [...(await makeOriginals(directory, 'leveldb')), ...(await makeOriginals(directory, 'lmdb'))];
    // One for each backend: a page of LMDB can end its process when it has answered already.
    const askers: Askers = { leveldb: new DamagedProcess(), lmdb: new DamagedProcess() };
    const values = async (seed: RunSeed): Promise<Tried[]> => {
      const random = seed.random('values');
      const tried: Tried[] = [];
      for (let n = 0; n < EACH; n++) tried.push(await ofValue(sample, random));
      return tried;
    };
    const files = async (seed: RunSeed): Promise<Tried[]> => {
      const random = seed.random('files');
      const tried: Tried[] = [];
      for (let n = 0; n < EACH; n++)
        tried.push(await ofFile(originals[n % originals.length]!, join(directory, 'damaged'), random, askers));
      return tried;
    };
    return {
      async run(seed) {
        const both = await Promise.allSettled([values(seed), files(seed)]);
        const tried = both.flatMap((one) => {
          if (one.status === 'rejected') throw one.reason;
          return one.value;
        });
        return {
          plan: tried.map(({ plan }) => plan).join('\n'),
          operations: tried.filter(({ changed }) => changed).length,
        };
      },
      async close() {
        for (const asker of Object.values(askers)) asker.close();
        rmSync(directory, { recursive: true, force: true });
      },
    };
  },
};

async function ofValue({ driver, states, entries }: Sample, random: Random): Promise<Tried> {
  const values = entries.filter(({ value }) => value.length > 0);
  const { key, value } = values[below(random, values.length)]!;
  const [name, change] = Object.entries(DAMAGES)[below(random, Object.keys(DAMAGES).length)]!;
  const others = values.filter((entry) => entry.key !== key).map((entry) => entry.value);
  const damaged = change(value, random, others);
  const where = `${name} under ${Buffer.from(key).toString('hex')}`;
  const plan = `${where}: ${Buffer.from(damaged).toString('base64')}`;
  if (Buffer.compare(damaged, value) === 0) return { plan, changed: false };
  await driver.write([{ type: 'put', key, value: damaged }], { durable: true });
  try {
    const found = await ask(driver, states);
    must(found.length > 0, () => `${where} is not found`);
    return { plan: `${plan}\n${found.map(({ code }) => code).join()}`, changed: true };
  } finally {
    await driver.write([{ type: 'put', key, value }], { durable: true });
  }
}

async function ofFile(original: Original, path: string, random: Random, askers: Askers): Promise<Tried> {
  const { backend, states } = original;
  const damaged = damage(original, path, random);
  if (damaged === undefined) return { plan: 'nothing changed', changed: false };
  const { file, what, mayEndEarly } = damaged;
  const plan = `${what} in ${file} of ${original.path.split('/').at(-1)}`;
  const told = await askers[backend].ask(backend, path, states, mayEndEarly);
  if ('wrong' in told) throw new Error(`${plan}: ${told.wrong}`);
  // Its own pages have no checksums (docs/reference/backends.md).
  if ('died' in told)
    must(backend === 'lmdb' && file.endsWith('data.mdb'), () => `${plan}: the process died: ${told.died}`);
  return { plan, changed: true };
}
