/** MD5, SHA1, SHA256, SHA384, SHA512 of texts, in parts. */
import { LazyLibrary } from '../library.js';

export const HASH_FUNCTIONS = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const;
type HashFunction = (typeof HASH_FUNCTIONS)[number];

/** Characters of each result. */
export const HASH_LENGTHS: Readonly<Record<HashFunction, number>> = {
  md5: 32,
  sha1: 40,
  sha256: 64,
  sha384: 96,
  sha512: 128,
};

/** The hash of a text that is told in parts, none of which divides a pair of surrogates. */
interface TextHash {
  add(part: string): void;
  result(): string;
}

interface Hashes {
  begin(name: HashFunction): TextHash;
}

export const hashesLibrary = new LazyLibrary<Hashes>(async () => {
  const [{ md5, sha1 }, { sha256, sha384, sha512 }, { bytesToHex, utf8ToBytes }] = await Promise.all([
    import('@noble/hashes/legacy.js'),
    import('@noble/hashes/sha2.js'),
    import('@noble/hashes/utils.js'),
  ]);
  const functions = { md5, sha1, sha256, sha384, sha512 };
  return {
    begin(name) {
      const hash = functions[name].create();
      return {
        add: (part) => void hash.update(utf8ToBytes(part)),
        result: () => bytesToHex(hash.digest()),
      };
    },
  };
});
