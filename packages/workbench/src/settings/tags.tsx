/** Names of revisions. */
import { useState } from 'preact/hooks';
import { refOf, type RevisionRecord } from '../api/revisions.js';
import { removeTag, setTag } from '../api/settings.js';
import { settingsText } from '../messages/settings.js';
import { text } from '../messages/en.js';
import { hrefOf } from '../router.js';
import { fail } from '../state/notices.js';
import { repository } from '../state/repository.js';
import { readRevisions, revisions, tags } from '../state/revision.js';
import { Entries } from './entries.js';

export function Tags() {
  const name = repository.value!;
  const act = (action: Promise<void>): Promise<void> => action.then(() => readRevisions()).catch(fail);
  const byUuid = new Map(revisions.value.map((revision) => [revision.uuid, revision]));
  const entries = [...tags.value].flatMap(([uuid, names]) =>
    names.map((tag) => ({
      name: tag,
      content: <RevisionLink tag={tag} revision={byUuid.get(uuid)} />,
      remove: settingsText.removeTag(tag),
      onRemove: () => void act(removeTag(name, tag)),
    })),
  );
  return (
    <Entries
      title={settingsText.tags}
      help={settingsText.tagsHelp}
      none={settingsText.noTags}
      entries={entries.toSorted((a, b) => a.name.localeCompare(b.name))}
    >
      <Add onAdd={(tag, ordinal) => act(setTag(name, tag, refOf(ordinal)))} />
    </Entries>
  );
}

/** A tag may name a revision that is older than those of the timeline. */
function RevisionLink({ tag, revision }: { readonly tag: string; readonly revision: RevisionRecord | undefined }) {
  const label = revision === undefined ? tag : settingsText.showRevision(revision.ordinal);
  return <a href={hrefOf('query', repository.value, { at: String(revision?.ordinal ?? tag) })}>{label}</a>;
}

function Add({ onAdd }: { readonly onAdd: (tag: string, ordinal: string) => Promise<void> }) {
  const [tag, setName] = useState('');
  const [ordinal, setOrdinal] = useState('');
  const list = revisions.value.toReversed();
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        void onAdd(tag.trim(), ordinal || String(list[0]?.ordinal ?? 1)).then(() =>
          // The user may write the next one already.
          setName((now) => (now === tag ? '' : now)),
        );
      }}
    >
      <input
        required
        aria-label={settingsText.tag}
        placeholder="v1"
        class="grow"
        maxLength={100}
        value={tag}
        onInput={({ currentTarget: { value } }) => setName(value)}
      />
      <select
        aria-label={settingsText.ofRevision}
        value={ordinal}
        onChange={({ currentTarget: { value } }) => setOrdinal(value)}
      >
        {list.map((revision, index) => (
          <option key={revision.uuid} value={index === 0 ? '' : String(revision.ordinal)}>
            {text.history.option(revision.ordinal, undefined)}
          </option>
        ))}
      </select>
      <button type="submit" class="button">
        {settingsText.addTag}
      </button>
    </form>
  );
}
