/** The accounts that may read or write a repository besides its owner. */
import type { Accounts } from '../accounts/accounts.js';
import type { Audit } from '../accounts/audit.js';
import type { Caller } from '../accounts/caller.js';
import type { Access, Hosting, Rights } from './rights.js';

export interface CollaboratorsParts {
  readonly accounts: Accounts;
  readonly rights: Rights;
  readonly audit: Audit;
  readonly now: () => number;
}

export class Collaborators {
  constructor(private readonly parts: CollaboratorsParts) {}

  /** @throws AccessError, NotFoundError */
  async list(caller: Caller, name: string): Promise<Hosting['collaborators']> {
    return (await this.parts.rights.hosting(await this.parts.rights.open(caller, name, 'own'))).collaborators;
  }

  /** `none` takes the rights away. @throws AccessError; NotFoundError also `ACCOUNT_NOT_FOUND` */
  async set(caller: Caller, name: string, account: string, access: Access): Promise<void> {
    const { rights, accounts, audit, now } = this.parts;
    const repository = await rights.open(caller, name, 'own');
    if (access !== 'none') await accounts.need(account);
    await rights.set(repository, ({ collaborators }) => {
      const { [account]: _, ...others } = collaborators;
      return {
        collaborators: access === 'none' ? others : { ...others, [account]: access },
        updated: new Date(now()).toISOString(),
      };
    });
    await audit.add(caller, { action: 'collaborator.set', subject: name, details: { account, access } });
  }
}
