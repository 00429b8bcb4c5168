/** How the library reaches the other repositories that a query names. */
import type { Repository as CoreRepository } from '@quadrille/core';

/** Opens a repository by its name, for who may read it. */
export type OpenOther = (name: string) => Promise<CoreRepository>;

/** Where a repository or view of this library has the engine's repository behind it. */
export const CORE = Symbol('core');

export type QueriedRevision = CoreRepository['head'];

/** The repository that is queried. */
export interface QueriedRepository {
  readonly core: CoreRepository;
  /** Calls without a task may open each repository of it. */
  readonly store: { readonly repository: OpenOther };
}
