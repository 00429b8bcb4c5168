/** The accounts of a store. Each account has namespaces that hold for all its repositories. */
import { ConflictError } from '@quadrille/model';
import type { WriteOp } from '@quadrille/storage';
import { afterPrefix, Area, areaKey, textKey } from '../format/layout.js';
import { fromJson, toJson } from '../format/byte-codec.js';
import { accountKey, accountNamespaceHead, nameIn, repositoryKey } from './catalogue.js';
import type { Catalogue } from './catalogue.js';
import { forgetMovedOf } from './moved-repositories.js';
import { checkName } from './names.js';
import { NamedValues } from './named-values.js';

const utf8 = new TextEncoder();

export class Accounts {
  /** @param prefixes the namespaces of every new account, prefix → IRI */
  constructor(
    private readonly catalogue: Catalogue,
    private readonly prefixes: Readonly<Record<string, string>>,
  ) {}

  async list(): Promise<string[]> {
    return this.#names(areaKey(Area.account));
  }

  async #names(head: Uint8Array): Promise<string[]> {
    const { engine, check } = this.catalogue;
    check();
    const names: string[] = [];
    for await (const chunk of engine.range({ gte: head, lt: afterPrefix(head) }, { read: 'keys' })) {
      for (const { key } of chunk) names.push(nameIn(key));
    }
    return names;
  }

  /** The time at which an account was created (ISO 8601); `undefined` if there is none. */
  async created(name: string): Promise<string | undefined> {
    this.catalogue.check();
    checkName(name, 'account');
    const value = await this.catalogue.engine.get(accountKey(name));
    return value && (fromJson(value) as { created: string }).created;
  }

  create(name: string): Promise<void> {
    checkName(name, 'account');
    return this.catalogue.change(async () => {
      const ops = await this.creation(name);
      if (ops.length === 0) {
        throw new ConflictError('ALREADY_EXISTS', `there is an account ${name} already`, {
          details: { account: name },
        });
      }
      await this.catalogue.writeAlone(ops);
    });
  }

  /**
   * The writes that create an account, or none if it exists. The caller holds the lock of the catalogue.
   * @param given its namespaces, prefix → IRI
   */
  async creation(name: string, given = this.prefixes): Promise<WriteOp[]> {
    if (await this.#exists(name)) return [];
    const value = toJson({ created: new Date(this.catalogue.env.now()).toISOString() });
    const head = accountNamespaceHead(name);
    const prefixes = Object.entries(given).map(([prefix, iri]): WriteOp => ({
      type: 'put',
      key: textKey(head, prefix),
      value: utf8.encode(iri),
    }));
    return [{ type: 'put', key: accountKey(name), value }, ...prefixes];
  }

  async #exists(name: string): Promise<boolean> {
    return (await this.catalogue.engine.get(accountKey(name))) !== undefined;
  }

  /**
   * Deletes an account. Returns false if there was none. @throws ConflictError `PRECONDITION_FAILED` if it has
   * repositories
   */
  delete(name: string): Promise<boolean> {
    const { catalogue } = this;
    return catalogue.change(async () => {
      catalogue.check();
      if (!(await this.#exists(name))) return false;
      const repositories = await this.#names(repositoryKey(`${name}/`));
      if (repositories.length > 0) {
        throw new ConflictError(
          'PRECONDITION_FAILED',
          `account ${name} still has ${repositories.length} repositories: delete them first`,
        );
      }
      const gte = accountNamespaceHead(name);
      await catalogue.writeAlone([
        { type: 'delete', key: accountKey(name) },
        { type: 'deleteRange', gte, lt: afterPrefix(gte) },
        forgetMovedOf(name),
      ]);
      return true;
    });
  }

  /** The namespaces that hold for all repositories of an account. */
  namespaces(account: string): NamedValues {
    checkName(account, 'account');
    return new NamedValues(this.catalogue, accountNamespaceHead(account));
  }
}
