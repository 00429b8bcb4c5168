/** A row of docs/capabilities.json. `words` are regular expressions for what a page could deny. */
export interface Capability {
  readonly name: string;
  readonly words: readonly string[];
  readonly since: string;
  readonly page: string;
  readonly test: string;
}
export function capabilities(): readonly Capability[];
export function capabilitiesPage(): string;
