import {byRank, cardSigns} from '../cards/deck';
import type {GameEvent} from '../core/protocol';
import {eventText, hasEventText, number, signed, type Values} from '.';
import {handName} from './hand_names';

export interface Seats {
  names: readonly string[];
  me: number | null;
}

export const nameOf = (seat: number, {names, me}: Seats): string =>
  seat === me ? eventText('you') : (names[seat] ?? `${seat + 1}`);

/** The cards that are seen, or how many there are. */
function cardsText(event: GameEvent): string {
  const seen = byRank(event.cards ?? []);
  const count = event.count ?? seen.length;
  if (seen.length === count) return cardSigns(seen);
  if (seen.length > 0) return eventText('cards.among', {n: count, cards: cardSigns(seen)});
  return eventText(count === 1 ? 'cards.count.one' : 'cards.count', {n: count});
}

function placesText(event: GameEvent): string {
  const parts: string[] = [];
  for (const place of ['front', 'middle', 'back', 'discard'] as const) {
    const cards = (event.cards ?? []).filter((_, i) => event.places?.[i] === place);
    if (cards.length > 0) parts.push(eventText(`place.${place}`, {cards: cardSigns(byRank(cards))}));
  }
  return parts.join(eventText('list.and'));
}

function points(net: readonly number[], seats: Seats): string {
  return net.map((n, seat) => eventText('points.of', {who: nameOf(seat, seats), n: signed(n)})).join(eventText('list.and'));
}

class Teller {
  constructor(private readonly event: GameEvent, private readonly seats: Seats) {}

  private say(key: string, otherwise: string, more: Values = {}): string {
    const {event, seats} = this;
    const seat = event.seat ?? -1;
    const values: Values = {
      who: seat >= 0 ? nameOf(seat, seats) : '',
      n: number(event.amount ?? 0),
      total: number(event.total ?? 0),
      cards: cardsText(event),
      action: event.action ?? '',
      chip: event.chip ?? '',
      hand: typeof event.hand === 'string' ? handName(event.hand) : '',
      ...more,
    };
    const known = hasEventText(key) ? key : hasEventText(otherwise) ? otherwise : 'other';
    return eventText(known, values, seat >= 0 && seat === seats.me);
  }

  private allIn(text: string): string {
    return this.event.all_in ? eventText('all_in', {text}) : text;
  }

  text(): string {
    const {event, seats} = this;
    switch (event.event) {
      case 'hand_begun':
        return this.begun();
      case 'posted':
        return this.allIn(this.say(`posted.${event.what}`, 'posted.other'));
      case 'dealt':
        if ((event.cards ?? []).length === 0) return '';
        return event.seat === null || event.seat === undefined
          ? this.say('dealt.board', 'other')
          : this.say(`dealt.${event.what}`, 'dealt.down');
      case 'acted':
        return this.allIn(this.say(`acted.${event.action}`, 'acted.other'));
      case 'discarded':
        return this.say(event.count === 0 ? 'discarded.none' : 'discarded', 'other');
      case 'drew':
        return event.count === 0 ? '' : this.say('drew', 'other');
      case 'placed':
        return (event.cards ?? []).length === 0
          ? this.say('placed.unseen', 'other')
          : this.say('placed.list', 'other', {list: placesText(event)});
      case 'shown':
        return this.shown();
      case 'won':
        return this.won();
      case 'hand_ended': {
        const text = this.say('hand_ended', 'other', {points: points(event.net ?? [], seats)});
        return event.odd_chips ? eventText('odd_chips', {text, n: event.odd_chips}) : text;
      }
      case 'match_ended': {
        const text = this.say('match_ended', 'other', {points: points(event.net ?? [], seats)});
        const names = (event.winners ?? []).map(seat => nameOf(seat, seats)).join(eventText('list.and'));
        return names ? eventText('match_ended.winners', {text, names}) : text;
      }
      default:
        return hasEventText(event.event) ? this.say(event.event, 'other') : event.event.replace(/_/g, ' ');
    }
  }

  private begun(): string {
    const {event, seats} = this;
    const parts = [
      typeof event.dealer === 'number'
        ? eventText('hand_begun', {who: nameOf(event.dealer, seats)}, event.dealer === seats.me)
        : eventText('hand_begun.nobody'),
    ];
    if (event.fantasyland?.length)
      parts.push(eventText('fantasyland', {names: event.fantasyland.map(s => nameOf(s, seats)).join(eventText('list.and'))}));
    if (event.taken_out?.length && !event.hand) parts.push(eventText('taken_out', {cards: cardSigns(event.taken_out)}));
    return parts.join('. ');
  }

  private shown(): string {
    const {event} = this;
    if (event.chip) return this.say('shown.chip', 'other');
    const cards = event.places?.length ? placesText(event) : cardsText(event);
    return this.say(event.hand ? 'shown.hand' : 'shown', 'other', {cards});
  }

  private won(): string {
    const {event} = this;
    if (event.chip) return this.say('won.chip', 'other');
    let text = this.say(event.hand ? 'won.hand' : 'won', 'other');
    if (event.half) text = eventText('won.half', {text, half: eventText(event.half === 'low' ? 'half.low' : 'half.high')});
    if (event.pot) text = eventText('won.side', {text, pot: event.pot});
    return text;
  }
}

/** A sentence; empty where there is nothing to say. */
export const eventWords = (event: GameEvent, seats: Seats): string => new Teller(event, seats).text();

/** Events of the end of a hand stand out in the log. */
export const ofTheEnd = (event: GameEvent): boolean =>
  ['shown', 'mucked', 'won', 'hand_ended', 'match_ended'].includes(event.event);
