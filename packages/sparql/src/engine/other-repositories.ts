/** Opens the other repositories that a request names, before it is planned: their figures decide how it is planned. */
import type { Operation } from '../algebra/algebra.js';
import { askedRepositories, type AskedRepositories } from '../algebra/asked-repositories.js';
import { namesRepository } from '../algebra/repository-address.js';
import type { EvaluationControl } from '../control/control.js';
import { Memory } from '../control/memory.js';
import type { GraphSelection } from '../dataset/dataset-view.js';
import type { IdDataset } from '../dataset/id-dataset.js';
import { moreOperators } from '../execute/open.js';
import { BlankScopes } from '../operators/repository/blank-scopes.js';
import { openAsked, type OpenedRepositories } from '../operators/repository/opened-repositories.js';

/** What a request reads beside the repository that it is for. */
export interface OtherData {
  /** The operation without what SILENT passes over. */
  readonly operation: Operation;
  /** All of them, in the order of the request. */
  readonly datasets: readonly IdDataset[];
  /** The repositories whose default graphs are graphs of the request, by address. */
  readonly graphs: ReadonlyMap<string, IdDataset>;
}

/** Whether a request names other repositories. */
export const namesOthers = (asked: AskedRepositories, selection: GraphSelection): boolean =>
  asked.all.length > 0 || graphsOfOthers(selection).length > 0;

/**
 * Opens what a request names.
 * @throws EvaluationError, NotFoundError, InvalidArgumentError, AccessError as {@link OpenedRepositories.open}
 */
export async function openOthers(
  operation: Operation,
  selection: GraphSelection,
  opened: OpenedRepositories,
  control: EvaluationControl,
): Promise<OtherData> {
  const graphs = new Map<string, IdDataset>();
  for (const address of graphsOfOthers(selection)) graphs.set(address, await opened.open(address));
  const asked = await openAsked(operation, opened, control);
  const named = askedRepositories(operation).all.flatMap((address) => opened.datasets.get(address) ?? []);
  return { operation: asked, datasets: [...graphs.values(), ...named], graphs };
}

/** The dataset that a request is planned for. */
export async function planningDataset(
  dataset: IdDataset,
  graphs: OtherData['graphs'],
  control: EvaluationControl,
): Promise<IdDataset> {
  if (graphs.size === 0) return dataset;
  if (!moreOperators.isLoaded) await moreOperators.load();
  const { DatasetWithGraphs } = moreOperators.get();
  await DatasetWithGraphs.prepare(dataset, graphs, control);
  // Only figures are asked for: nothing of size is kept.
  return DatasetWithGraphs.over(dataset, graphs, new BlankScopes(), { control, memory: new Memory() });
}

function graphsOfOthers({ default: merged, named }: GraphSelection): string[] {
  const sources = named === 'all' ? merged : [...merged, ...named];
  return sources.flatMap((source) => (typeof source !== 'string' && namesRepository(source) ? [source.value] : []));
}
