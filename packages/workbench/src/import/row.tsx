/** One document of the queue. */
import { text } from '../messages/en.js';
import { hrefOf } from '../router.js';
import { cancelImport, type Import } from '../state/imports.js';
import { PlusMinus } from '../terms/changes.js';

export function ImportRow({ item }: { readonly item: Import }) {
  const { id, name, phase, share, statements, rate, revision, problem, repository } = item;
  const working = phase === 'uploading' || phase === 'loading';
  return (
    <li class="log-entry">
      <div class="log-text">
        <span class="log-message">{name}</span>
        <span class="log-facts muted">
          {text.import.phases[phase]}
          {working && <> · {text.import.percent(share)}</>}
          {phase === 'loading' && statements !== undefined && <> · {text.import.loaded(statements, rate)}</>}
          {phase === 'completed' && (
            <>
              {' · '}
              {revision === undefined ? text.import.unchanged : text.history.option(revision.ordinal, undefined)}
              {revision !== undefined && (
                <>
                  {' · '}
                  <PlusMinus added={revision.added} removed={revision.removed} />
                </>
              )}
            </>
          )}
        </span>
        {problem !== undefined && <span class="field-error">{problem.message}</span>}
        {working && <progress max={1} value={share} aria-label={`${name}: ${text.import.phases[phase]}`} />}
      </div>
      <div class="row">
        {(working || phase === 'waiting') && (
          <button type="button" class="button small" onClick={() => cancelImport(id)}>
            {text.cancel}
          </button>
        )}
        {revision !== undefined && (
          <a
            class="button small"
            href={hrefOf('compare', repository, { from: String(revision.ordinal - 1), to: String(revision.ordinal) })}
          >
            {text.history.showChanges}
          </a>
        )}
      </div>
    </li>
  );
}
