/** Memory of another process. */
import { execFileSync } from 'node:child_process';

export function residentBytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
}
