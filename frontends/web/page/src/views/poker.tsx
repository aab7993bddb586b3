import type {GameEvent, PlayerPosition, Position, Request} from '../core/protocol';
import {byRank, Card, CardButton, Cards} from '../cards';
import {useStore} from '../core/store';
import {number, t, tOr} from '../i18n';
import {handName} from '../i18n/hand_names';
import {useKeys} from '../ui/keys';
import {BetControls} from './bet_controls';
import {isBetting} from './bet_size';
import {PlainChoices} from './choices';
import {Chips} from './chips';
import {chosen, chosenOf, discardPlan, isDraw, toggle} from './discards';
import {lastOf, seatName, seatPlaces} from './seats';
import type {GameView, ViewProps} from './view';

const kActions = ['fold', 'check', 'call', 'bet', 'raise', 'complete'];

/** What the seat did last in this round of betting. */
function lastAction(seat: number, position: Position, events: readonly GameEvent[]): string {
  const event = lastOf(events, e => e.seat === seat && ['acted', 'drew', 'discarded', 'posted'].includes(e.event));
  if (!event || event.street !== position.street) return '';
  if (event.event === 'drew' || event.event === 'discarded')
    return event.count ? t('table.drawn', {n: event.count}) : t('table.pat');
  if (event.event === 'posted') return event.what === 'bring_in' ? t('act.bring_in', {n: number(event.amount ?? 0)}) : '';
  const amount = event.action === 'raise' || event.action === 'complete' ? event.total : event.amount;
  return kActions.includes(event.action ?? '') ? tOr(`act.${event.action}`, '', {n: number(amount ?? 0)}) : '';
}

/** The name of the hand that was shown, and what it won. */
function ending(seat: number, events: readonly GameEvent[]): {hand: string; won: number; mucked: boolean} {
  const shown = lastOf(events, e => e.seat === seat && e.event === 'shown' && typeof e.hand === 'string');
  const won = events.filter(e => e.seat === seat && e.event === 'won');
  const named = [shown?.hand, ...won.map(e => e.hand)].find(hand => typeof hand === 'string' && hand !== '');
  return {
    hand: typeof named === 'string' ? handName(named) : '',
    won: won.reduce((sum, e) => sum + (e.amount ?? 0), 0),
    mucked: events.some(e => e.seat === seat && e.event === 'mucked'),
  };
}

/** The chips of a player after the hand: with the winnings, which lie in the pot as long as there is one. */
export const stackAfter = ({pot}: Position, {chips}: PlayerPosition, won: number): number =>
  (chips ?? 0) + ((pot ?? 0) > 0 ? won : 0);

/** Seen cards of a hand, shown and up cards included, and how many there are. */
function handCards(player: PlayerPosition): {seen: string[]; count: number} {
  const seen = byRank([...new Set([...(player.shown ?? []), ...(player.cards ?? [])])]);
  return {seen, count: Math.max(seen.length, player.card_count ?? 0)};
}

function SeatCards({player, props}: {player: PlayerPosition; props: ViewProps}) {
  const {request, seat} = props;
  const picked = chosenOf(request?.id);
  const {seen, count} = handCards(player);
  const up = player.up ?? [];
  const label = t('table.hand.of', {name: seatName(player.seat, props.names, seat)});
  if (player.seat === seat && request && isDraw(request.legal))
    return (
      <div class="cards" role="group" aria-label={label}>
        {seen.map((card, i) => (
          <CardButton
            key={card} card={card} pressed={picked.includes(card)} hint={`${i + 1}`}
            onPress={() => toggle(request.id, card)}
          />
        ))}
      </div>
    );
  if (up.length > 0) {
    const down = seen.filter(card => !up.includes(card));
    const backs = count - seen.length;
    return (
      <div class="cards stud" role="group" aria-label={label}>
        {Array.from({length: backs}, (_, i) => <Card key={`b${i}`} silent classes="is-down" />)}
        {down.map(card => <Card key={card} card={card} classes="is-down" />)}
        {up.map(card => <Card key={card} card={card} classes="is-up" />)}
      </div>
    );
  }
  return <Cards cards={seen} count={player.folded && seen.length === 0 ? 0 : count} label={label} />;
}

function Seat({player, place, props}: {player: PlayerPosition; place: {x: number; y: number}; props: ViewProps}) {
  const {position, events, names, seat, toAct, over, here} = props;
  const me = player.seat === seat;
  const {hand, won, mucked} = ending(player.seat, events);
  const action = over || player.folded ? '' : lastAction(player.seat, position, events);
  const classes = [
    'seat', me && 'is-me', player.folded && 'is-folded', player.out && 'is-out', toAct === player.seat && !over && 'is-acting',
    won > 0 && 'is-winner', place.y > 70 ? 'at-bottom' : place.y < 30 ? 'at-top' : 'at-side',
  ].filter(Boolean).join(' ');
  const thrown = (player.discarded ?? []).flat();
  return (
    <section class={classes} style={{'--x': place.x, '--y': place.y}} aria-label={seatName(player.seat, names, seat)} data-seat={player.seat}>
      <SeatCards player={player} props={props} />
      <div class="plate">
        <span class="who">
          {seatName(player.seat, names, seat)}
          {position.dealer === player.seat && <span class="button" title={t('table.dealer')} aria-label={t('table.dealer')} role="img">D</span>}
        </span>
        <span class="stack">
          {player.out ? t('table.out') : player.folded ? t('table.folded') : player.all_in && !over ? t('table.all_in') : number(over ? stackAfter(position, player, won) : (player.chips ?? 0))}
          {here[player.seat] === false && <em> · {t('table.away')}</em>}
        </span>
        {(player.bet ?? 0) > 0 && !over && <span class="plate-bet">{t('table.bet', {n: number(player.bet!)})}</span>}
        {hand && <span class="hand-name">{hand}</span>}
        {!hand && mucked && <span class="hand-name">{t('table.mucked')}</span>}
        {!hand && !mucked && action && <span class="did">{action}</span>}
      </div>
      {won > 0 && <span class="won">+{number(won)}</span>}
      {thrown.length > 0 && !(me && over) && (
        <span class="thrown" aria-label={t('table.discarded')}>{thrown.map(card => <Card key={card} card={card} />)}</span>
      )}
    </section>
  );
}

function Table(props: ViewProps) {
  const {position, seat, over} = props;
  useStore(chosen);
  const players = position.players ?? [];
  const first = seat ?? 0;
  const order = players.map((_, i) => players[(first + i) % players.length]!);
  const places = seatPlaces(order.length);
  const board = position.board ?? [];
  const slots = board.length > 1 || (players.some(p => p.card_count === 2) && board.length === 0 && position.dealer !== null) ? 5 : board.length;
  return (
    <div class={`felt poker poker-${order.length}`}>
      <div class="rim" aria-hidden="true" />
      <div class="centre">
        {slots > 0 && (
          <div class="board cards" role="group" aria-label={t('table.board')}>
            {board.map(card => <Card key={card} card={card} />)}
            {Array.from({length: Math.max(0, slots - board.length)}, (_, i) => <span class="slot" key={i} aria-hidden="true" />)}
          </div>
        )}
        {(position.pot ?? 0) > 0 && !over && (
          <p class="pot">
            <Chips amount={position.pot ?? 0} />
            {t('table.pot', {n: number(position.pot ?? 0)})}
          </p>
        )}
        {(position.taken_out ?? []).length > 0 && (
          <details class="taken-out">
            <summary>{t('table.taken_out')}</summary>
            <Cards cards={byRank(position.taken_out!)} />
          </details>
        )}
      </div>
      {order.map((player, i) => (
        <Seat key={player.seat} player={player} place={places[i]!} props={props} />
      ))}
      {order.map((player, i) =>
        (player.bet ?? 0) > 0 && !over ? (
          <span class="bet" key={player.seat} style={{'--x': 50 + (places[i]!.x - 50) * 0.5, '--y': 50 + (places[i]!.y - 50) * 0.42}}>
            <Chips amount={player.bet!} />
            <span>{number(player.bet!)}</span>
          </span>
        ) : null,
      )}
    </div>
  );
}

function DrawControls({request, position, seat, follow}: ViewProps & {request: Request}) {
  const {cards} = useStore(chosen);
  const picked = chosenOf(request.id);
  const hand = byRank(position.players?.[seat ?? request.seat]?.cards ?? []);
  const confirm = () => follow(discardPlan(picked));
  useKeys({
    ...Object.fromEntries(hand.map((card, i) => [`${i + 1}`, () => toggle(request.id, card)])),
    Enter: confirm,
    d: confirm,
  });
  void cards;
  return (
    <div class="bet-controls">
      <p class="hint">{t('act.draw.help')}</p>
      <div class="actions">
        <button type="button" class="action action-raise" data-act="draw" onClick={confirm}>
          {picked.length > 0 ? t('act.draw', {n: picked.length}) : t('act.stand_pat')} <kbd aria-hidden="true">↵</kbd>
        </button>
      </div>
    </div>
  );
}

function Controls(props: ViewProps & {request: Request}) {
  const {legal} = props.request;
  if (isDraw(legal)) return <DrawControls {...props} />;
  return isBetting(legal) ? <BetControls {...props} /> : <PlainChoices {...props} />;
}

export const pokerView: GameView = {
  name: 'poker',
  shows: position => position.pot !== undefined && (position.players ?? []).every(player => player.bet !== undefined),
  Table,
  Controls,
};
