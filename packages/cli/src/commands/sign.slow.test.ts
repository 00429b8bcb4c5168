import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonLines, ok, quadrille, type Workspace, workspace } from '../testing/command.js';

let work: Workspace;
let store: string;
const files: Record<string, string> = {};
beforeEach(async () => {
  work = await workspace();
  ({ store } = work);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  files['secret'] = await work.file('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  files['open'] = await work.file('key.pub.pem', publicKey.export({ type: 'spki', format: 'pem' }).toString());
  await ok('load', store, await work.file('one.nt', '<urn:a> <urn:p> "1" .\n'));
});
afterEach(() => work.remove());

const SLOW = { timeout: 60_000 };

test('digest, sign and verify --chain', SLOW, async () => {
  const [told] = jsonLines(await ok('digest', store, '--json'));
  expect(told).toMatchObject({ number: 2, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(await ok('digest', store, 'HEAD')).toContain(`digest   ${String(told!['digest'])}\ncontent  `);
  const unsigned = await quadrille(['verify', store, '--chain', '--key', files['open']!]);
  expect(unsigned).toMatchObject({
    code: 70,
    stdout: expect.stringMatching(/no revision has a valid signature.*SIGNATURE_MISSING/),
  });
  expect(await ok('sign', store, '--key', files['secret']!)).toMatch(/^revision 2 is signed with key [0-9a-f]{16}\n$/);
  expect(await ok('verify', store, '--chain', '--key', files['open']!)).toBe(
    `default/default: the chain is in order; 2 revisions, signed up to revision 2, digest ${String(told!['digest'])}\n`,
  );
  expect(jsonLines(await ok('verify', store, '--chain', '--json'))).toMatchObject([
    { repository: 'default/default', ok: true, uncheckedSignatures: 1 },
  ]);
});

test('wrong keys and options', SLOW, async () => {
  const cases: readonly [readonly string[], number, RegExp][] = [
    [['sign', store, '--key', files['open']!], 2, /not an Ed25519 private key.*INVALID_OPTION/],
    [['sign', store, '--key', `${files['open']!}.no`], 66, /INPUT_NOT_FOUND/],
    [['sign', store, '99', '--key', files['secret']!], 1, /REVISION_NOT_FOUND/],
    [['verify', store, '--chain', '--key', files['secret']!], 2, /not an Ed25519 public key.*INVALID_OPTION/],
    [['verify', store, '--key', files['open']!], 2, /--key is only for --chain/],
  ];
  for (const [args, code, text] of cases)
    expect(await quadrille(args), args.join(' ')).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(text),
    });
});
