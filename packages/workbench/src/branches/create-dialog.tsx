/** Makes a branch, and shows it. */
import { useState } from 'preact/hooks';
import { createBranch } from '../api/branches.js';
import { branchText } from '../messages/branches.js';
import { hrefOf, navigate } from '../router.js';
import { addressOf, branches, branchName, readBranches } from '../state/branch.js';
import { status } from '../state/notices.js';
import { repository } from '../state/repository.js';
import { refOptions } from '../terms/refs.js';
import { ComboField } from '../ui/combo-field.js';
import { NameDialog } from './name-dialog.js';

export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const [from, setFrom] = useState(branchName.value);
  const names = (branches.value ?? []).map(({ name }) => ({ value: name }));
  const known = new Set(names.map(({ value }) => value));
  const options = [...names, ...refOptions().filter(({ value }) => !known.has(value))];
  const create = async (name: string): Promise<void> => {
    await createBranch(repository.value!, name, from, branchName.value);
    await readBranches();
    status.value = branchText.created(name);
    navigate(hrefOf('history', repository.value, { branch: addressOf(name) }));
  };
  return (
    <NameDialog
      title={branchText.create}
      help={branchText.createHelp}
      submit={branchText.createButton}
      first=""
      onName={create}
      onClose={onClose}
    >
      <div class="field">
        <span aria-hidden="true">{branchText.from}</span>
        <ComboField label={branchText.from} value={from} options={options} onChange={setFrom} />
      </div>
    </NameDialog>
  );
}
