/** Accounts of the server, their tokens, and who has changed them. */
import { getJson, parametersOf, request } from './client.js';

export interface AccountRecord {
  readonly name: string;
  /** Whether it may operate the server. */
  readonly admin: boolean;
  readonly created: string;
}

export interface AccountDetails extends AccountRecord {
  /** How many of its repositories the user may read; an operator may read all. */
  readonly repository_count: number;
}

export type Right = 'read' | 'write' | 'own' | 'replicate' | 'operate';

export interface TokenRecord {
  readonly id: string;
  readonly label: string | null;
  readonly rights: readonly Right[];
  readonly created: string;
  /** `null`: never. */
  readonly expires: string | null;
}

export interface NewAccount {
  readonly name: string;
  readonly fullname: string | null;
  readonly email: string | null;
  readonly admin: boolean;
}

export interface NewToken {
  readonly label: string | null;
  /** `all`: those that the account has, also later. */
  readonly rights: readonly Right[] | 'all';
  /** A date, which is its midnight in UTC; `null`: never. */
  readonly expires: string | null;
}

export interface AuditRecord {
  readonly time: string;
  /** `null`: the operator of the machine, and everybody on a server that is open. */
  readonly account: string | null;
  readonly action: string;
  readonly subject: string;
}

const JSON_BODY = { 'Content-Type': 'application/json', Accept: 'application/json' };
const pathOf = (account: string): string => `accounts/${encodeURIComponent(account)}`;
const tokensOf = (account: string): string => `${encodeURIComponent(account)}/tokens`;

export const listAccounts = (): Promise<AccountRecord[]> => getJson('accounts');
export const getAccount = (account: string): Promise<AccountDetails> => getJson(pathOf(account));

export async function createAccount(account: NewAccount): Promise<void> {
  await request('accounts', { method: 'POST', headers: JSON_BODY, body: JSON.stringify(account) });
}

/** With `force` also the repositories of the account, with all their revisions. */
export async function removeAccount(account: string, force: boolean): Promise<void> {
  await request(`${pathOf(account)}${parametersOf({ force: force ? 1 : undefined })}`, { method: 'DELETE' });
}

/** The oldest first. */
export const listTokens = (account: string): Promise<TokenRecord[]> => getJson(tokensOf(account));

/** @returns the text of the token, which no other answer has */
export async function createToken(account: string, token: NewToken): Promise<string> {
  const init = { method: 'POST', headers: JSON_BODY, body: JSON.stringify(token) };
  return ((await (await request(tokensOf(account), init)).json()) as { token: string }).token;
}

export async function revokeToken(account: string, id: string): Promise<void> {
  await request(`${tokensOf(account)}/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

/** The newest first. */
export const listAudit = (limit: number): Promise<AuditRecord[]> => getJson(`audit${parametersOf({ limit })}`);
