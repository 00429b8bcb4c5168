/** Changes between two revisions, grouped by subject or predicate. */
import { useState } from 'preact/hooks';
import type { ChangeRecord } from '../api/revisions.js';
import { number, text } from '../messages/en.js';
import { replaceParameters, route } from '../router.js';
import { TermText, TermView } from './term-view.js';

type Grouping = 'subject' | 'predicate';

/** So many groups are drawn at first. */
const GROUPS_AT_ONCE = 100;
/** So many groups stand open. */
const OPEN_AT_FIRST = 5;

export function Changes({ changes, cut }: { readonly changes: readonly ChangeRecord[]; readonly cut: boolean }) {
  const grouping: Grouping = route.value.parameters['group'] === 'predicate' ? 'predicate' : 'subject';
  const setGrouping = (name: Grouping): void => replaceParameters({ group: name === 'subject' ? undefined : name });
  const [most, setMost] = useState(GROUPS_AT_ONCE);
  const groups = groupsOf(changes, grouping);
  return (
    <div class="changes-view">
      <fieldset class="inline-choice">
        <legend>{text.history.groupBy}</legend>
        {(['subject', 'predicate'] as const).map((name) => (
          <label key={name}>
            <input type="radio" name="grouping" checked={grouping === name} onChange={() => setGrouping(name)} />
            {text.history.groupings[name]}
          </label>
        ))}
      </fieldset>
      {groups.slice(0, most).map(([key, list], index) => (
        <details key={`${grouping}${key}`} open={index < OPEN_AT_FIRST} class="change-group">
          <summary>
            <TermText cell={key} /> <Counts changes={list} />
          </summary>
          <ul>
            {list.map((change) => (
              <Change key={JSON.stringify(change)} change={change} grouping={grouping} />
            ))}
          </ul>
        </details>
      ))}
      {groups.length > most && (
        <button type="button" class="button" onClick={() => setMost(most + GROUPS_AT_ONCE)}>
          {text.history.moreGroups(groups.length - most)}
        </button>
      )}
      {cut && <p class="empty-note">{text.history.cut(changes.length)}</p>}
    </div>
  );
}

function groupsOf(changes: readonly ChangeRecord[], grouping: Grouping): [string, ChangeRecord[]][] {
  const groups = new Map<string, ChangeRecord[]>();
  for (const change of changes) {
    const list = groups.get(change[grouping]);
    if (list === undefined) groups.set(change[grouping], [change]);
    else list.push(change);
  }
  return [...groups];
}

export function Counts({ changes }: { readonly changes: readonly ChangeRecord[] }) {
  const added = changes.filter(({ op }) => op === 'add').length;
  return <PlusMinus added={added} removed={changes.length - added} />;
}

export function PlusMinus({ added, removed }: { readonly added: number; readonly removed: number }) {
  return (
    <span class="changes">
      <span class={added > 0 ? 'plus' : 'zero'}>+{number(added)}</span>{' '}
      <span class={removed > 0 ? 'minus' : 'zero'}>−{number(removed)}</span>
    </span>
  );
}

function Change({ change, grouping }: { readonly change: ChangeRecord; readonly grouping: Grouping }) {
  const { op, subject, predicate, object, graph } = change;
  return (
    <li class={op === 'add' ? 'change added' : 'change removed'}>
      <span class="change-mark" aria-hidden="true">
        {op === 'add' ? '+' : '−'}
      </span>
      <span class="hidden-text">{op === 'add' ? text.history.added : text.history.removed}</span>
      <TermView cell={grouping === 'subject' ? predicate : subject} />
      <TermView cell={object} />
      {graph !== null && (
        <span class="change-graph">
          <TermView cell={graph} />
        </span>
      )}
    </li>
  );
}
