/** Writes the page of a published store beside its files, and what describes it to programs. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Database, PublishReport } from 'quadrille';
import { folderFailure } from '../playground/write-folder.js';
import { describePublication } from './describe-publication.js';

/** What {@link writePage} has done. */
export interface PageReport {
  /** Whether the page is there. Without: the folder has an `index.html` of its own, which stays. */
  readonly page: boolean;
  /** Files that were written now. Others are as they were. */
  readonly writtenFiles: number;
  readonly writtenBytes: number;
}

interface PageFile {
  /** Relative, with slashes. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

const PAGE = 'index.html';
const WORKER = 'sw.js';
const FOLDER = 'page';
/** In the pages that are written here, and in no other. */
const OURS = '<meta name="quadrille-place"';
/** A file on its way, as those of the publication. */
const PART = '.quadrille-part';

/**
 * Writes the page of a store to the folder of a publication: `index.html`, `sw.js` and the folder `page`, and `void.ttl`. What is there already
 * stays, and files of an earlier version of the page go. `index.html` comes last, so that it names no file that is missing.
 * @param database the store that was published
 * @throws StorageError `STORAGE_FULL`, `STORAGE_IO`; what reading the store throws
 */
export async function writePage({ location, repositories }: PublishReport, database: Database): Promise<PageReport> {
  const { siteFiles } = await import('@quadrille/workbench');
  const description = new TextEncoder().encode(await describePublication(database, repositories));
  const before = await contentOf(join(location, PAGE));
  const page = before === undefined || new TextDecoder().decode(before).includes(OURS);
  const files = page
    ? siteFiles()
        .toSorted((one, other) => order(one) - order(other))
        .map(namingIn(repositories))
    : [];
  let [writtenFiles, writtenBytes] = [0, 0];
  for (const file of [{ path: 'void.ttl', bytes: description }, ...files]) {
    if (!(await writeIfNew(location, file))) continue;
    writtenFiles++;
    writtenBytes += file.bytes.length;
  }
  if (page) await removeOthers(location, new Set(files.map(({ path }) => path)));
  return { page, writtenFiles, writtenBytes };
}

/**
 * With one repository, the page shows it without asking for the list. Browsers that have kept the page look for another one when its service
 * worker has other bytes.
 */
function namingIn(repositories: PublishReport['repositories']): (file: PageFile) => PageFile {
  const name = repositories.length === 1 ? repositories[0]!.name : '';
  return (file) => {
    if (file.path !== PAGE && file.path !== WORKER) return file;
    const text = new TextDecoder().decode(file.bytes);
    const named = `<meta name="quadrille-repository" content="${name}" />\n    ${OURS}`;
    const changed = file.path === PAGE ? text.replace(OURS, named) : `${text}// ${name}\n`;
    return { path: file.path, bytes: new TextEncoder().encode(changed) };
  };
}

const order = ({ path }: PageFile): number => (path === PAGE ? 1 : 0);

async function writeIfNew(folder: string, { path, bytes }: PageFile): Promise<boolean> {
  const target = join(folder, path);
  const before = await contentOf(target);
  if (before !== undefined && Buffer.compare(before, bytes) === 0) return false;
  const part = join(folder, PART);
  try {
    await mkdir(dirname(target), { recursive: true });
    await writeFile(part, bytes);
    await rename(part, target);
    return true;
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw folderFailure(target, error);
  }
}

async function contentOf(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw folderFailure(path, error);
  }
}

/** Files of another version. Pages that are open have kept theirs. */
async function removeOthers(folder: string, files: ReadonlySet<string>): Promise<void> {
  const found = await readdir(join(folder, FOLDER), { recursive: true, withFileTypes: true });
  for (const entry of found) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1).replaceAll('\\', '/');
    if (entry.isFile() && !files.has(name)) await rm(path, { force: true });
  }
}
