/** MD5, SHA1, SHA256, SHA384, SHA512: of the UTF-8 bytes of a plain string, in lower-case hexadecimal. */
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { FunctionTable, Unary } from './function-table.js';
import { ERROR, StringValue } from '../values/value-types.js';

const hashed =
  (hash: (bytes: Uint8Array) => Uint8Array): Unary =>
  (value) =>
    value.kind === 'string' ? new StringValue(bytesToHex(hash(utf8ToBytes(value.value)))) : ERROR;

export const hashFunctions: FunctionTable = {
  unary: {
    md5: hashed(md5),
    sha1: hashed(sha1),
    sha256: hashed(sha256),
    sha384: hashed(sha384),
    sha512: hashed(sha512),
  },
  lengths: { md5: () => 32, sha1: () => 40, sha256: () => 64, sha384: () => 96, sha512: () => 128 },
};
