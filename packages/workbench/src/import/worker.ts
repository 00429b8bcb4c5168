/** Runs in a worker: makes statements of a table by its mapping, and a mapping to begin with. */
import { draftMapping, mapTable, ParseError } from 'quadrille';
import type { Problem } from '../api/errors.js';
import type { Asked, FromTables, Mapped, Preview, Table, ToTables } from './protocol.js';

/** Statements of a preview. */
const MOST_SHOWN = 50;
/** Of a file, read at once: the first rows are there soon. */
const CHUNK_BYTES = 64 * 1024;

const send = (message: FromTables): void => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<ToTables>) => void answer(data));

async function answer(asked: ToTables): Promise<void> {
  try {
    send({ type: 'value', value: await valueOf(asked) });
  } catch (error) {
    send({ type: 'failed', problem: problemOf(error, 'mapping' in asked.of ? asked.of.mapping : '') });
  }
}

function valueOf(asked: ToTables): Promise<Asked[keyof Asked]['gives']> {
  if (asked.kind === 'draft') return draftMapping(chunksOf(asked.of.file), optionsOf(asked.of));
  if (asked.kind === 'preview') return previewOf(asked.of);
  return documentOf(asked.of, (share) => send({ type: 'progress', share }));
}

const optionsOf = ({ file, format }: Table) => ({ format, sourceName: file.name });

async function* chunksOf(file: File, onRead?: (share: number) => void): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += CHUNK_BYTES) {
    yield new Uint8Array(await file.slice(at, at + CHUNK_BYTES).arrayBuffer());
    onRead?.(Math.min(1, (at + CHUNK_BYTES) / file.size));
  }
}

const linesOf = (table: Mapped, onRead?: (share: number) => void): AsyncGenerator<string> =>
  mapTable(chunksOf(table.file, onRead), {
    ...optionsOf(table),
    mapping: table.mapping,
    prefixes: table.prefixes,
  });

async function previewOf(table: Mapped): Promise<Preview> {
  const lines: string[] = [];
  for await (const text of linesOf(table)) {
    lines.push(...text.split('\n', MOST_SHOWN + 1).filter((line) => line !== ''));
    if (lines.length > MOST_SHOWN) break;
  }
  const statements = lines.slice(0, MOST_SHOWN).map((line): readonly [string, string, string] => {
    const [, subject = '', predicate = '', object = ''] = /^(\S+) (\S+) (.*) \.$/.exec(line) ?? [];
    return [subject, predicate, object];
  });
  return { statements, isAll: lines.length <= MOST_SHOWN };
}

/** All statements. None of them would be what nobody wants, and would empty what it replaces. */
async function documentOf(table: Mapped, onRead: (share: number) => void): Promise<Blob> {
  const lines = linesOf(table, onRead);
  const encoder = new TextEncoder();
  let isEmpty = true;
  let fault: unknown;
  const bytes = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await lines.next().catch((error: unknown) => {
        throw (fault = error);
      });
      if (done === true) return controller.close();
      isEmpty = false;
      controller.enqueue(encoder.encode(value));
    },
  });
  const packed = bytes.pipeThrough(new CompressionStream('gzip'));
  // A stream that breaks is told as a request that has failed.
  const document = await new Response(packed).blob().catch((error: unknown) => {
    throw fault ?? error;
  });
  if (isEmpty) throw new Error(`${table.file.name}: the mapping makes no statement of any row`);
  return document;
}

/** What is wrong, with its place where that is in the mapping: of its syntax, or of a variable that the table has not. */
function problemOf(error: unknown, mapping: string): Problem {
  const { code = 'FAILED', message } = error as Error & { readonly code?: string };
  if (error instanceof ParseError && code === 'SPARQL_SYNTAX') {
    const { reason, line, column } = error;
    return { status: 0, code, message: reason, ...(line !== undefined && { line, column: column ?? 1 }) };
  }
  const variable = code === 'INVALID_OPTION' ? /\?[^\s,;?]+/.exec(message)?.[0] : undefined;
  const at = variable === undefined ? -1 : mapping.search(new RegExp(`\\${variable}(?![\\p{L}\\p{N}_])`, 'u'));
  if (at < 0) return { status: 0, code, message };
  const before = mapping.slice(0, at).split('\n');
  return { status: 0, code, message, line: before.length, column: before.at(-1)!.length + 1 };
}
