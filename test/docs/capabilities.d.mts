/** A row of docs/capabilities.json. `words` are regular expressions for what a page could deny. */
export interface Capability {
  readonly name: string;
  /** Under which the README lists it. */
  readonly group: string;
  readonly words: readonly string[];
  /** What `/system` of a server calls it. */
  readonly features?: readonly string[];
  readonly since: string;
  readonly page: string;
  readonly test: string;
}
export function capabilities(): readonly Capability[];
export function capabilitiesPage(): string;
export function capabilityGroups(base: string): string;
