/** What a service keeps of a repository, for a move to another store. */
import type { CarriedRecords, Database } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { v7 as uuidV7 } from 'uuid';
import type { AuditEntry } from '../accounts/audit.js';
import { type RecordChange, Records } from '../records.js';
import type { HostingRecord } from './rights.js';

/** The records of a repository, and what cannot go with it. */
export interface MovedParts extends CarriedRecords {
  /** Collaborators whose accounts the other store does not have. */
  readonly left: readonly string[];
}

/**
 * Its rights, its views, and the keys of requests that were done: for the other store. The rights stay in the first one too, so that
 * it knows whom to tell where the repository is. Tokens and jobs stay, because they are of accounts.
 */
export async function carriedRecords(
  from: Database,
  to: Database,
  name: string,
  now = Date.now(),
): Promise<MovedParts> {
  const hostings = new Records<HostingRecord>(hostOf(from).records, 'repository');
  const there: RecordChange[] = [];
  const here: RecordChange[] = [];
  const left: string[] = [];
  const hosting = await hostings.get(name);
  if (hosting !== undefined) {
    const collaborators: Record<string, 'read' | 'write'> = {};
    for (const [account, access] of Object.entries(hosting.collaborators)) {
      if ((await to.accounts.created(account)) === undefined) left.push(account);
      else collaborators[account] = access;
    }
    there.push(hostings.change(name, { ...hosting, collaborators }));
  }
  const carry = <T extends object>(records: Records<T>, found: Iterable<readonly [string, T]>): void => {
    for (const [key, value] of found) {
      there.push(records.change(key, value));
      here.push(records.removal(key));
    }
  };
  const views = new Records(hostOf(from).records, 'view');
  carry(views, await views.list(`${name}/`));
  const requests = new Records<{ readonly repository?: string }>(hostOf(from).records, 'request');
  carry(
    requests,
    Array.from(await requests.list()).filter(([, { repository }]) => repository === name),
  );
  const audit = new Records<AuditEntry>(hostOf(from).records, 'audit');
  const entry: AuditEntry = {
    action: 'repository.move',
    subject: name,
    time: new Date(now).toISOString(),
    account: null,
    token: null,
    details: { to: to.location },
  };
  here.push(audit.change(uuidV7(), entry));
  return { there, here, left };
}
