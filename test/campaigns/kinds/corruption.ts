import type { Bytes } from '@quadrille/storage';
import { ask } from '../../crash/questions.js';
import { flipped, makeSample } from '../../crash/sample-store.js';
import { type Kind, must } from '../kind.js';

type Random = () => number;

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
  runs: 'damaged values',
  promise:
    'A damaged value is found by the call that reads it, with a clear error, and by verification. No answer is ever wrong.',
  how: 'A store with values of every kind. One of them gets a flipped bit, another byte, a sector of zeros, an earlier end, or the bytes of another value. Then everything is asked: each revision, counts, differences, names, verification.',
  notPromised: 'A whole store set back to an earlier state is a valid store; signed histories show it.',
  goal: 50_000,
  async open() {
    const { driver, states, entries } = await makeSample();
    const values = entries.filter(({ value }) => value.length > 0);
    return {
      async run(seed) {
        const random = seed.random();
        const { key, value } = values[below(random, values.length)]!;
        const [name, damage] = Object.entries(DAMAGES)[below(random, Object.keys(DAMAGES).length)]!;
        const damaged = damage(
          value,
          random,
          values.filter((entry) => entry.key !== key).map((entry) => entry.value),
        );
        const where = `${name} under ${Buffer.from(key).toString('hex')}`;
        const plan = `${where}: ${Buffer.from(damaged).toString('base64')}`;
        if (Buffer.compare(damaged, value) === 0) return { plan };
        await driver.write([{ type: 'put', key, value: damaged }], { durable: true });
        try {
          const found = await ask(driver, states);
          must(found.length > 0, () => `${where} is not found`);
          return { plan: `${plan}\n${found.map(({ code }) => code).join()}` };
        } finally {
          await driver.write([{ type: 'put', key, value }], { durable: true });
        }
      },
    };
  },
};
