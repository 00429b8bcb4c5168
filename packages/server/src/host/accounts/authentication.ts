/** Authentication: finds the caller of credentials. */
import { AccessError } from '@quadrille/model';
import { ANONYMOUS, type Caller, OPERATOR } from './caller.js';
import { claimOf, type Claim, type Credentials } from './credentials.js';
import type { FailureLimiter } from './failure-limiter.js';
import { networkOf } from './network.js';
import { digestOf, matches } from './token-text.js';
import type { KnownToken, Tokens } from './tokens.js';

// Compared with the secret if no token has the id, so that both cases take the same time.
const NOBODY = { digest: digestOf('nobody'), account: '' };

/** Finds out who sends a request, and whether a token is still valid. */
export class Authenticator {
  constructor(
    private readonly tokens: Tokens,
    private readonly limiter: FailureLimiter | undefined,
    private readonly open: boolean,
  ) {}

  /**
   * The caller of these credentials, anonymous without any: a promise where they have to be looked at. Failures are counted by the network
   * of `address`.
   * @throws AccessError `UNAUTHENTICATED` where they are not valid, whatever the reason; `RATE_LIMITED` after too many failures. Both
   * reject the promise.
   */
  identify(credentials: Credentials | undefined, address = ''): Caller | Promise<Caller> {
    if (this.open) return OPERATOR;
    return credentials === undefined ? ANONYMOUS : this.#callerOf(credentials, address);
  }

  async #callerOf(credentials: Credentials, address: string): Promise<Caller> {
    const claim = claimOf(credentials);
    const keys = limiterKeys(claim, address);
    // Failures of other accounts from the same address do not block a valid token.
    this.#check(keys[0]!);
    const token = await this.#verify(claim);
    if (token !== undefined) {
      const { account, readOnly, admin, rights, id } = token;
      return { account, readOnly, admin, rights, tokenId: id };
    }
    for (const key of keys) {
      this.#check(key);
      this.limiter?.failed(key);
    }
    throw new AccessError('UNAUTHENTICATED', 'the credentials are not valid');
  }

  /** Whether the token of a caller still is valid and gives the same rights; `true` for a caller without a token. */
  async isCurrent({ tokenId, account, admin, rights }: Caller): Promise<boolean> {
    if (this.open || tokenId === undefined) return true;
    const token = await this.tokens.find(tokenId);
    if (token === undefined) return false;
    return token.account === account && token.admin === admin && token.rights.join() === rights?.join();
  }

  async #verify({ account, token }: Claim): Promise<KnownToken | undefined> {
    const known = token && (await this.tokens.find(token.id));
    const isRight = matches(token?.secret ?? '', (known ?? NOBODY).digest);
    if (known === undefined || !isRight) return undefined;
    return account === undefined || account === known.account ? known : undefined;
  }

  #check(key: string): void {
    const retryAfter = this.limiter?.retryAfter(key);
    if (retryAfter === undefined) return;
    throw new AccessError('RATE_LIMITED', 'too many failed attempts; try again later', { details: { retryAfter } });
  }
}

/** The keys under which failures are counted: the named account or token with the network, and the network alone. */
function limiterKeys({ account, token }: Claim, address: string): string[] {
  const network = networkOf(address);
  const named = account?.slice(0, 100) ?? token?.id ?? '';
  return named === '' ? [network] : [`${network} ${named}`, network];
}
