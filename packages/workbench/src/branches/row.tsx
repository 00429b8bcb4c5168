/** One branch of the list, with what can be done with it. */
import type { BranchRecord } from '../api/branches.js';
import { branchText } from '../messages/branches.js';
import { ago, date, text } from '../messages/en.js';
import { hrefOf, replaceParameters } from '../router.js';
import { addressOf, branchName, defaultBranch } from '../state/branch.js';
import { isReadOnly } from '../state/session.js';
import { repository } from '../state/repository.js';

export type Act = 'rename' | 'delete';

interface Properties {
  readonly branch: BranchRecord;
  readonly onAct: (act: Act) => void;
}

export function BranchRow({ branch: { name, head, fork, protected: isProtected }, onAct }: Properties) {
  const isDefault = name === defaultBranch.value;
  return (
    <li class="log-entry">
      <div class="log-text">
        <span class="log-message">
          <a href={hrefOf('history', repository.value, { branch: addressOf(name) })}>{name}</a>{' '}
          {isDefault && <span class="tag">{branchText.isDefault}</span>}
          {isProtected === true && <span class="tag">{branchText.isProtected}</span>}
        </span>
        <span class="log-facts muted">
          {text.history.option(head.ordinal, undefined)} ·{' '}
          <time dateTime={head.datetime} title={date(head.datetime)}>
            {ago(head.datetime)}
          </time>
          {' · '}
          {head.message ?? (head.ordinal === 1 ? text.history.first : text.history.noMessage)}
          {fork && <> · {branchText.begins(fork.ordinal)}</>}
        </span>
      </div>
      <Actions name={name} isFixed={isDefault || fork === undefined || fork === null} onAct={onAct} />
    </li>
  );
}

interface ActionsProperties {
  readonly name: string;
  /** Whether it can be neither renamed nor deleted. */
  readonly isFixed: boolean;
  readonly onAct: (act: Act) => void;
}

function Actions({ name, isFixed, onAct }: ActionsProperties) {
  const current = branchName.value;
  return (
    <div class="row">
      {name !== current && (
        <>
          <a
            class="button small"
            aria-label={branchText.compareLabel(name, current)}
            href={hrefOf('compare', repository.value, { from: current, to: name })}
          >
            {branchText.compare}
          </a>
          {!isReadOnly.value && (
            <button
              type="button"
              class="button small"
              aria-label={branchText.mergeLabel(name)}
              onClick={() => replaceParameters({ merge: name })}
            >
              {branchText.merge}
            </button>
          )}
        </>
      )}
      {!isFixed && !isReadOnly.value && (
        <>
          <button
            type="button"
            class="button small"
            aria-label={branchText.renameLabel(name)}
            onClick={() => onAct('rename')}
          >
            {branchText.rename}
          </button>
          <button
            type="button"
            class="button small danger"
            aria-label={branchText.removeLabel(name)}
            onClick={() => onAct('delete')}
          >
            {branchText.remove}
          </button>
        </>
      )}
    </div>
  );
}
