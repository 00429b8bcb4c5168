export interface PackageRules {
  /** Folders of the packages that it may import. */
  readonly uses: readonly string[];
  /** `anywhere`: also in browsers, so it imports no module of Node.js but in the folders `node`. */
  readonly runs: 'anywhere' | 'node';
  readonly node?: readonly string[];
  /** Files of a package for Node.js that browsers run too. */
  readonly anywhere?: readonly string[];
  /** Whether its files contain packages that nobody has to install with it. */
  readonly bundles?: boolean;
  /** Modules that it must not import beside. */
  readonly forbids?: readonly string[];
}

export type PackageTable = Readonly<Record<string, PackageRules>>;

export function readTable(): PackageTable;
export function importName(folder: string): string;
export function lintOverrides(table: PackageTable): unknown[];
export function withRules(config: unknown, table: PackageTable): unknown;
export function readConfig(): unknown;
