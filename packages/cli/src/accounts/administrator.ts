/** Changes accounts and tokens for a command. */
import type { AccountFields, Right } from '@quadrille/server/host';

export interface ListedAccount {
  readonly name: string;
  readonly fullName?: string | undefined;
  readonly email?: string | undefined;
  readonly admin: boolean;
  readonly created: Date;
}

export interface ListedToken {
  readonly id: string;
  readonly label: string | undefined;
  readonly rights: readonly Right[];
  readonly created: Date;
  readonly expires: Date | undefined;
}

export interface NewTokenFields {
  readonly label: string | undefined;
  readonly rights: readonly Right[] | 'all';
  readonly expires: Date | undefined;
}

export interface Administrator {
  accounts(): Promise<readonly ListedAccount[]>;
  createAccount(name: string, fields: AccountFields): Promise<ListedAccount>;
  removeAccount(name: string, force: boolean): Promise<void>;
  tokens(account: string): Promise<readonly ListedToken[]>;
  /** `text` is the token itself. */
  createToken(account: string, fields: NewTokenFields): Promise<ListedToken & { readonly text: string }>;
  revokeToken(account: string, id: string): Promise<void>;
}
