/**
 * Codes that are exchanged for a token once, soon after they were made. Whoever starts a server opens a link with one, and so signs in without
 * copying a token. They are kept in memory alone, as SHA-256.
 */
import { platform } from '#host-platform';
import { AccessError } from '@quadrille/model';
import type { Audit } from './audit.js';
import type { FailureLimiter } from './failure-limiter.js';
import { networkOf } from './network.js';
import { digestOf } from './token-text.js';
import type { NewToken, Tokens } from './tokens.js';

export interface SignInParts {
  readonly tokens: Tokens;
  readonly audit: Audit;
  readonly limiter: FailureLimiter | undefined;
  readonly now: () => number;
}

interface Code {
  readonly account: string;
  readonly until: number;
}

const VALID_MS = 10 * 60_000;
/** The page keeps its token as long as its tab is open. */
const TOKEN_MS = 7 * 24 * 60 * 60_000;
const MOST_CODES = 100;

/** Codes that sign a browser in once. */
export class SignInCodes {
  // By digest, the oldest first.
  readonly #codes = new Map<string, Code>();

  constructor(private readonly parts: SignInParts) {}

  /** A code for an account: 256 random bits, valid for ten minutes. */
  create(account: string): string {
    if (this.#codes.size >= MOST_CODES) this.#codes.delete(this.#codes.keys().next().value!);
    const code = platform.toBase64Url(platform.randomBytes(32));
    this.#codes.set(keyOf(code), { account, until: this.parts.now() + VALID_MS });
    return code;
  }

  /**
   * A token with all rights of the account, valid for a week. The code is used up. Failures are counted by the network of `address`.
   * @throws AccessError `UNAUTHENTICATED` for a code that is not valid, whatever the reason; `RATE_LIMITED`
   */
  async exchange(code: string, address: string): Promise<NewToken> {
    const { tokens, audit, limiter, now } = this.parts;
    const network = networkOf(address);
    const retryAfter = limiter?.retryAfter(network);
    if (retryAfter !== undefined)
      throw new AccessError('RATE_LIMITED', 'too many failed attempts; try again later', { details: { retryAfter } });
    const key = keyOf(code);
    const found = this.#codes.get(key);
    // Before anything is waited for, so that of two attempts one succeeds.
    this.#codes.delete(key);
    if (found === undefined || found.until <= now()) {
      limiter?.failed(network);
      throw new AccessError('UNAUTHENTICATED', 'the code is invalid or expired');
    }
    const name = `sign-in of ${new Date(now()).toISOString()}`;
    const made = await tokens.create(found.account, { name, expires: new Date(now() + TOKEN_MS) });
    const { id, rights } = made.token;
    const details = { label: name, rights };
    const by = { account: found.account, readOnly: false, admin: false };
    await audit.add(by, { action: 'token.create', subject: `${found.account}/${id}`, details });
    return made;
  }
}

const keyOf = (code: string): string => platform.toBase64(digestOf(code));
