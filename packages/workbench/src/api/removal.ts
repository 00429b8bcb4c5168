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
export const eraseData = (repository: string, erase: EraseRequest): Promise<EraseReport> => send(repository, erase);

/** What an erasure would do now. Terms and bytes are not known before. */
export const previewErasure = (
  repository: string,
  target: Omit<EraseRequest, 'reason'>,
  signal: AbortSignal,
): Promise<EraseReport> => send(repository, { ...target, reason: 'preview', dryRun: true }, signal);

async function send(
  repository: string,
  erase: EraseRequest & { readonly dryRun?: boolean },
  signal?: AbortSignal,
): Promise<EraseReport> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(erase), ...(signal && { signal }) };
  return (await (await request(`${repository}/erase`, init)).json()) as EraseReport;
}
