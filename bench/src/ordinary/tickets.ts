/** Tickets of projects with dates, comments, and measurements of what they are about. */
import { iri, quad, skewed, text, typed } from '../shapes/shape.js';
import { day, two } from './network.js';
import type { QuestionSet } from './question-set.js';
import { TICKET_QUESTIONS } from './ticket-questions.js';

const PEOPLE = 150;
const PROJECTS = 30;
const DEVICES = 100;
/** Measurements for each ticket. */
const MEASURED = 4;
const STATES = ['open', 'waiting', 'closed', 'closed', 'closed', 'rejected'];

export const TICKETS: QuestionSet = {
  name: 'tickets',
  size: 10_000,
  *quads(draw, tickets) {
    for (let n = 0; n < PEOPLE; n++) yield quad(`user${n}`, 'name', text(`User ${n}`));
    for (let n = 0; n < PROJECTS; n++) {
      yield quad(`project${n}`, 'title', text(`Project ${n}`));
      yield quad(`project${n}`, 'budget', typed(`${draw.between(1000, 90_000)}.50`, 'decimal'));
    }
    for (let n = 0; n < DEVICES; n++) {
      yield quad(`device${n}`, 'project', iri(`project${n % PROJECTS}`));
      yield quad(`device${n}`, 'limit', typed(`${draw.between(60, 99)}.5`, 'double'));
    }
    for (let n = 0; n < tickets; n++) {
      const ticket = `ticket${n}`;
      const opened = day(draw, 2020, 2023);
      yield quad(ticket, 'type', iri('Ticket'));
      yield quad(ticket, 'title', text(`Ticket ${n} on Part${draw.below(200)}`));
      yield quad(ticket, 'status', text(draw.pick(STATES)));
      yield quad(ticket, 'priority', draw.between(1, 5));
      yield quad(ticket, 'project', iri(`project${skewed(draw, PROJECTS)}`));
      yield quad(ticket, 'opened', typed(`${opened}T${two(draw.below(24))}:${two(draw.below(60))}:00Z`, 'dateTime'));
      yield quad(ticket, 'due', typed(day(draw, 2021, 2024), 'date'));
      if (draw.chance(0.6))
        yield quad(ticket, 'closed', typed(`2024-${two(draw.between(1, 12))}-10T08:00:00Z`, 'dateTime'));
      if (draw.chance(0.8)) yield quad(ticket, 'assignee', iri(`user${skewed(draw, PEOPLE)}`));
      yield quad(ticket, 'reporter', iri(`user${draw.below(PEOPLE)}`));
      if (n > 0 && draw.chance(0.3)) yield quad(ticket, 'dependsOn', iri(`ticket${draw.below(n)}`));
      if (draw.chance(0.5)) yield quad(ticket, 'hours', typed((draw.between(1, 400) / 4).toFixed(2), 'decimal'));
      for (let labels = draw.below(3); labels > 0; labels--) yield quad(ticket, 'tag', text(`tag${skewed(draw, 40)}`));
    }
    for (let n = 0; n < tickets * MEASURED; n++) {
      const measurement = `measurement${n}`;
      yield quad(measurement, 'device', iri(`device${draw.below(DEVICES)}`));
      yield quad(
        measurement,
        'at',
        typed(
          `${day(draw, 2023, 2024)}T${two(draw.below(24))}:${two(draw.below(60))}:${two(draw.below(60))}Z`,
          'dateTime',
        ),
      );
      yield quad(measurement, 'value', typed((20 + draw.next() * 80).toFixed(3), 'double'));
      if (draw.chance(0.2)) yield quad(measurement, 'ticket', iri(`ticket${draw.below(tickets)}`));
    }
  },
  questions: TICKET_QUESTIONS,
};
