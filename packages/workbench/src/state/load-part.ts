/** Parts of the page that are loaded when they are first wanted. */
import { isWorthAgain, online } from '../api/waiting.js';

const MOST_ATTEMPTS = 6;

/**
 * Loads a part, and again when the server can be reached again.
 * @throws TypeError where the server has no such part: it has another version of the page by now
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof TypeError) || attempt >= MOST_ATTEMPTS) throw error;
      online.value = false;
      await isWorthAgain(error, attempt);
    }
  }
}
