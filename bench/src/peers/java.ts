/** Stores that are libraries for Java. Maven copies their jars as its own settings say, then our runner is compiled. */
import { readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cachedFolder, PEER_FILES, runProgram, versionLine } from './cache.js';
import type { PeerCommand } from './peer-process.js';

const PROGRAMS = [
  ['java', '-version'],
  ['javac', '-version'],
  ['mvn', '--version'],
] as const;
/** Parts of a peer's folder in the cache. */
const JARS = 'jars';
const CLASSES = 'classes';

/**
 * Downloads and compiles into the cache.
 * @param name the folder of the peer in `bench/peers/java`, which has its pom.xml
 * @throws Error if a program is missing, or the libraries cannot be had
 */
export function prepareJava(name: string): PeerCommand {
  const versions = PROGRAMS.map(([program, option]) => {
    const version = versionLine(program, option);
    if (version === undefined) throw new Error(`${program} is not in the PATH`);
    return version;
  });
  const java = join(PEER_FILES, 'java');
  const sources = [join(java, 'server'), join(java, name)];
  const folder = cachedFolder(name, { files: sources, texts: versions }, (made) => {
    const jars = join(made, JARS);
    const pom = join(java, name, 'pom.xml');
    const options = ['-DincludeScope=runtime', `-DoutputDirectory=${jars}`];
    runProgram('mvn', ['--batch-mode', '--quiet', '-f', pom, 'dependency:copy-dependencies', ...options]);
    const files = sources.flatMap((source) => javaFilesIn(source));
    runProgram('javac', ['-nowarn', '-cp', join(jars, '*'), '-d', join(made, CLASSES), ...files]);
  });
  const path = [join(folder, JARS, '*'), join(folder, CLASSES)].join(delimiter);
  return { command: 'java', args: ['-cp', path, 'Runner'] };
}

const javaFilesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.java'))
    .map((name) => join(folder, name));
