/** The changes that a merge makes. */
import type { MergePreview } from '../api/branches.js';
import { mergeText } from '../messages/branches.js';
import { Changes } from '../terms/changes.js';

export function MergeChanges({ preview: { changes, added, removed } }: { readonly preview: MergePreview }) {
  return (
    <div class="preview" tabIndex={0} role="group" aria-label={mergeText.changes}>
      <Changes changes={changes} cut={false} />
      {changes.length < added + removed && <p class="empty-note">{mergeText.cut(changes.length)}</p>}
    </div>
  );
}
