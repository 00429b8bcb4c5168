/** One document of the queue. */
import { useState } from 'preact/hooks';
import { hasLines } from '../api/imports.js';
import { text } from '../messages/en.js';
import { importText } from '../messages/import.js';
import { hrefOf } from '../router.js';
import { addressOf, branchName } from '../state/branch.js';
import { cancelImport, type Import, importAsked, markReverted, retryImport } from '../state/imports.js';
import { PlusMinus } from '../terms/changes.js';
import { RevertDialog } from '../terms/revert-dialog.js';
import { BadLines } from './bad-lines.js';

export function ImportRow({ item }: { readonly item: Import }) {
  const { name, phase, share, problem, problems = 0, job } = item;
  const [open, setOpen] = useState(false);
  const working = isWorking(phase);
  return (
    <li class="log-entry">
      <div class="log-text">
        <span class="log-message">{name}</span>
        <Facts item={item} />
        {problem !== undefined && <span class="field-error">{problem.message}</span>}
        {working && <progress max={1} value={share} aria-label={`${name}: ${text.import.phases[phase]}`} />}
      </div>
      <div class="row">
        {problems > 0 && !working && (
          <button type="button" class="button small" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? text.import.hideBad : text.import.showBad(problems)}
          </button>
        )}
        <Actions item={item} />
      </div>
      {open && job !== undefined && <BadLines job={job} count={problems} />}
    </li>
  );
}

/** Whether it has a share that is done. */
const isWorking = (phase: Import['phase']): phase is 'mapping' | 'uploading' | 'loading' =>
  phase === 'mapping' || phase === 'uploading' || phase === 'loading';

/** What is known of the document, after its name. */
function Facts({ item }: { readonly item: Import }) {
  const { phase, share, statements, rate, revision, effect, problems = 0, isReverted } = item;
  const facts: string[] = [text.import.phases[phase]];
  if (isElsewhere(item)) facts.push(text.branch(item.branch!));
  if (isWorking(phase)) facts.push(text.import.percent(share));
  if (phase === 'loading' && statements !== undefined) facts.push(text.import.loaded(statements, rate));
  const left = secondsLeft(item);
  if (left !== undefined) facts.push(text.import.left(left));
  if (effect !== undefined) facts.push(importText.wouldChange);
  else if (phase === 'completed')
    facts.push(revision === undefined ? text.import.unchanged : text.history.option(revision.ordinal, undefined));
  return (
    <span class="log-facts muted">
      {facts.join(' · ')}
      {(revision ?? effect) !== undefined && (
        <>
          {' · '}
          <PlusMinus {...(revision ?? effect)!} />
        </>
      )}
      {phase === 'completed' && problems > 0 && <> · {text.import.skipped(problems)}</>}
      {isReverted === true && <> · {text.import.reverted}</>}
    </span>
  );
}

/** Whether it went to another branch than the one that is shown. */
const isElsewhere = ({ branch }: Import): boolean => branch !== undefined && branch !== branchName.value;

/** An estimate is of use when a part is done, and some seconds have gone by. */
const LEAST_SHARE = 0.05;
const LEAST_MS = 2000;

function secondsLeft({ phase, share, since }: Import): number | undefined {
  const elapsed = Date.now() - since;
  if (!isWorking(phase) || share < LEAST_SHARE || elapsed < LEAST_MS) return undefined;
  return Math.ceil((elapsed * (1 - share)) / share / 1000);
}

function Actions({ item }: { readonly item: Import }) {
  const { id, name, phase, revision, effect, repository, branch, skip, isReverted, problem } = item;
  const [reverting, setReverting] = useState(false);
  if (phase === 'failed')
    return (
      <>
        {!skip && hasLines(name) && problem?.code === 'IMPORT_FAILED' && (
          <button type="button" class="button small" onClick={() => retryImport(id, true)}>
            {text.import.loadRest}
          </button>
        )}
        <button type="button" class="button small" onClick={() => retryImport(id, skip)}>
          {text.retry}
        </button>
      </>
    );
  if (phase === 'waiting' || isWorking(phase))
    return (
      <button type="button" class="button small" onClick={() => cancelImport(id)}>
        {text.cancel}
      </button>
    );
  if (effect !== undefined)
    return (
      <button type="button" class="button small" onClick={() => importAsked(id)}>
        {importText.importNow}
      </button>
    );
  if (revision === undefined) return null;
  const range = { from: String(revision.ordinal - 1), to: String(revision.ordinal) };
  return (
    <>
      <a
        class="button small"
        href={hrefOf('compare', repository, { ...range, branch: addressOf(branch ?? branchName.value) })}
      >
        {text.history.showChanges}
      </a>
      {isReverted !== true && !isElsewhere(item) && (
        <button type="button" class="button small" onClick={() => setReverting(true)}>
          {text.history.revert}
        </button>
      )}
      {reverting && (
        <RevertDialog revision={revision} onClose={() => setReverting(false)} onReverted={() => markReverted(id)} />
      )}
    </>
  );
}
