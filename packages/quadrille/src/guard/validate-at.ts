/** Validates a revision of a repository. */
import type { Repository as CoreRepository, Snapshot } from '@quadrille/core';
import { InvalidArgumentError, isAbsoluteIri, iterate } from '@quadrille/model';
import type { ShapesReport, ValidateOptions } from '../api/index.js';
import type { Guarded } from './shapes-queries.js';
import { checkOptions, checkSignal, type Rule, type Rules } from '../options/check-options.js';
import { checkedLater, count, milliseconds, signal, trueOrFalse } from '../options/rules.js';
import { validateState } from './validate-state.js';

const isIterable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value);
const iriOrQuads: Rule = (value) =>
  (typeof value === 'string' ? isAbsoluteIri(value) : isIterable(value))
    ? undefined
    : 'the absolute IRI of a graph, or quads';

const isTerm = (value: unknown): boolean => typeof value === 'object' && value !== null && 'termType' in value;
const oneOrManyTerms: Rule = (value) =>
  isTerm(value) || (Array.isArray(value) && value.every(isTerm)) ? undefined : 'a term or a list of terms';

const VALIDATE_OPTIONS: Rules<ValidateOptions> = {
  signal,
  at: checkedLater,
  shapes: iriOrQuads,
  focus: oneOrManyTerms,
  change: trueOrFalse,
  limit: count('results'),
  strict: trueOrFalse,
  explain: trueOrFalse,
  timeoutMs: milliseconds,
};

export async function validateAt(
  core: CoreRepository,
  options: ValidateOptions,
  guarded: Guarded,
): Promise<ShapesReport> {
  checkOptions(options, VALIDATE_OPTIONS, 'validate');
  if (options.change === true && options.focus !== undefined)
    throw new InvalidArgumentError(
      'INVALID_OPTION',
      'validate: the change of a revision has its own nodes: leave out `focus`',
    );
  checkSignal(options.signal);
  const { shapes, shapesSince } = await core.settings();
  const record = options.at === undefined ? core.head : await core.resolve(options.at);
  const owner = core.ownerOf(record);
  await owner.ready();
  const snapshot = core.snapshotOf(record);
  let before: Snapshot | undefined;
  try {
    if (options.change !== true) return await validateState(snapshot, shapes, options, guarded);
    const isSince = shapesSince === 'now' && (options.shapes ?? shapes) === shapes && record.parentId !== undefined;
    if (isSince) before = core.snapshotOf(await core.resolve(snapshot.revision.parent!));
    const quads = iterate(core.history.changes(record, {}, options.signal));
    return await validateState(snapshot, shapes, options, guarded, { quads, before });
  } finally {
    before?.close();
    snapshot.close();
  }
}
