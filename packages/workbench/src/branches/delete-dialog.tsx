/** Deletes a branch. One with revisions that no other branch has is deleted when the user has read that they are lost. */
import { useState } from 'preact/hooks';
import { type BranchRecord, deleteBranch } from '../api/branches.js';
import { asProblem, type Problem } from '../api/errors.js';
import { branchText } from '../messages/branches.js';
import { text } from '../messages/en.js';
import { replaceParameters } from '../router.js';
import { branchName, readBranches } from '../state/branch.js';
import { status } from '../state/notices.js';
import { repository } from '../state/repository.js';
import { ProblemView } from '../terms/problem-view.js';
import { Dialog, DialogButtons } from '../ui/dialog.js';

export function DeleteDialog({ branch, onClose }: { readonly branch: BranchRecord; readonly onClose: () => void }) {
  const { name, head } = branch;
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const [working, setWorking] = useState(false);
  const isUnmerged = problem?.code === 'BRANCH_NOT_MERGED';
  const remove = async (event: Event): Promise<void> => {
    event.preventDefault();
    setWorking(true);
    try {
      await deleteBranch(repository.value!, name, isUnmerged);
      const wasShown = name === branchName.value;
      onClose();
      status.value = branchText.removed(name);
      if (wasShown) replaceParameters({ branch: undefined });
      await readBranches();
    } catch (error) {
      setProblem(asProblem(error));
      setWorking(false);
    }
  };
  return (
    <Dialog title={branchText.removeTitle(name)} onClose={onClose}>
      <p>{branchText.removeHelp}</p>
      <form class="stack" onSubmit={(event) => void remove(event)}>
        {isUnmerged ? (
          <p class="notice warning" role="alert">
            {branchText.notMerged(name, head.message ?? text.history.noMessage)}
          </p>
        ) : (
          problem !== undefined && <ProblemView problem={problem} />
        )}
        <DialogButtons
          submit={isUnmerged ? branchText.removeAnyway : branchText.removeButton}
          onClose={onClose}
          danger
          disabled={working}
        />
      </form>
    </Dialog>
  );
}
