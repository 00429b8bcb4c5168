/** Finds texts that look like secrets, so that an agent does not keep them for ever in a history. */
import { ToolError } from './tool-error.js';

/** Kinds of secrets by their usual forms. A form that fits much else has no place here: refusals have to be rare. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----/],
  ['an access key of AWS', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a key of Google', /\bAIza[\w-]{35}\b/],
  ['a token of GitHub', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{60,})\b/],
  ['a token of GitLab', /\bglpat-[\w-]{20,}/],
  ['a token of Slack', /\bxox[abeprs]-[\w-]{10,}/],
  ['a key of Stripe', /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}\b/],
  ['a key of a model provider', /\bsk-(?:ant-|proj-)?[\w-]{20,}/],
  ['a token of npm', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a key of Azure', /\bAccountKey=[A-Za-z0-9+/=]{40,}/],
  ['a JSON Web Token', /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/],
  ['a password in an address', /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@]{3,}@/i],
  ['a password', /\b(?:password|passwd|pwd|secret|api[_-]?key|access[_-]?token)\s*[=:]\s*["']?[^\s"']{6,}/i],
];

/** The kind of the first secret of some texts. */
function secretIn(texts: Iterable<string>): string | undefined {
  for (const text of texts) for (const [kind, form] of KINDS) if (form.test(text)) return kind;
  return undefined;
}

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) yield* textsOf(member);
}

/** @throws ToolError with the kind, and never with the text */
export function refuseSecrets(input: unknown): void {
  const kind = secretIn(textsOf(input));
  if (kind !== undefined)
    throw new ToolError(
      `The text looks like ${kind}. Nothing was stored: a history keeps what it is told. Leave it out. A user who wants such texts kept starts quadrille mcp with --allow-secrets.`,
    );
}
