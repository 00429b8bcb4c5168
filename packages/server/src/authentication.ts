/** Authentication and authorization, before every route. */
import { readAuthorization, type SenderOptions } from './http/index.js';
import { AccessError } from '@quadrille/model';
import {
  ANONYMOUS,
  type Caller,
  type Credentials,
  isKnown,
  lacks,
  mayDo,
  type Need,
  type Service as HostedService,
} from './host/index.js';
import type { Context } from './context.js';
import type { Access, Authorize } from './service.js';
import { loginOfGraphDb, tokenOfDydra } from './dialects/credentials.js';
import type { BodyCare, HttpRequest } from './message/request.js';

/** The facts that an adapter knows about the client of a connection. */
export interface Client {
  /** Its IP address. Failures and anonymous requests are counted by it. */
  readonly address?: string | undefined;
  /**
   * Called when it is known whether the request has an account. It may throw: then the request is refused. Requests of probes do not call
   * it.
   */
  readonly identified?: (isKnown: boolean) => void;
}

/**
 * Finds the caller of a request and counts the request, if it counts. With `queryToken` this may read a form body: continue with the returned
 * `request`.
 * @throws AccessError `UNAUTHENTICATED` for credentials that are not valid, wherever they lead; `RATE_LIMITED`
 */
export function identify(
  hosted: HostedService,
  request: HttpRequest,
  client: Client,
  options: IdentifyOptions,
): Identified | Promise<Identified> {
  const header = readAuthorization(request.headers.get('Authorization')) ?? loginOfGraphDb(request);
  if (!options.queryToken || header !== undefined) return knownBy(header, hosted, request, client, options);
  return tokenOfDydra(request).then((shown) => knownBy(shown.credentials, hosted, shown.request, client, options));
}

/** The sender of a request; and the request, whose form may have been read. */
export interface Identified {
  readonly caller: Caller;
  readonly request: HttpRequest;
}

interface IdentifyOptions extends Pick<SenderOptions, 'queryToken'> {
  /** The IP address of the client. */
  readonly address: string;
  /** Whether the request counts. */
  readonly counted: boolean;
}

function knownBy(
  credentials: Credentials | undefined,
  hosted: HostedService,
  request: HttpRequest,
  client: Client,
  { address, counted }: IdentifyOptions,
): Identified | Promise<Identified> {
  const count = (caller: Caller): Identified => {
    if (counted) {
      hosted.requests?.count(caller, address);
      client.identified?.(isKnown(caller));
    }
    return { caller, request };
  };
  const caller = hosted.authenticator.identify(credentials, address);
  return caller instanceof Promise ? caller.then(count) : count(caller);
}

/** What is asked of the body of one request: its time, and of strangers that they do not fill the memory together. */
export class SentBody implements BodyCare {
  /** The sender, once it is known. */
  caller: Caller = ANONYMOUS;
  #held: (() => void)[] | undefined;

  constructor(
    private readonly hosted: HostedService,
    private readonly address: string,
  ) {}

  get idleMs(): number {
    return this.hosted.limits.bodyIdleMs;
  }

  hold(bytes: number): void {
    (this.#held ??= []).push(this.hosted.strangers.hold(this.caller, this.address, bytes));
  }

  /** To be called when the request was answered or has failed. */
  release(): void {
    for (const release of this.#held?.splice(0) ?? []) release();
  }
}

const NEEDS: Readonly<Record<'read' | 'write' | 'owner', Need>> = { read: 'read', write: 'write', owner: 'own' };

/**
 * The table "Access" of docs/reference/http.md. A repository that a client with credentials may not read is reported as not found. A client
 * without credentials gets 401 for everything that is not public.
 */
export function authorizeBy(hosted: HostedService): Authorize {
  return async (context, access, repository) => {
    if (access === 'public') return;
    const caller = context.caller;
    const name = repository ?? repositoryOfPath(context);
    if (access !== 'known' && access !== 'operator' && name !== undefined) {
      const opened = await hosted.rights.open(caller, name, NEEDS[access]);
      if (repository === undefined) context.repository = opened;
    } else await requireAccount(hosted, caller, access, context.param('account'));
  };
}

function repositoryOfPath(context: Context): string | undefined {
  const account = context.param('account');
  const repository = context.param('repository');
  return account === undefined || repository === undefined ? undefined : `${account}/${repository}`;
}

async function requireAccount(
  hosted: HostedService,
  caller: Caller,
  access: Exclude<Access, 'public'>,
  account: string | undefined,
): Promise<void> {
  if (!isKnown(caller)) throw new AccessError('UNAUTHENTICATED', 'credentials are required');
  if (access === 'known') return;
  if (access === 'operator') {
    if (mayDo(caller, 'operate')) return;
    throw new AccessError('FORBIDDEN', caller.admin ? lacks(caller, 'operate') : 'only an operator may do this');
  }
  // An open server creates accounts together with their first repository.
  if (account !== undefined && caller.account !== undefined) await hosted.accounts.need(account);
  const right = NEEDS[access];
  if (!mayDo(caller, right)) throw new AccessError('FORBIDDEN', lacks(caller, right));
  if (caller.admin || (account !== undefined && caller.account === account)) return;
  throw new AccessError('FORBIDDEN', 'only its owner may do this');
}
