/** MD5, SHA1, SHA256, SHA384, SHA512: of the UTF-8 bytes of a plain string, in lower-case hexadecimal. */
import type { FunctionTable, Unary } from './function-table.js';
import { LazyLibrary } from '../library.js';
import { ERROR, StringValue } from '../values/value-types.js';

export const HASH_FUNCTIONS = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const;
type HashFunction = (typeof HASH_FUNCTIONS)[number];

type Hashes = Readonly<Record<HashFunction, (text: string) => string>>;

export const hashesLibrary = new LazyLibrary<Hashes>(async () => {
  const [{ md5, sha1 }, { sha256, sha384, sha512 }, { bytesToHex, utf8ToBytes }] = await Promise.all([
    import('@noble/hashes/legacy.js'),
    import('@noble/hashes/sha2.js'),
    import('@noble/hashes/utils.js'),
  ]);
  const ofText =
    (hash: (bytes: Uint8Array) => Uint8Array) =>
    (text: string): string =>
      bytesToHex(hash(utf8ToBytes(text)));
  return {
    md5: ofText(md5),
    sha1: ofText(sha1),
    sha256: ofText(sha256),
    sha384: ofText(sha384),
    sha512: ofText(sha512),
  };
});

const hashed =
  (name: HashFunction): Unary =>
  (value) =>
    value.kind === 'string' ? new StringValue(hashesLibrary.get()[name](value.value)) : ERROR;

export const hashFunctions: FunctionTable = {
  unary: Object.fromEntries(HASH_FUNCTIONS.map((name) => [name, hashed(name)])),
  lengths: { md5: () => 32, sha1: () => 40, sha256: () => 64, sha384: () => 96, sha512: () => 128 },
};
