/** Gives a branch another name. */
import { type BranchRecord, renameBranch } from '../api/branches.js';
import { branchText } from '../messages/branches.js';
import { replaceParameters } from '../router.js';
import { addressOf, branchName, readBranches } from '../state/branch.js';
import { status } from '../state/notices.js';
import { repository } from '../state/repository.js';
import { NameDialog } from './name-dialog.js';

export function RenameDialog({
  branch: { name },
  onClose,
}: {
  readonly branch: BranchRecord;
  readonly onClose: () => void;
}) {
  const rename = async (to: string): Promise<void> => {
    const isShown = name === branchName.value;
    if (to !== name) await renameBranch(repository.value!, name, to);
    onClose();
    status.value = branchText.renamed(to);
    // The page goes with the branch that it shows.
    if (isShown) replaceParameters({ branch: addressOf(to) });
    await readBranches();
  };
  return (
    <NameDialog
      title={branchText.renameTitle(name)}
      help={branchText.renameHelp}
      submit={branchText.renameButton}
      first={name}
      onName={rename}
      onClose={onClose}
    />
  );
}
