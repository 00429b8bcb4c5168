/** Texts of the report of the shapes. */
import { number } from './en.js';

export const shapesText = {
  conforms: 'All statements obey the shapes.',
  count: (count: number, isCut: boolean): string =>
    count === 1 ? '1 result' : isCut ? `The first ${number(count)} results` : `${number(count)} results`,
  ofChange: (at: string): string => `What revision ${at} has changed alone`,
  ofAll: (at: string | undefined): string => (at === undefined ? 'The current revision' : `Revision ${at}`),
  showAll: 'Validate all of the revision',
  noShapes: 'No graph of shapes is set. The owner names one in the settings.',
  warnings: (count: number): string =>
    count === 1
      ? '1 statement of the shapes has no meaning'
      : `${number(count)} statements of the shapes have no meaning`,
  more: (count: number): string => `and ${number(count)} more`,
} as const;
