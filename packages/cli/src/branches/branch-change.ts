/** What the command does with a branch, of a store or of a server. */
export interface BranchChange {
  readonly name: string;
  readonly what: 'create' | 'rename' | 'delete';
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly force: boolean;
}

export const renamed = (name: string, to: string): string => `${name} is ${to} now`;
export const deleted = (name: string): string => `${name} is deleted`;
