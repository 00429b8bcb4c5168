/** A revision in the log. */
import { parentsOf, type RevisionRecord } from '../api/revisions.js';
import { logText } from '../messages/log.js';
import { ago, date, number, text } from '../messages/en.js';
import { hrefOf } from '../router.js';
import { repository } from '../state/repository.js';
import { head, tags } from '../state/revision.js';
import { PlusMinus } from '../terms/changes.js';
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
  /** A name of any revision of the log. */
  readonly nameOf: (uuid: string) => string | undefined;
  readonly onRevert: (revision: RevisionRecord) => void;
}

export function Entry({ revision, drawn, nameOf, onRevert }: Properties) {
  const { uuid, ordinal, datetime, message, agent, added, removed } = revision;
  const merged = parentsOf(revision)[1];
  const width = drawn === undefined ? 0 : graphWidth(drawn.lanes);
  return (
    <li class="log-entry" style={drawn === undefined ? undefined : { paddingLeft: `${String(width + 8)}px` }}>
      {drawn !== undefined && <GraphCell row={drawn.row} width={width} isMerge={merged !== undefined} />}
      <span class="log-number">{number(ordinal)}</span>
      <div class="log-text">
        <span class="log-message">
          {message ?? <span class="muted">{ordinal === 1 ? text.history.first : text.history.noMessage}</span>}{' '}
          {(tags.value.get(uuid) ?? []).map((tag) => (
            <span key={tag} class="tag">
              {tag}
            </span>
          ))}
        </span>
        <span class="log-facts muted">
          {agent !== null && <>{agent} · </>}
          <time dateTime={datetime} title={date(datetime)}>
            {ago(datetime)}
          </time>{' '}
          · <PlusMinus added={added} removed={removed} />
          {merged !== undefined && <Merged uuid={merged} name={nameOf(merged)} into={uuid} />}
        </span>
      </div>
      <Actions revision={revision} onRevert={onRevert} />
    </li>
  );
}

/** What a merge has brought. */
function Merged({
  uuid,
  name,
  into,
}: {
  readonly uuid: string;
  readonly name: string | undefined;
  readonly into: string;
}) {
  return (
    <>
      {' · '}
      {logText.merges}{' '}
      <a href={hrefOf('compare', repository.value, { from: into, to: uuid })}>{name ?? uuid.slice(0, 8)}</a>
    </>
  );
}

function Actions({ revision, onRevert }: Pick<Properties, 'revision' | 'onRevert'>) {
  const { ordinal } = revision;
  const at = ordinal === head.value?.ordinal ? undefined : String(ordinal);
  return (
    <div class="row">
      {ordinal > 1 && (
        <a
          class="button small"
          href={hrefOf('compare', repository.value, { from: String(ordinal - 1), to: String(ordinal) })}
        >
          {text.history.showChanges}
        </a>
      )}
      <a class="button small" href={hrefOf('query', repository.value, { at })}>
        {text.history.queryHere}
      </a>
      {ordinal > 1 && (
        <button type="button" class="button small" onClick={() => onRevert(revision)}>
          {text.history.revert}
        </button>
      )}
    </div>
  );
}
