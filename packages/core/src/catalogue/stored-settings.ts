/** The settings for commits of a repository, which its owner makes. Settings have no versions. */
import { Tag } from '../format/layout.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { fromJson } from './catalogue.js';

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

export async function readSettings(keyspace: Keyspace): Promise<StoredSettings> {
  const value = await keyspace.get(Tag.settings);
  return value === undefined ? {} : (fromJson(value) as StoredSettings);
}
