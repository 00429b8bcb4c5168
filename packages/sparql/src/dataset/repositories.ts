/** What the evaluator needs of other repositories of the same store: SERVICE, FROM and USING with `repo:` addresses. */
import type { RepositoryAddress } from '../algebra/repository-address.js';
import type { QueryableDataset } from './dataset.js';

/**
 * Opens other repositories for one evaluation. Who makes it closes what it has opened when the evaluation is over, however it ended.
 */
export interface Repositories {
  /**
   * The state of a repository at the revision of the address. The evaluator asks once for each address; two addresses of the same
   * revision have to give the same state.
   * @throws NotFoundError `REPOSITORY_NOT_FOUND` also where the caller may not read the repository, `REVISION_NOT_FOUND`;
   * InvalidArgumentError `INVALID_NAME`, `INVALID_REF`; AccessError. SILENT passes over all of these.
   */
  open(address: RepositoryAddress): Promise<QueryableDataset>;
}
