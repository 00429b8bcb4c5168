/** The revisions of the rows of a squash. */
import { UNPUBLISHED } from '../format/layout.js';
import type { RevisionRecord } from './record.js';

/** The revision of a row of a squash. Runs of an imported one have placeholders. */
export const numberOf = ({ number }: Pick<RevisionRecord, 'number'>, ofRow: number): number =>
  ofRow <= UNPUBLISHED ? number : ofRow;
