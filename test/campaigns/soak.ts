/** A store with mixed work: writers, readers, imports, compaction, trims and backups beside each other, and what they cost over time. */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Database, iri, literal, open, quad, type Repository } from 'quadrille';
import { must } from './kind.js';

const P = iri('urn:p');
const GRAPH = iri('urn:imported');
/** Subjects of a writer, each with one value at any time. */
const SLOTS = 500;
const WRITERS = 2;
const READERS = 2;
const IMPORTED = 3000;
/** Revisions that a trim keeps. */
const KEPT = 300;

/** What a piece of the work cost. */
export interface Costs {
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly descriptors: number;
  readonly diskBytes: number;
  /** The 99th percentile of writes and of reads, in milliseconds. */
  readonly writeMs: number;
  readonly readMs: number;
}

export class Soak {
  operations = 0;
  readonly #values = Array.from({ length: WRITERS }, () => new Array<number>(SLOTS).fill(0));
  #database!: Database;
  #repository!: Repository;
  #imports = 0;
  #writes: number[] = [];
  #reads: number[] = [];

  private constructor(private readonly directory: string) {}

  static async start(): Promise<Soak> {
    const soak = new Soak(mkdtempSync(join(tmpdir(), 'quadrille-soak-')));
    await soak.#open();
    for (let writer = 0; writer < WRITERS; writer++)
      await soak.#repository.add(Array.from({ length: SLOTS }, (_, slot) => soak.#quad(writer, slot, 0)));
    return soak;
  }

  async #open(): Promise<void> {
    this.#database = await open(join(this.directory, 'store'), { durability: 'process' });
    this.#repository = await this.#database.repository('soak/data', { create: true });
  }

  async stop(): Promise<void> {
    await this.#database.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Closes the store and opens it again. */
  async reopen(): Promise<void> {
    await this.#database.close();
    await this.#open();
    await this.#compare();
  }

  #quad(writer: number, slot: number, value: number) {
    return quad(iri(`urn:w${writer}s${slot}`), P, literal(String(value)));
  }

  /**
   * Works for so long.
   *
   * @param mostPauseMs - what a writer or a reader waits at most before its next request; 0 for a load as heavy as it can be
   * @throws Error where something is wrong
   */
  async work(ms: number, random: () => number, mostPauseMs: number): Promise<Costs> {
    const end = performance.now() + ms;
    const goesOn = async (): Promise<boolean> => {
      if (mostPauseMs > 0) await setTimeout(random() * mostPauseMs);
      return performance.now() < end;
    };
    this.#writes = [];
    this.#reads = [];
    await Promise.all([
      ...Array.from({ length: WRITERS }, (_, writer) => this.#write(writer, goesOn, random)),
      ...Array.from({ length: READERS }, () => this.#read(goesOn, random)),
      this.#maintain(),
      this.#import(),
    ]);
    await this.#compare();
    return this.#costs();
  }

  async #timed<T>(list: number[], action: () => Promise<T>): Promise<T> {
    const since = performance.now();
    const done = await action();
    list.push(performance.now() - since);
    this.operations++;
    return done;
  }

  /** Each change puts other values in the place of some. */
  async #write(writer: number, goesOn: () => Promise<boolean>, random: () => number): Promise<void> {
    const values = this.#values[writer]!;
    while (await goesOn()) {
      const slots = [...new Set(Array.from({ length: 5 }, () => Math.floor(random() * SLOTS)))];
      const data = (value: (slot: number) => number): string =>
        slots.map((slot) => `<urn:w${writer}s${slot}> <urn:p> "${value(slot)}"`).join(' . ');
      const text = `DELETE DATA { ${data((slot) => values[slot]!)} } ; INSERT DATA { ${data((slot) => values[slot]! + 1)} }`;
      await this.#timed(this.#writes, () => this.#repository.update(text));
      for (const slot of slots) values[slot]!++;
    }
  }

  /** At every revision each subject has one value. */
  async #read(goesOn: () => Promise<boolean>, random: () => number): Promise<void> {
    while (await goesOn()) {
      const writer = Math.floor(random() * WRITERS);
      const text = `SELECT ?s ?v { ?s <urn:p> ?v FILTER STRSTARTS(STR(?s), "urn:w${writer}s") }`;
      const rows = await this.#timed(this.#reads, () => this.#repository.select(text).toArray());
      const subjects = new Set(rows.map((row) => row['s']!.value));
      must(
        rows.length === SLOTS && subjects.size === SLOTS,
        () => `${rows.length} values of ${subjects.size} subjects`,
      );
      await setTimeout(5);
    }
  }

  async #import(): Promise<void> {
    const number = ++this.#imports;
    const lines = Array.from({ length: IMPORTED }, (_, i) => `<urn:i${i}> <urn:of> "import ${number % 7}" .`);
    await this.#repository.load({ text: lines.join('\n') }, { format: 'nt', graph: GRAPH, replace: true });
    this.operations++;
  }

  async #maintain(): Promise<void> {
    const place = join(this.directory, 'backup');
    // A new one now and then: increments add up.
    if (this.#imports % 10 === 0) rmSync(place, { recursive: true, force: true });
    await this.#database.backup(place);
    await this.#repository.maintenance.trim({ last: KEPT });
    await this.#repository.maintenance.compact();
    this.operations += 3;
  }

  async #compare(): Promise<void> {
    for (const [writer, values] of this.#values.entries()) {
      const rows = await this.#repository
        .select(`SELECT ?s ?v { ?s <urn:p> ?v FILTER STRSTARTS(STR(?s), "urn:w${writer}s") }`)
        .toArray();
      const found = new Map(rows.map((row) => [row['s']!.value, Number(row['v']!.value)]));
      for (const [slot, value] of values.entries()) {
        const is = found.get(`urn:w${writer}s${slot}`);
        must(is === value, () => `urn:w${writer}s${slot} is ${is}, ${value} was acknowledged`);
      }
    }
    const { problems } = await this.#database.verify();
    must(problems.length === 0, () => JSON.stringify(problems));
  }

  #costs(): Costs {
    globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    const descriptors = existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0;
    return {
      residentBytes: rss,
      heapBytes: heapUsed,
      descriptors,
      diskBytes: bytesIn(join(this.directory, 'store')),
      writeMs: percentile(this.#writes),
      readMs: percentile(this.#reads),
    };
  }
}

const percentile = (list: readonly number[]): number =>
  Math.round(list.toSorted((a, b) => a - b)[Math.floor(list.length * 0.99)] ?? 0);

/** Files that are removed meanwhile take no room. */
function bytesIn(directory: string): number {
  let bytes = 0;
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  return bytes;
}
