/** Moves of repositories between stores. */
import type { Database } from '../api/database.js';
import type { Backend, Logger } from '../api/open-options.js';
import type { RecordChange } from '../host/host-types.js';

/**
 * How far a move has come. `frozen`: the repository takes no writes. `copying`: entries are copied. `copied`: the copy was compared.
 * `shown`: the other store has the repository. `moved`: the first store only tells where it is.
 * @since 0.1.0
 */
export interface MoveProgress {
  /** The step that has ended, or is under way. */
  readonly step: 'frozen' | 'copying' | 'copied' | 'shown' | 'moved';
  /** Entries of the storage that were copied. */
  readonly entries: number;
  /** Bytes of their values. */
  readonly bytes: number;
}

/**
 * Records of a server that go with a repository.
 * @since 0.1.0
 */
export interface CarriedRecords {
  /** Written in the other store, with the repository. */
  readonly there: readonly RecordChange[];
  /** Written in the first store when the repository leaves it. */
  readonly here: readonly RecordChange[];
}

/**
 * Options of `moveRepository`.
 * @since 0.1.0
 */
export interface MoveOptions {
  /**
   * The address of a server of the other store. Servers of the first store redirect requests there, with status 308. Without it they
   * answer 410. It is an http or https URL without query and fragment. Repeated for a repository that has moved, it replaces the address.
   * @defaultValue none
   */
  readonly redirect?: string | undefined;
  /**
   * Ends a move that was interrupted, so that the repository takes writes again, and moves nothing. It is refused if the other store shows
   * the repository already.
   * @defaultValue `false`
   */
  readonly cancel?: boolean | undefined;
  /**
   * With `cancel`: does not look at the other store. Only for one that is lost: two stores could have the repository.
   * @defaultValue `false`
   */
  readonly force?: boolean | undefined;
  /** The backend of the other store, if that is a directory and is made. */
  readonly backend?: Backend | undefined;
  /** Called while no write can change the repository, to find the records of a server that go with it. */
  readonly carry?: ((from: Database, to: Database, name: string) => Promise<CarriedRecords>) | undefined;
  /** Called after each step, and while entries are copied. */
  readonly onProgress?: ((progress: MoveProgress) => void) | undefined;
  /** Ends the move with `ABORTED`, until the other store shows the repository. Then the first store is as before. */
  readonly signal?: AbortSignal | undefined;
  /** Gets warnings. */
  readonly logger?: Logger | undefined;
}

/**
 * What a move has done.
 * @since 0.1.0
 */
export interface MoveReport {
  /** `account/repository`. */
  readonly repository: string;
  /** The other store, without a password. */
  readonly to: string;
  /** The address to which servers of the first store redirect. */
  readonly redirect: string | undefined;
  /** Entries that this call has copied; 0 if an earlier call had. */
  readonly entries: number;
  /** Bytes of their values. */
  readonly bytes: number;
  /** `moved`: by this call. `already`: by an earlier one. `cancelled`: the first store has it, and it takes writes. */
  readonly outcome: 'moved' | 'already' | 'cancelled';
}
