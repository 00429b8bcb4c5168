/** The record of who has changed accounts, tokens and rights, or has removed history. It has no tokens and no content of repositories. */
import type { Logger } from 'quadrille';
import type { HostedDatabase } from 'quadrille/host';
import { v7 as uuidV7 } from 'uuid';
import { Records } from '../records.js';
import type { Caller } from './caller.js';

/** What is audited: changes of accounts, tokens and rights, and removals from histories. */
export type AuditAction =
  | 'account.create'
  | 'account.delete'
  | 'token.create'
  | 'token.revoke'
  | 'repository.delete'
  | 'repository.move'
  | 'repository.privacy'
  | 'branch.delete'
  | 'repository.trim'
  | 'repository.erase'
  | 'collaborator.set'
  | 'namespace.set'
  | 'namespace.delete';

/** One entry of the record of changes. */
export interface AuditedChange {
  /** The action. */
  readonly action: AuditAction;
  /** An account, a repository, or `account/id` of a token. */
  readonly subject: string;
  /** The changed object. It contains no secrets. */
  readonly details?: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
}

/** An audited change: who made it, and when. */
export interface AuditEntry extends AuditedChange {
  /** ISO 8601. */
  readonly time: string;
  /** The account that made the change; `null` for the operator of the machine, and on a server that is open. */
  readonly account: string | null;
  /** The id of the token that was shown. */
  readonly token: string | null;
}

const MOST_ENTRIES = 10_000;
/** The number of oldest entries that are dropped together. */
const DROPPED = 1000;

export class Audit {
  readonly #records: Records<AuditEntry>;
  // The keys of all entries, the oldest first. Read from the store before the first entry is written.
  #keys: Promise<string[]> | undefined;

  constructor(
    { records }: Pick<HostedDatabase, 'records'>,
    private readonly now: () => number,
    private readonly logger?: Logger,
    private readonly most = MOST_ENTRIES,
  ) {
    this.#records = new Records(records, 'audit');
  }

  /** Adds an entry. The newest 10,000 are kept. */
  async add({ account, tokenId }: Caller, change: AuditedChange): Promise<void> {
    const time = new Date(this.now()).toISOString();
    const entry: AuditEntry = { time, account: account ?? null, token: tokenId ?? null, ...change };
    this.logger?.info('audit', entry);
    const keys = await (this.#keys ??= this.#readKeys());
    const key = uuidV7();
    await this.#records.put(key, entry);
    keys.push(key);
    if (keys.length <= this.most) return;
    await this.#records.delete(keys.splice(0, keys.length - this.most + Math.min(DROPPED, this.most - 1)));
  }

  // A failure is not kept: the next entry reads again.
  async #readKeys(): Promise<string[]> {
    try {
      return [...(await this.#records.list()).keys()];
    } catch (error) {
      this.#keys = undefined;
      throw error;
    }
  }

  /** The newest entries, the newest first: all of them, or those about one subject. */
  async newest(limit: number, subject?: string): Promise<AuditEntry[]> {
    const entries = [...(await this.#records.list()).values()].reverse();
    return entries.filter((entry) => subject === undefined || entry.subject === subject).slice(0, limit);
  }
}
