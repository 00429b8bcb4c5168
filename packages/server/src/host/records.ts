/** Records of one kind in the store: JSON under `<kind>/<key>`. */
import type { ServiceRecords } from 'quadrille/host';

export interface RecordChange {
  readonly key: string;
  readonly value?: unknown;
}

/** `T` is the form that this version writes. Other versions may have written more members or fewer. */
export class Records<T extends object> {
  constructor(
    private readonly records: ServiceRecords,
    private readonly kind:
      | 'account'
      | 'token'
      | 'repository'
      | 'view'
      | 'job'
      | 'callback'
      | 'server'
      | 'audit'
      | 'request',
  ) {}

  async get(key: string): Promise<T | undefined> {
    return (await this.records.get(this.#key(key))) as T | undefined;
  }

  /** The records whose key begins with `prefix`, by key. */
  async list(prefix = ''): Promise<Map<string, T>> {
    const found = await this.records.list(this.#key(prefix));
    const skip = this.kind.length + 1;
    return new Map(Array.from(found, ([key, value]) => [key.slice(skip), value as T]));
  }

  put(key: string, value: T, options?: { durable?: boolean }): Promise<void> {
    return this.records.write([this.change(key, value)], options);
  }

  /** The write of {@link put}, to be made as part of another batch. */
  change(key: string, value: T): RecordChange {
    return { key: this.#key(key), value };
  }

  /** The write of {@link delete} for one key, to be made as part of another batch. */
  removal(key: string): RecordChange {
    return { key: this.#key(key) };
  }

  delete(keys: readonly string[], options?: { durable?: boolean }): Promise<void> {
    return this.records.write(
      keys.map((key) => ({ key: this.#key(key) })),
      options,
    );
  }

  #key(key: string): string {
    return `${this.kind}/${key}`;
  }
}
