/** What a change would do: it is prepared and checked up to its commit, which is not made. */
import type { ChangePreview, Revision } from '../api/index.js';

/** Ends a change in place of its commit. */
class NotCommitted extends Error {
  constructor(readonly revision: Revision) {
    super('a preview');
  }
}

/**
 * Runs a change with a function for its `records`, which are asked for last, when everything else is settled.
 * @throws what the change throws: also what refuses its commit, such as shapes
 */
export async function previewChange(
  change: (records: (revision: Revision) => never) => Promise<unknown>,
): Promise<ChangePreview> {
  try {
    await change((revision) => {
      throw new NotCommitted(revision);
    });
  } catch (error) {
    if (!(error instanceof NotCommitted)) throw error;
    const { added, removed } = error.revision;
    return { added, removed };
  }
  // Without a revision nobody asks for records.
  return { added: 0, removed: 0 };
}
