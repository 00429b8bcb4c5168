/** The settings for commits of a repository, which its owner makes. Settings have no versions. */
import { Tag } from '../format/layout.js';
import type { Keyspace } from './keyspace.js';
import { fromJson } from '../format/byte-codec.js';

/** Which literals a search for words finds. Absent members: all. */
export interface TextSettings {
  /** IRIs of the properties whose values are found. */
  readonly properties?: readonly string[] | undefined;
  /** IRIs of the graphs whose quads are found. */
  readonly graphs?: readonly string[] | undefined;
  /** Ranges of the language tags that are found. */
  readonly languages?: readonly string[] | undefined;
  /** `diacritics`: letters with and without accents are the same. */
  readonly fold?: 'diacritics' | undefined;
}

/** Vectors that can be asked for, by their names. */
export type VectorSettings = Readonly<
  Record<
    string,
    {
      /** IRI of the property whose values are the vectors. */
      readonly property: string;
      /** How many numbers a vector has. */
      readonly dimension: number;
      /** Whether a function makes vectors of the values, which are texts. */
      readonly embed?: true | undefined;
    }
  >
>;

/** Settings by name. A later version may have stored others, which are kept as they are. */
export interface StoredSettings {
  /** IRIs of predicates that have one value for each subject and graph. */
  readonly functional?: readonly string[] | undefined;
  /** IRI of the graph with the shapes that every revision obeys. */
  readonly shapes?: string | undefined;
  /** Whether shapes are refused that have statements without meaning. */
  readonly shapesStrict?: boolean | undefined;
  /** `report`: a change that violates the shapes is committed, and its revision has the number of violations. */
  readonly shapesMode?: 'report' | undefined;
  /** `now`: results that were there before a change do not refuse it. */
  readonly shapesSince?: 'now' | undefined;
  /** What can be searched. */
  readonly search?:
    | {
        /** Literals with words. */
        readonly text?: TextSettings | undefined;
        /** Vectors. */
        readonly vectors?: VectorSettings | undefined;
      }
    | undefined;
  /** The branch for requests that name none. It is not deleted. */
  readonly defaultBranch?: string | undefined;
  /** Branches that only owners change. The engine knows no owners: servers look at it. */
  readonly protected?: readonly string[] | undefined;
  /** Which revisions compaction keeps: a revision stays if any member says so. */
  readonly retention?:
    | {
        /** The newest ones, by number. */
        readonly last?: number | undefined;
        /** Those that are younger, in days. */
        readonly days?: number | undefined;
        /** The newest ones of each day, by number. */
        readonly perDay?: number | undefined;
      }
    | undefined;
}

/** The settings of a repository, which are read once. */
export class KnownSettings {
  #known: StoredSettings | undefined;
  #read: Promise<StoredSettings> | undefined;

  constructor(private readonly keyspace: Keyspace) {}

  /** `undefined` if they have not been read. */
  get known(): StoredSettings | undefined {
    return this.#known;
  }

  async read(): Promise<StoredSettings> {
    for (;;) {
      if (this.#known !== undefined) return this.#known;
      const read = (this.#read ??= readSettings(this.keyspace));
      try {
        const found = await read;
        // They may have changed while they were read.
        if (this.#read === read) return (this.#known = found);
      } catch (error) {
        if (this.#read === read) this.forget();
        throw error;
      }
    }
  }

  /** They may have changed. The next one who needs them reads them. */
  forget(): void {
    this.#known = this.#read = undefined;
  }
}

async function readSettings(keyspace: Keyspace): Promise<StoredSettings> {
  const value = await keyspace.get(Tag.settings);
  return value === undefined ? {} : (fromJson(value) as StoredSettings);
}
