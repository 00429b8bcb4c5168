/** Text of an XML document: UTF-8, unless a byte order mark or the declaration names another encoding. */
import { RPC, RpcError } from '../calls/rpc-error.js';

const UTF_8 = new TextDecoder('utf-8', { fatal: true });
const QUESTION_MARK = 0x3f;
/** In ASCII, as every encoding has it that needs no byte order mark. */
const DECLARED = /^<\?xml\s[^>]{0,200}?\sencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/;
const DECLARATION_BYTES = 256;
const LABELS_OF_UTF_8 = /^(?:utf-?8|us-ascii|ascii)$/i;

/** @throws RpcError `RPC_PARSE_ERROR` for an encoding that is not known, and bytes that it does not have */
export function decodeXml(bytes: Uint8Array): string {
  const decoder = decoderOf(bytes);
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new RpcError(RPC.PARSE_ERROR, `the body is not ${decoder.encoding}`, { cause });
  }
}

function decoderOf(bytes: Uint8Array): TextDecoder {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le', { fatal: true });
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be', { fatal: true });
  const label = second === QUESTION_MARK ? declaredEncoding(bytes) : undefined;
  return label === undefined || LABELS_OF_UTF_8.test(label) ? UTF_8 : decoderFor(label);
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, DECLARATION_BYTES));
  return DECLARED.exec(start)?.[1];
}

function decoderFor(label: string): TextDecoder {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch (cause) {
    throw new RpcError(RPC.PARSE_ERROR, `the encoding ${label} is not known`, { cause });
  }
}
