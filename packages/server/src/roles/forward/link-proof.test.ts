/** The proof that opens a link. */
import { open } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { expect, onTestFinished, test } from 'vitest';
import { linkProof, linkSecret, provenServer } from './link-proof.js';

test('a store has one secret, which the server that writes makes', async () => {
  const database = await open(':memory:');
  onTestFinished(() => database.close());
  expect(await linkSecret(hostOf(database), false)).toBeUndefined();
  const secret = await linkSecret(hostOf(database), true);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect([await linkSecret(hostOf(database), false), await linkSecret(hostOf(database), true)]).toEqual([
    secret,
    secret,
  ]);
});

test('it proves an id to one server, and is not shown', () => {
  const proof = linkProof('secret', 'one', 'two');
  expect(provenServer('secret', proof, 'two')).toBe('one');
  expect(proof).not.toContain('secret');
  const code = proof.split(' ')[1]!;
  for (const wrong of ['one', 'one ', `other ${code}`, `one ${code.slice(1)}`, `one ${code}x`, '', ' '])
    expect(provenServer('secret', wrong, 'two')).toBeUndefined();
  expect(provenServer('secret', proof, 'three')).toBeUndefined();
  expect(provenServer('another', proof, 'two')).toBeUndefined();
});
