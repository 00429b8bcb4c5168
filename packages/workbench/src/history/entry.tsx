/** A revision in the log. */
import { parentsOf, type RevisionRecord } from '../api/revisions.js';
import { logText } from '../messages/log.js';
import { ago, date, number, text } from '../messages/en.js';
import { hrefOf } from '../router.js';
import { heads } from '../state/branch.js';
import { repository } from '../state/repository.js';
import { head, revisions, tags } from '../state/revision.js';
import { isReadOnly } from '../state/session.js';
import { PlusMinus } from '../terms/changes.js';
import { Icon } from '../ui/icon.js';
import { GraphCell, graphWidth } from './graph-cell.js';
import type { Row } from './lanes.js';

export interface Drawn {
  readonly row: Row;
  /** Of all rows. */
  readonly lanes: number;
}

interface Properties {
  readonly revision: RevisionRecord;
  /** Undefined where the log is not the whole history. */
  readonly drawn: Drawn | undefined;
  /** Whether the branch that is shown does not have it. */
  readonly isElsewhere: boolean;
  /** What it merged, where that is in the log too. */
  readonly merged: RevisionRecord | undefined;
  readonly onAct: (acting: Acting) => void;
}

/** What a dialog is about: reverting a revision, or picking one of another branch, which has a name then. */
export interface Acting {
  readonly revision: RevisionRecord;
  readonly name?: string;
}

export function Entry({ revision, drawn, isElsewhere, merged: found, onAct }: Properties) {
  const { ordinal, datetime, agent, added, removed, violations } = revision;
  const merged = parentsOf(revision)[1];
  const width = drawn === undefined ? 0 : graphWidth(drawn.lanes);
  return (
    <li class="log-entry" style={drawn === undefined ? undefined : { paddingLeft: `${String(width + 8)}px` }}>
      {drawn !== undefined && <GraphCell row={drawn.row} width={width} isMerge={merged !== undefined} />}
      <span class="log-number">{isElsewhere ? refIn(revision) : number(ordinal)}</span>
      <div class="log-text">
        <Message revision={revision} />
        <span class="log-facts muted">
          {agent !== null && <>{agent} · </>}
          <time dateTime={datetime} title={date(datetime)}>
            {ago(datetime)}
          </time>{' '}
          · <PlusMinus added={added} removed={removed} />
          {violations !== undefined && (
            <>
              {' · '}
              <a
                href={hrefOf('shapes', repository.value, {
                  at: isElsewhere ? revision.uuid : String(ordinal),
                  change: '1',
                })}
              >
                {logText.violations(violations)}
              </a>
            </>
          )}
          {merged !== undefined && <Merged uuid={merged} found={found} />}
        </span>
      </div>
      <Actions revision={revision} isElsewhere={isElsewhere} onAct={onAct} />
    </li>
  );
}

function Message({ revision: { uuid, ordinal, message } }: Pick<Properties, 'revision'>) {
  return (
    <span class="log-message">
      {message ?? <span class="muted">{ordinal === 1 ? text.history.first : text.history.noMessage}</span>}{' '}
      {(heads.value.get(uuid) ?? []).map((name) => (
        <span key={name} class="tag branch">
          <Icon name="branch" />
          <span class="hidden-text">{logText.headOf} </span>
          {name}
        </span>
      ))}
      {(tags.value.get(uuid) ?? []).map((tag) => (
        <span key={tag} class="tag">
          {tag}
        </span>
      ))}
    </span>
  );
}

/** A name of a revision of another branch: of a deleted one the beginning of its id. */
const refIn = ({ uuid, branch, ordinal }: RevisionRecord): string =>
  typeof branch === 'string' ? `${branch}#${String(ordinal)}` : uuid.slice(0, 8);

/** What a merge has brought. */
function Merged({ uuid, found }: { readonly uuid: string; readonly found: RevisionRecord | undefined }) {
  const name = found === undefined ? uuid.slice(0, 8) : refIn(found);
  return (
    <>
      {' · '}
      {logText.merges} <a href={hrefOf('query', repository.value, { at: uuid })}>{name}</a>
    </>
  );
}

function Actions({ revision, isElsewhere, onAct }: Pick<Properties, 'revision' | 'isElsewhere' | 'onAct'>) {
  const { from, to, at } = refsOf(revision, isElsewhere);
  return (
    <div class="row">
      {from !== undefined && (
        <a class="button small" href={hrefOf('compare', repository.value, { from, to })}>
          {text.history.showChanges}
        </a>
      )}
      <a class="button small" href={hrefOf('query', repository.value, { at })}>
        {text.history.queryHere}
      </a>
      {from !== undefined && !isElsewhere && !isReadOnly.value && (
        <button type="button" class="button small" onClick={() => onAct({ revision })}>
          {text.history.revert}
        </button>
      )}
      {from !== undefined && isElsewhere && !isReadOnly.value && (
        <button type="button" class="button small" onClick={() => onAct({ revision, name: refIn(revision) })}>
          {logText.pick}
        </button>
      )}
    </div>
  );
}

/** What names a revision, and the one before it. Numbers mean others on other branches. */
function refsOf({ uuid, ordinal, predecessor }: RevisionRecord, isElsewhere: boolean) {
  const before = predecessor ?? undefined;
  if (isElsewhere) return { from: before, to: uuid, at: uuid };
  // The number before may be one of a trimmed revision.
  const held = revisions.value.find((revision) => revision.uuid === before)?.ordinal;
  const number = String(ordinal);
  return { from: held?.toString() ?? before, to: number, at: uuid === head.value?.uuid ? undefined : number };
}
