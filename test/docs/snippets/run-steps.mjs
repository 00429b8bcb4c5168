// Runs the steps of pages, all programs in this one process. Reads a plan (JSON) and writes the outcomes: node run-steps.mjs PLAN OUTCOMES
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createFixture } from './fixture.mjs';

const LONGEST_MS = 30_000;
/** Programs print it where a block ends. */
const END_OF_BLOCK = '\u0000end of block\n';

const [planPath, outcomesPath] = process.argv.slice(2);
const { folder, pages } = JSON.parse(await readFile(planPath, 'utf8'));
const fixture = await createFixture(folder);
const outcomes = [];
/** Errors that a program has thrown outside of its own promise. */
let stray = [];
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error) => stray.push(String(error?.stack ?? error)));
for (const page of pages) outcomes.push({ path: page.path, steps: await runPage(page) });
await writeFile(outcomesPath, JSON.stringify(outcomes));
process.exit(0); // A program may have left something open.

async function runPage(page) {
  const here = { folder: page.folder, port: String(await freePort()), servers: [] };
  await fixture.prepare(page.folder, page.needs);
  process.chdir(page.folder);
  const done = [];
  try {
    for (const step of page.steps) {
      const started = performance.now();
      const outcome = await runStep(step, here).catch((error) => ({
        error: String(error?.stack ?? error),
        printed: [],
      }));
      done.push({ ...outcome, ms: Math.round(performance.now() - started) });
    }
  } finally {
    for (const server of here.servers) await stop(server);
  }
  return done;
}

async function runStep(step, here) {
  const code = step.code?.replaceAll(/\b8080\b/g, here.port);
  const back = (text) => text.replaceAll(here.port, '8080').replaceAll(here.folder, '.');
  switch (step.kind) {
    case 'file':
      await mkdir(dirname(join(here.folder, step.name)), { recursive: true });
      await writeFile(join(here.folder, step.name), `${step.code}\n`);
      return { printed: [] };
    case 'program': {
      const { printed, error } = await runProgram(join(here.folder, step.file), here.port);
      return { printed: printed.map(back), error: error && back(error) };
    }
    case 'shell': {
      if (step.background) return background(code, here);
      const { output, status } = await shell(code, here);
      return { printed: [back(output)], error: status === 0 ? undefined : `exit code ${status}\n${back(output)}` };
    }
    case 'sparql':
      return { printed: [await fixture.sparql(step.on, step.code)] };
    default:
      return { printed: [await fixture.http(step.code)] };
  }
}

/** Imports a compiled program, and returns what each of its blocks has printed. */
async function runProgram(file, port) {
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll(/\b8080\b/g, port));
  let text = '';
  let complaints = '';
  const { stdout, stderr } = process;
  const write = [stdout.write, stderr.write];
  stdout.write = (chunk, encoding, done = encoding) => (
    (text += String(chunk)),
    typeof done === 'function' && done(),
    true
  );
  stderr.write = (chunk, encoding, done = encoding) => (
    (complaints += String(chunk)),
    typeof done === 'function' && done(),
    true
  );
  let error;
  try {
    await within(import(pathToFileURL(file).href));
  } catch (failure) {
    error = String(failure?.stack ?? failure);
  } finally {
    [stdout.write, stderr.write] = write;
  }
  const printed = text.split(END_OF_BLOCK);
  error ??= stray[0];
  stray = [];
  return { printed, error: error ?? (complaints === '' ? undefined : `standard error: ${complaints}`) };
}

/** Runs commands in the shell of a page: what one block exports, the next one has. */
async function shell(code, here) {
  const state = join(here.folder, '.environment');
  const child = bash(`[ ! -e ${state} ] || . ${state}\n${code}\nexport -p > ${state}`, here);
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  child.stderr.on('data', (data) => (output += data));
  try {
    const [status] = await within(once(child, 'close'));
    return { output, status };
  } catch (error) {
    await stop(child);
    throw new Error(`${error.message}; it had printed: ${output}`, { cause: error });
  }
}

async function background(code, here) {
  const state = join(here.folder, '.environment');
  const child = bash(`[ ! -e ${state} ] || . ${state}\n${code}`, here);
  here.servers.push(child);
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  child.stderr.on('data', (data) => (output += data));
  const until = performance.now() + LONGEST_MS;
  while (performance.now() < until && child.exitCode === null) {
    if (
      await fetch(`http://127.0.0.1:${here.port}/ready`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return { printed: [output] };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { printed: [output], error: `no server answers: ${output}` };
}

function bash(code, here) {
  const env = {
    ...process.env,
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    HOME: here.folder,
    NO_COLOR: '1',
    CURL_HOME: join(folder, 'bin'),
  };
  return spawn('bash', ['-euo', 'pipefail', '-c', code], {
    cwd: here.folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, QUADRILLE_PORT: here.port },
  });
}

/** Ends a process and its children. */
async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  process.kill(-child.pid, 'SIGTERM');
  const patience = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 5000);
  await closed;
  clearTimeout(patience);
}

function within(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it has not ended after ${LONGEST_MS} ms`)), LONGEST_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
