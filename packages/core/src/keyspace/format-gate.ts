/** Raises the format of a store before the first write that needs the newest format. */
export interface FormatGate {
  /** @throws CorruptionError `FORMAT_VERSION` if the store has an earlier format and may not be upgraded */
  check(): void;
  /** Raises the format if necessary. Returns `undefined` if the store has the newest one. */
  raise(): Promise<void> | undefined;
}

/** For stores that were created with the newest format. */
export const NEWEST_FORMAT: FormatGate = { check: () => undefined, raise: () => undefined };
