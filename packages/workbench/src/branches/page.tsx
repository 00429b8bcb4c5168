/** The branches of a repository. */
import { useEffect, useState } from 'preact/hooks';
import type { BranchRecord } from '../api/branches.js';
import { branchText } from '../messages/branches.js';
import { text } from '../messages/en.js';
import { replaceParameters, route } from '../router.js';
import { branches, branchName, readBranches } from '../state/branch.js';
import { head } from '../state/revision.js';
import { hasFeature, isReadOnly } from '../state/session.js';
import { Icon } from '../ui/icon.js';
import { SearchField } from '../ui/search-field.js';
import { CreateDialog } from './create-dialog.js';
import { DeleteDialog } from './delete-dialog.js';
import { MergeDialog } from './merge-dialog.js';
import { RenameDialog } from './rename-dialog.js';
import { type Act, BranchRow } from './row.js';

/** More than these can be filtered, and are shown in parts. */
const MANY = 10;
const AT_ONCE = 100;

export function BranchesPage() {
  const { new: creating, merge } = isReadOnly.value ? {} : route.value.parameters;
  const [acting, setActing] = useState<{ readonly act: Act; readonly branch: BranchRecord } | undefined>(undefined);
  const [filter, setFilter] = useState('');
  const [most, setMost] = useState(AT_ONCE);
  // Commits of others move the heads.
  useEffect(() => void readBranches(), [head.value?.uuid]);
  const all = branches.value;
  const wanted = filter.trim().toLowerCase();
  const found = (all ?? []).filter(({ name }) => name.toLowerCase().includes(wanted));
  const close = (): void => setActing(undefined);
  return (
    <div class="column wide">
      <div class="title-row">
        <div>
          <h1>{text.pages.branches}</h1>
          <p class="muted">{branchText.lead}</p>
        </div>
        {!isReadOnly.value && (
          <button type="button" class="button primary" onClick={() => replaceParameters({ new: '' })}>
            <Icon name="plus" />
            {branchText.create}
          </button>
        )}
      </div>
      {!hasFeature('branches') && <p class="empty-note">{branchText.none}</p>}
      {(all?.length ?? 0) > MANY && (
        <div class="filters">
          <SearchField label={branchText.filter} value={filter} onInput={setFilter} />
        </div>
      )}
      {all === undefined ? (
        <p class="loading">{text.loading}</p>
      ) : (
        <ul class="log" aria-label={branchText.list}>
          {ordered(found)
            .slice(0, most)
            .map((branch) => (
              <BranchRow key={branch.name} branch={branch} onAct={(act) => setActing({ act, branch })} />
            ))}
        </ul>
      )}
      {found.length > most && (
        <button type="button" class="button" onClick={() => setMost(most + AT_ONCE)}>
          {text.history.moreGroups(found.length - most)}
        </button>
      )}
      {creating !== undefined && <CreateDialog onClose={() => replaceParameters({ new: undefined })} />}
      {merge !== undefined && (
        <MergeDialog source={merge} target={branchName.value} onClose={() => replaceParameters({ merge: undefined })} />
      )}
      {acting?.act === 'rename' && <RenameDialog branch={acting.branch} onClose={close} />}
      {acting?.act === 'delete' && <DeleteDialog branch={acting.branch} onClose={close} />}
    </div>
  );
}

/** The default branch first, then those that were changed last. */
const ordered = (list: readonly BranchRecord[]): BranchRecord[] =>
  list.toSorted((one, other) => {
    if ((one.default === true) !== (other.default === true)) return one.default === true ? -1 : 1;
    return other.head.datetime.localeCompare(one.head.datetime) || one.name.localeCompare(other.name);
  });
