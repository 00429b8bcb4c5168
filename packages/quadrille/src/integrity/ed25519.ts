/** Ed25519 (RFC 8032): by Node.js, or by Web Crypto where there is none. */
import { InvalidArgumentError } from '@quadrille/model';
import type { Signer } from '../api/index.js';
import { hexOf } from '../history/hex.js';
import type { Hashes } from './hashes.js';

/** SPKI of an Ed25519 key without its last 32 bytes, which are the key (RFC 8410, section 4). */
const SPKI_HEAD = Uint8Array.of(0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00);
const ED25519 = 'Ed25519';
/** Digits of a key id. */
const KEY_ID_DIGITS = 16;

/** Checks signatures of one key. */
export interface Verifier {
  readonly keyId: string;
  verify(chain: Uint8Array, signature: Uint8Array): Promise<boolean>;
}

// Not an import: bundlers of pages could not leave it out.
const nodeCrypto = (): typeof import('node:crypto') | undefined =>
  globalThis.process?.getBuiltinModule?.('node:crypto');

/**
 * What signs with a private key.
 * @param pem PKCS#8
 */
export async function signerOf(pem: string, hashes: Hashes): Promise<Signer> {
  const wrong = (cause?: unknown): InvalidArgumentError =>
    new InvalidArgumentError('INVALID_OPTION', 'the key is not an Ed25519 private key as PEM (PKCS#8)', { cause });
  const node = nodeCrypto();
  if (node !== undefined) {
    let key: import('node:crypto').KeyObject;
    try {
      key = node.createPrivateKey(pem);
    } catch (cause) {
      throw wrong(cause);
    }
    if (key.asymmetricKeyType !== 'ed25519') throw wrong();
    const spki = node.createPublicKey(key).export({ type: 'spki', format: 'der' });
    return { keyId: keyIdOf(spki, hashes), sign: (chain) => node.sign(null, chain, key) };
  }
  try {
    const key = await crypto.subtle.importKey('pkcs8', derOf(pem), ED25519, true, ['sign']);
    const { x = '' } = await crypto.subtle.exportKey('jwk', key);
    const spki = Uint8Array.of(...SPKI_HEAD, ...fromBase64(x.replaceAll('-', '+').replaceAll('_', '/')));
    const sign = async (chain: Uint8Array): Promise<Uint8Array> =>
      new Uint8Array(await crypto.subtle.sign(ED25519, key, new Uint8Array(chain)));
    return { keyId: keyIdOf(spki, hashes), sign };
  } catch (cause) {
    throw wrong(cause);
  }
}

/**
 * What checks signatures of a public key.
 * @param pem SPKI
 */
export async function verifierOf(pem: string, hashes: Hashes): Promise<Verifier> {
  const wrong = (cause?: unknown): InvalidArgumentError =>
    new InvalidArgumentError('INVALID_OPTION', 'the key is not an Ed25519 public key as PEM (SPKI)', { cause });
  // createPublicKey would take a private key too.
  if (/PRIVATE/.test(pem)) throw wrong();
  const node = nodeCrypto();
  try {
    if (node !== undefined) {
      const key = node.createPublicKey(pem);
      if (key.asymmetricKeyType !== 'ed25519') throw wrong();
      const keyId = keyIdOf(key.export({ type: 'spki', format: 'der' }), hashes);
      return { keyId, verify: async (chain, signature) => node.verify(null, chain, key, signature) };
    }
    const spki = derOf(pem);
    const key = await crypto.subtle.importKey('spki', spki, ED25519, true, ['verify']);
    const verify = (chain: Uint8Array, signature: Uint8Array): Promise<boolean> =>
      crypto.subtle.verify(ED25519, key, new Uint8Array(signature), new Uint8Array(chain));
    return { keyId: keyIdOf(spki, hashes), verify };
  } catch (cause) {
    throw cause instanceof InvalidArgumentError ? cause : wrong(cause);
  }
}

const keyIdOf = (spki: Uint8Array, hashes: Hashes): string => hexOf(hashes.sha256(spki)).slice(0, KEY_ID_DIGITS);

const derOf = (pem: string): Uint8Array<ArrayBuffer> =>
  fromBase64(pem.replaceAll(/-----(?:BEGIN|END) [A-Z ]+-----|\s/g, ''));

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
