/** What `open(dir, { share: true })` gives to the code that shares a store. */
import type { Database } from '../api/database.js';
import type { Logger } from '../api/open-options.js';

/**
 * A store in a directory that the processes of one machine share.
 * @since 0.1.0
 */
export interface SharedPlace {
  /** Its path, for messages. */
  readonly location: string;
  /** The local socket or pipe at which the holder listens. The directory is there when it is asked for. */
  address(): Promise<string>;
  /**
   * Opens the store in this process.
   * @param create whether a missing store is made
   * @throws StateError `STORE_LOCKED` while another process has it
   */
  openOwn(create: boolean): Promise<Database>;
  /** Whether this process writes nothing, and never becomes the holder. */
  readonly readOnly: boolean;
  /** Functions and aggregates of this process, by their IRIs: another process does not have them. */
  readonly functions: readonly string[];
  /** Gets failures of take-overs. */
  readonly logger: Logger | undefined;
}
