/** The answer as the server sent it. */
import { useEffect, useState } from 'preact/hooks';
import { text } from '../../messages/en.js';
import type { Answer } from '../../rows/answer.js';

const MOST_BYTES = 200_000;

export function Raw({ answer }: { readonly answer: Answer }) {
  const [content, setContent] = useState('');
  const { bytes } = answer.progress.value;
  useEffect(() => void answer.rawText(MOST_BYTES).then(setContent), [answer, bytes]);
  return (
    <>
      {bytes > MOST_BYTES && <p class="empty-note">{text.query.rawCut(MOST_BYTES)}</p>}
      <pre class="raw" tabIndex={0}>
        {content}
      </pre>
    </>
  );
}
