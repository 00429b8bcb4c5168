/** Removes old revisions: on request, and as the settings say. Loaded with the first call. */
import type { Repository as CoreRepository, TrimRequest } from '@quadrille/core';
import { InvalidArgumentError, NotFoundError } from '@quadrille/model';
import type { SpaceReport, TrimOptions, TrimReport } from '../api/index.js';
import { Anchors } from '../integrity/anchors.js';
import { READ_OPTIONS } from '../options/calls.js';
import { checkOptions, type Rules } from '../options/check-options.js';
import { checkedLater, count, oneOf, text, trueOrFalse } from '../options/rules.js';
import { abortable } from '../integrity/index.js';

const TRIM_OPTIONS: Rules<TrimOptions> = {
  ...READ_OPTIONS,
  from: checkedLater,
  to: checkedLater,
  last: count('revisions', 1),
  perDay: count('revisions', 1),
  mode: oneOf('project-history', 'delete-history'),
  dryRun: trueOrFalse,
  author: text,
};

/** @throws InvalidArgumentError `INVALID_OPTION` without anything that says what is kept */
export async function trimHistory(core: CoreRepository, options: TrimOptions): Promise<TrimReport> {
  checkOptions(options, TRIM_OPTIONS, 'trim');
  const { from, to, last, perDay, mode, dryRun = false, author, signal } = options;
  const policy = { from, to, last, perDay };
  const isGiven = Object.values(policy).some((value) => value !== undefined);
  const kept = isGiven ? policy : (await core.settings()).retention;
  if (kept === undefined) {
    const problem = 'trim: say what is kept: `from`, `to`, `last` or `perDay`, or set the setting `retention`';
    throw new InvalidArgumentError('INVALID_OPTION', problem);
  }
  return trimLine(core, { ...kept, deleteHistory: mode === 'delete-history', dryRun, author }, signal);
}

function trimLine(
  core: CoreRepository,
  request: Omit<TrimRequest, 'attest'>,
  signal: AbortSignal | undefined,
): Promise<TrimReport> {
  const anchors = new Anchors(core, signal);
  return abortable(signal, async () => {
    const attest: TrimRequest['attest'] = (numbers) => anchors.at(numbers);
    const report = await core.maintenance.trim({ ...request, attest });
    if (report.trimmed > 0 && !request.dryRun) await anchors.keep();
    return report;
  });
}

/** Trims each branch as the setting `retention` says, and compacts the repository. */
export async function compact(core: CoreRepository): Promise<SpaceReport> {
  const bytesBefore = await core.maintenance.bytes();
  const isTrimmed = await retain(core);
  const space = await core.maintenance.compact();
  return isTrimmed ? { ...space, bytesBefore } : space;
}

// Returns false if nothing is to be trimmed.
async function retain(core: CoreRepository): Promise<boolean> {
  const { retention } = await core.settings();
  if (retention === undefined) return false;
  const lines = await core.lines();
  for (const name of ['main', ...(await lines.branches()).keys()]) {
    const line = await lines.branch(name).catch((error: unknown) => {
      // It was deleted a moment ago.
      if (!(error instanceof NotFoundError)) throw error;
    });
    if (line !== undefined) await trimLine(line, { ...retention, deleteHistory: false, dryRun: false }, undefined);
  }
  return true;
}
