/** The accounts in the catalogue of a store, each with prefixes that hold for all its repositories. */
import { ConflictError } from '@quadrille/model';
import { accountKey, accountNamespaceHead, fromJson, nameIn, toJson } from './catalogue.js';
import type { CatalogueAccess } from './catalogue.js';
import { afterPrefix, Area, areaKey, textKey } from '../format/layout.js';
import { checkName } from './names.js';
import { NamedValues } from './named-values.js';
import { writeAlone } from '../keyspace/write-alone.js';
import type { RepositoryRecords } from './repository-records.js';

const utf8 = new TextEncoder();

export class Accounts {
  /** @param prefixes those that a new account begins with */
  constructor(
    private readonly access: CatalogueAccess,
    private readonly repositories: RepositoryRecords,
    private readonly prefixes: Readonly<Record<string, string>>,
  ) {}

  async list(): Promise<string[]> {
    const { engine, check } = this.access;
    check();
    const head = areaKey(Area.account);
    const names: string[] = [];
    for await (const chunk of engine.range({ gte: head, lt: afterPrefix(head) }, { read: 'keys' })) {
      for (const { key } of chunk) names.push(nameIn(key));
    }
    return names;
  }

  async created(name: string): Promise<string | undefined> {
    this.access.check();
    checkName(name, 'account');
    const value = await this.access.engine.get(accountKey(name));
    return value && (fromJson(value) as { created: string }).created;
  }

  create(name: string): Promise<void> {
    checkName(name, 'account');
    return this.access.writeLock.run(async () => {
      if (await this.#exists(name)) {
        throw new ConflictError('ALREADY_EXISTS', `there is an account ${name} already`, {
          details: { account: name },
        });
      }
      await this.ensure(name);
    });
  }

  /** Makes it where there is none; the caller holds the write lock. */
  async ensure(name: string): Promise<void> {
    if (await this.#exists(name)) return;
    const { engine, env, durable } = this.access;
    const value = toJson({ created: new Date(env.now()).toISOString() });
    const head = accountNamespaceHead(name);
    const prefixes = Object.entries(this.prefixes).map(([prefix, iri]) => ({
      type: 'put' as const,
      key: textKey(head, prefix),
      value: utf8.encode(iri),
    }));
    await writeAlone(engine, [{ type: 'put', key: accountKey(name), value }, ...prefixes], durable);
  }

  async #exists(name: string): Promise<boolean> {
    return (await this.access.engine.get(accountKey(name))) !== undefined;
  }

  delete(name: string): Promise<boolean> {
    const { engine, durable, writeLock } = this.access;
    return writeLock.run(async () => {
      if (!(await this.#exists(name))) return false;
      const repositories = await this.repositories.list(name);
      if (repositories.size > 0) {
        throw new ConflictError(
          'PRECONDITION_FAILED',
          `account ${name} still has ${repositories.size} repositories: delete them first`,
        );
      }
      const gte = accountNamespaceHead(name);
      await writeAlone(
        engine,
        [
          { type: 'delete', key: accountKey(name) },
          { type: 'deleteRange', gte, lt: afterPrefix(gte) },
        ],
        durable,
      );
      return true;
    });
  }

  namespaces(account: string): NamedValues {
    checkName(account, 'account');
    return new NamedValues(this.access.engine, accountNamespaceHead(account), this.access.durable);
  }
}
