/** The logs of `quadrille serve`, on standard error. */
import type { AccessLog } from '@quadrille/server';
import type { Logger } from 'quadrille';
import { withoutSecrets } from '../secrets.js';
import type { Shell } from '../shell.js';

/** Lines for people. No URL in a line shows a password. */
export const textLogger = (shell: Shell, withInfo: boolean): Logger => {
  const log = (level: string) => (message: string, details?: object) => {
    const more = details === undefined ? '' : ` ${JSON.stringify(details)}`;
    void shell.stderr.line(withoutSecrets(`quadrille: ${level}: ${message}${more}`)).catch(() => undefined);
  };
  return { info: withInfo ? log('info') : () => undefined, warn: log('warning'), error: log('error') };
};

/** Lines of JSON. */
export const jsonLogger = (shell: Shell): Logger => {
  const log = (level: string) => (message: string, details?: object) => {
    const line = { level, time: new Date().toISOString(), message, ...details };
    void shell.stderr.line(withoutSecrets(JSON.stringify(line))).catch(() => undefined);
  };
  return { info: log('info'), warn: log('warn'), error: log('error') };
};

/** A line of JSON for each request; among other lines of JSON it says that it is one. */
export const accessLog =
  (shell: Shell, amongOthers: boolean): AccessLog =>
  (line) => {
    const told = amongOthers ? { level: 'info', message: 'request', ...line } : line;
    void shell.stderr.json(told).catch(() => undefined);
  };
