/**
 * The format of an open store. A store of an earlier format is read and stays as it is, until the first commit, which
 * upgrades it (upgrade.ts).
 */
import { CorruptionError } from '@quadrille/model';
import { uuidText } from '../revision/uuid.js';
import { FORMAT_VERSION } from '../format/layout.js';
import type { FormatGate } from '../keyspace/format-gate.js';
import { tidyUp } from '../keyspace/write-alone.js';
import type { Catalogue } from './catalogue.js';
import { newStoreEntryOp } from './catalogue.js';

export interface UpgradeOptions {
  /** Whether commits may upgrade a store of an earlier format. Otherwise they are refused. */
  readonly allowed: boolean;
  /** Called before an upgrade with the format of the store. */
  readonly onUpgrade: ((from: number) => void) | undefined;
}

export class StoreFormat implements FormatGate {
  #newest = false;
  #id: Uint8Array | undefined;

  constructor(
    private readonly catalogue: Catalogue,
    private readonly options: UpgradeOptions,
  ) {}

  /** UUID of the store; `undefined` if it has neither a marker nor the newest format. */
  get id(): string | undefined {
    return this.#id === undefined ? this.catalogue.engine.marker?.id : uuidText(this.#id);
  }

  /** Reads the format. Creates the entry of a new store. Succeeds on a full disk: the first commit repeats the write. */
  async begin(): Promise<void> {
    const { catalogue } = this;
    const { capabilities, marker } = catalogue.engine;
    const isNew = (await catalogue.entry()) === undefined && (marker === undefined || marker.format >= FORMAT_VERSION);
    if (isNew && capabilities.readOnly !== true) await tidyUp(() => catalogue.writeAlone([newStoreEntryOp(catalogue)]));
    await this.#read();
  }

  async #read(): Promise<void> {
    const { catalogue } = this;
    const entry = await catalogue.entry();
    const marked = catalogue.engine.marker?.format ?? FORMAT_VERSION;
    this.#newest = entry !== undefined && Math.min(entry.format, marked) >= FORMAT_VERSION;
    this.#id = entry?.id;
  }

  check(): void {
    if (this.#newest || this.options.allowed) return;
    throw new CorruptionError(
      'FORMAT_VERSION',
      `the store has an earlier format, and a commit would raise it to ${FORMAT_VERSION}, which cannot be undone: ` +
        'allow the upgrade, or commit with an earlier version of Quadrille',
      { details: { format: FORMAT_VERSION } },
    );
  }

  raise(): Promise<void> | undefined {
    return this.#newest ? undefined : this.catalogue.change(() => this.#raise());
  }

  async #raise(): Promise<void> {
    if (this.#newest) return;
    this.check();
    const { upgradeStore } = await import('../on-request.js');
    await upgradeStore(this.catalogue, this.options.onUpgrade);
    await this.#read();
  }
}
