/** Erasing data from all revisions. */
import { request } from './client.js';

/** One of the three says what is erased. Terms are in N-Triples syntax. */
export interface EraseRequest {
  readonly term?: string;
  readonly pattern?: Readonly<Record<string, string>>;
  readonly quads?: string;
  readonly reason: string;
}

export interface EraseReport {
  readonly quads: number;
  readonly terms: number;
  readonly revisions: number;
  readonly branches: number;
  readonly bytesRewritten: number;
  /** Where copies may still be, in sentences. */
  readonly copies: readonly string[];
}

/** For the owner alone. It cannot be undone. */
export async function eraseData(repository: string, erase: EraseRequest): Promise<EraseReport> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(erase) };
  return (await (await request(`${repository}/erase`, init)).json()) as EraseReport;
}
