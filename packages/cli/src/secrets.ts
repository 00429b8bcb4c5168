/** Keeps passwords out of what a command prints. A URL may stand in any argument, also in one where none belongs. */

/** User information of a URL: from the first colon that begins no port, up to the last `@`. */
const PASSWORD =
  /((?:\b(?:postgres(?:ql)?|s3):\/{0,2}|\b[a-z][a-z\d+.-]*:\/{1,2})[^\s:@"<>]*):(?!\d+[/?#])[^\s"<>]*@/gi;
const PARAMETER = /([?&](?:password|sslpassword|[^\s=&#]*(?:secret|token|signature)[^\s=&#]*)=)[^\s&#"'<>]*/gi;

/** The text with the passwords of URLs left out. */
export const withoutSecrets = (text: string): string => text.replace(PASSWORD, '$1@').replace(PARAMETER, '$1***');
