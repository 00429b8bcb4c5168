/** The text of docs/reference/rpc.md, with the methods of the registry. `npm run docs` writes it, and a test compares it. */
import { DEFAULT_LIMITS } from './calls/limits.js';
import { API_VERSION } from './methods/describe-service.js';
import type { Method, Parameter, Right } from './methods/method.js';
import { MethodRegistry, spellings } from './methods/registry.js';
import { RPC, RpcError, type RpcCode } from './calls/rpc-error.js';

const RIGHTS: Readonly<Record<Right, string>> = {
  public: 'no credentials',
  account: 'the token of any account',
  read: 'a token that may read the repository',
  write: 'a token that may write to the repository',
  own: 'a token of the owner',
};

const NUMBERS: Readonly<Record<RpcCode, string>> = {
  [RPC.PARSE_ERROR]: 'The body is no JSON or XML, nests too deeply, or has a DOCTYPE.',
  [RPC.INVALID_REQUEST]: 'It is no call, or a rule of HTTP is not kept.',
  [RPC.METHOD_NOT_FOUND]: 'There is no method of that name.',
  [RPC.INVALID_PARAMS]: 'The parameters are too many, too few, of a wrong type, or not possible.',
  [RPC.INTERNAL_ERROR]: 'The server or its storage failed, or a batch had no time left.',
  [RPC.UNAUTHENTICATED]: 'Credentials are missing or wrong.',
  [RPC.FORBIDDEN]: 'The account may not do this, or has reached a limit.',
  [RPC.NOT_FOUND]: 'There is no such account, repository or operation, or the caller may not see it.',
  [RPC.CONFLICT]: 'It exists already, or somebody else was first.',
  [RPC.VALIDATION]: 'A record cannot be as it was sent; `data.errors` says why by field.',
  [RPC.RATE_LIMITED]:
    'Too many calls, or too many queries wait (`data.status` is 503 then); `data.retryAfter` has seconds.',
};

export function rpcDocument(): string {
  const { jsonBytes, xmlBytes, maxDepth, batchCalls, batchBytes } = DEFAULT_LIMITS;
  return `# RPC

<!-- Written by \`npm run docs\` from packages/server/src/rpc. -->

Calls in JSON-RPC 2.0 and XML-RPC go by HTTP POST to \`/rpc/${API_VERSION}\` (or \`/rpc\`) of the server that \`quadrille serve\`
starts. \`Content-Type\` says which: \`application/json\` (also \`application/json-rpc\`, \`application/jsonrequest\`), or \`text/xml\` or
\`application/xml\`. The answer has the media type of the call.

\`\`\`sh no-run="needs a server and its token"
curl http://127.0.0.1:8080/rpc/${API_VERSION} -A example/1.0.0 -H 'Content-Type: application/json' \\
  -d '{"jsonrpc": "2.0", "id": 1, "method": "DescribeService"}'
curl http://127.0.0.1:8080/rpc/${API_VERSION} -A example/1.0.0 -H 'Content-Type: application/json' -u TOKEN: \\
  -d '{"jsonrpc": "2.0", "id": 2, "method": "CountStatements", "params": ["default/default"]}'
curl http://127.0.0.1:8080/rpc/${API_VERSION} -A example/1.0.0 -H 'Content-Type: text/xml' \\
  -d '<?xml version="1.0"?><methodCall><methodName>DescribeService</methodName></methodCall>'
\`\`\`

## Rules

- \`Host\` and \`Content-Length\` are necessary: chunks are refused with 411. With \`--public-base\` any other host is refused with 421, with \`--open\` any
  other than this machine, and pages of other sites with 403.
- \`User-Agent\` should be \`name/x.y.z\`; calls without one count tenfold against the rate limit.
- Credentials are those of REST: a token by HTTP Basic or as Bearer. All methods need them but DescribeService and \`system.*\`; a
  wrong token is refused everywhere.
- A request has at most ${String(jsonBytes / 1024 ** 2)} MiB of JSON or ${String(xmlBytes / 1024)} KiB of XML, ${String(maxDepth)} arrays and objects inside each other, and ${String(batchCalls)} members of a batch or
  multicall. Once the results of its members have ${String(batchBytes / 1024 ** 2)} MiB, no further member runs.
- JSON-RPC: \`jsonrpc\` is \`"2.0"\` (1.x is not supported); parameters by position or by name; \`id\` comes back as it was written; a
  message without one is a notification, answered by 200 and an empty body. Members of a batch run one after the other.
- XML-RPC: beside the types of its specification, \`i8\` and \`nil\` are read. Whole numbers beyond 32 bits are written as \`double\`
  (with \`--rpc-i8\` as \`i8\`), nothing as \`nil\`. A document type is refused.

## Errors

JSON-RPC answers \`{"error": {"code", "message", "data": {"status", "type"}}}\`; \`type\` is a code of [errors.md](errors.md). XML-RPC
answers a fault with the same number as \`faultCode\`.

| number | \`data.status\` | cause |
| --- | --- | --- |
${Object.entries(NUMBERS).map(errorRow).join('\n')}

The HTTP status of an answer in JSON-RPC is 200 also for errors, since many clients drop the body of any other. Exceptions are what is
no call (400), credentials (401), too many calls (429), and the rules of HTTP (400, 404, 405, 411, 413, 415, 421), each with an error
object. \`quadrille serve --rpc-http-status strict\` gives every single call the status in the table. In XML-RPC it is 200 but for
too many calls and the rules of HTTP.

## Methods

Every method answers to all its names in both protocols; names that begin with \`dydra.\` also with \`datagraph.\`.

${new MethodRegistry().methods.map(methodSection).join('\n\n')}
`;
}

function errorRow([number, cause]: [string, string]): string {
  const { status } = new RpcError(Number(number) as RpcCode, '');
  return `| ${number} | ${String(status)} | ${cause} |`;
}

function methodSection(method: Method): string {
  const { names, parameters, result, doc, right } = method;
  const [name, ...others] = spellings(method).filter((spelling) => !spelling.startsWith('datagraph.'));
  const signature = `${names[0]}(${parameters.map(parameterText).join(', ')}): ${result}`;
  const also = others.length === 0 ? [] : [`Also ${others.map((other) => `\`${other}\``).join(', ')}.`];
  const listed = parameters.map((parameter) => `- \`${parameter.name}\`: ${parameter.doc}`).join('\n');
  const paragraphs = [
    `### ${name ?? ''}`,
    `\`${signature}\``,
    doc,
    listed,
    [`Needs ${RIGHTS[right]}.`, ...also].join(' '),
  ];
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
}

const parameterText = ({ name, type, optional }: Parameter): string =>
  `${name}${optional === true ? '?' : ''}: ${type}`;
