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
  constraints: (count: number): string =>
    `What a commit checks: ${count === 1 ? '1 constraint' : `${number(count)} constraints`}`,
  affected: 'The nodes that a change can affect.',
  all: (patterns: string): string => `All nodes after a change of ${patterns}, else those that it can affect.`,
  cost: ({ commits, nodes, milliseconds }: Readonly<Record<'commits' | 'nodes' | 'milliseconds', number>>): string =>
    commits === 0
      ? 'No commit was checked yet.'
      : `Last commits: ${number(commits)}, nodes: ${number(nodes)}, time: ${milliseconds.toFixed(1)} ms.`,
  more: (count: number): string => `and ${number(count)} more`,
} as const;
