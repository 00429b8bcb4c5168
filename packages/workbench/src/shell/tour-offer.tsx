/** Asks on a first visit whether the user wants the tour. */
import { text } from '../messages/en.js';
import { answerTour, isOffered } from '../state/tour.js';

export function TourOffer() {
  if (!isOffered.value) return null;
  const refuse = (): void => {
    answerTour(false);
    document.getElementById('main')?.focus();
  };
  return (
    <aside class="tour" aria-label={text.tour.name}>
      <p>{text.tour.offer}</p>
      <div class="row end">
        <button type="button" class="button small quiet" onClick={refuse}>
          {text.tour.later}
        </button>
        <button type="button" class="button small primary" onClick={() => answerTour(true)}>
          {text.tour.take}
        </button>
      </div>
    </aside>
  );
}
