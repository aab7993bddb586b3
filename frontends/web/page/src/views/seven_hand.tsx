import {byRank, Card, CardButton, Cards, cardNumber, cardSigns} from '../cards';
import type {LineChip, Request} from '../core/protocol';
import {useStore} from '../core/store';
import type {Plan} from '../core/table_client';
import {t} from '../i18n';
import {handName} from '../i18n/hand_names';
import {useKeys} from '../ui/keys';
import {chosen, chosenOf, toggle} from './discards';
import {threatens} from './line';
import {lastOf, seatName} from './seats';
import {indexAnswer, type GameView, type ViewProps} from './view';

const most = 5;

/** Lays these cards, which the protocol asks for from the lowest to the highest, then stops. */
export function layPlan(cards: readonly string[]): Plan {
  const left = new Set(cards);
  return legal => {
    const lays = legal.filter(choice => choice.kind === 'lay');
    if (lays.length === 0 && !legal.some(choice => choice.kind === 'stop')) return null;
    const next = [...left].sort((a, b) => cardNumber(a) - cardNumber(b))[0];
    if (next === undefined) return indexAnswer(legal.find(choice => choice.kind === 'stop'));
    left.delete(next);
    return indexAnswer(lays.find(choice => (choice.cards?.[0] ?? choice.text) === next));
  };
}

const isLaying = (request: Request | null): boolean => request?.legal.some(choice => choice.kind === 'lay') ?? false;
const named = (request: Request | null, chip: number) =>
  request?.legal.find(choice => choice.kind === 'name' && choice.text.endsWith(` ${chip}`));

function Pile({chip, seat, props, handOf}: {chip: LineChip; seat: number; props: ViewProps; handOf: string}) {
  const laid = chip.laid[seat];
  const name = seatName(seat, props.names, props.seat);
  if (!laid || laid.card_count === 0)
    return <div class="pile"><span class="slot" role="img" aria-label={t('seven.nothing', {name})} /></div>;
  const own = seat === props.seat;
  return (
    <div class={`pile ${own && laid.cards.length > 0 && chip.taken_by === null && !chip.tied ? 'is-own' : ''}`} role="group" aria-label={`${t(laid.card_count === 1 ? 'seven.at.chip.one' : 'seven.at.chip', {name, n: laid.card_count, turn: laid.turn})}${handOf ? `, ${handOf}` : ''}`}>
      {byRank(laid.cards).map(card => <Card key={card} card={card} />)}
      {Array.from({length: laid.card_count - laid.cards.length}, (_, i) => <Card key={i} silent />)}
      <span class="pile-count" aria-hidden="true">{laid.card_count}</span>
    </div>
  );
}

function Chip({chip, at, props}: {chip: LineChip; at: number; props: ViewProps}) {
  const {position, seat, names, request, over, events, answer} = props;
  const me = seat ?? 0;
  const mine = !over && threatens(position, at, me);
  const theirs = !over && threatens(position, at, 1 - me);
  const choice = named(request, chip.chip);
  const handAt = (of: number): string => {
    const shown = lastOf(events, e => e.event === 'shown' && e.chip === chip.chip && e.seat === of);
    return typeof shown?.hand === 'string' ? handName(shown.hand) : '';
  };
  const owner = chip.taken_by === null ? '' : chip.taken_by === me ? 'is-mine' : 'is-theirs';
  const said = [
    t('seven.chip', {n: chip.chip}),
    chip.taken_by !== null && t('seven.taken', {name: seatName(chip.taken_by, names, seat)}),
    chip.tied && t(position.ties_count ? 'seven.both' : 'seven.tied'),
    mine && t('seven.threat.mine'),
    theirs && t('seven.threat.theirs', {name: seatName(1 - me, names, seat)}),
  ].filter(Boolean).join(', ');
  const face = (
    <>
      <span class="chip-number" aria-hidden="true">{chip.chip}</span>
      {(mine || theirs) && <span class={`threat ${mine ? 'is-mine' : ''} ${theirs ? 'is-theirs' : ''}`} aria-hidden="true">!</span>}
    </>
  );
  return (
    <li class={`line-place ${owner} ${chip.tied ? 'is-tied' : ''}`}>
      <Pile chip={chip} seat={1 - me} props={props} handOf={handAt(1 - me)} />
      <small class="pile-hand">{handAt(1 - me)}</small>
      {choice ? (
        <button type="button" class="line-chip is-open" aria-label={`${t('seven.name', {n: chip.chip})}. ${said}`} data-chip={chip.chip} title={said} onClick={() => answer({index: choice.index!})}>
          {face}
        </button>
      ) : (
        <span class="line-chip" role="img" aria-label={said} title={said}>{face}</span>
      )}
      <small class="pile-hand">{handAt(me)}</small>
      <Pile chip={chip} seat={me} props={props} handOf={handAt(me)} />
    </li>
  );
}

function Side({seat, props}: {seat: number; props: ViewProps}) {
  const {position, request, names, toAct, over} = props;
  const player = position.players?.[seat];
  if (!player) return null;
  const own = seat === props.seat;
  const picked = chosenOf(request?.id);
  const hand = byRank(player.cards ?? []);
  const name = seatName(seat, names, props.seat);
  return (
    <section class={`line-side ${own ? 'is-me' : ''} ${toAct === seat && !over ? 'is-acting' : ''}`} aria-label={name} data-seat={seat}>
      <div class="plate">
        <span class="who">{name}{position.dealer === seat && <span class="button" role="img" aria-label={t('table.dealer')}>D</span>}</span>
        <span class="stack">{t('seven.chips', {n: player.chips ?? 0})}</span>
      </div>
      {own && request && isLaying(request) ? (
        <div class="cards own-hand" role="group" aria-label={t('table.hand.of', {name})}>
          {hand.map((card, i) => (
            <CardButton key={card} card={card} pressed={picked.includes(card)} hint={`${i + 1}`} onPress={() => toggle(request.id, card, most)} />
          ))}
        </div>
      ) : (
        <Cards cards={hand} count={player.card_count} classes={own ? 'own-hand' : ''} label={t('table.hand.of', {name})} />
      )}
    </section>
  );
}

function Table(props: ViewProps) {
  useStore(chosen);
  const me = props.seat ?? 0;
  const {position} = props;
  return (
    <div class="felt line-felt">
      <Side seat={1 - me} props={props} />
      <div class="line-area">
        <ol class="line" aria-label={t('seven.line')}>
          {(position.chips ?? []).map((chip, i) => <Chip key={chip.chip} chip={chip} at={i} props={props} />)}
        </ol>
        <p class="line-facts">
          {t('table.stock', {n: position.stock ?? 0})}
          {(position.pending ?? 0) > 0 && <> · {t(position.pending === 1 ? 'seven.pending.one' : 'seven.pending', {n: position.pending!})}</>}
        </p>
      </div>
      <Side seat={me} props={props} />
    </div>
  );
}

function Controls(props: ViewProps & {request: Request}) {
  const {request, position, seat, names, follow, answer} = props;
  useStore(chosen);
  const picked = chosenOf(request.id);
  const laying = isLaying(request);
  const hand = byRank(position.players?.[seat ?? request.seat]?.cards ?? []);
  const confirm = () => {
    if (laying && picked.length > 0) follow(layPlan(picked));
  };
  useKeys(
    laying
      ? {...Object.fromEntries(hand.slice(0, 9).map((card, i) => [`${i + 1}`, () => toggle(request.id, card, most)])), Enter: confirm}
      : Object.fromEntries((position.chips ?? []).map(chip => [`${chip.chip}`, () => {
        const choice = named(request, chip.chip);
        if (choice) answer({index: choice.index!});
      }])),
  );
  if (!laying)
    return (
      <div class="bet-controls">
        <p class="hint">{t(position.pending === 1 ? 'seven.name.help.one' : 'seven.name.help', {n: position.pending ?? 0, name: seatName(position.mover ?? 0, names, seat)})}</p>
        <div class="actions actions-chips" role="group" aria-label={t('act.choose')}>
          {request.legal.map(choice => (
            <button type="button" class="action" key={choice.index} data-name={choice.text.split(' ').at(-1)} onClick={() => answer({index: choice.index!})}>
              {t('seven.chip', {n: choice.text.split(' ').at(-1) ?? ''})}
            </button>
          ))}
        </div>
      </div>
    );
  return (
    <div class="bet-controls">
      <p class="hint">{t('seven.lay.help')}</p>
      <div class="actions">
        <button type="button" class="action action-raise" data-act="lay" disabled={picked.length === 0} onClick={confirm}>
          {t('seven.lay', {n: picked.length})} <kbd aria-hidden="true">↵</kbd>
        </button>
      </div>
    </div>
  );
}

export const sevenHandView: GameView = {
  name: 'seven_hand',
  shows: position => Array.isArray(position.chips) && position.chips.every(chip => Array.isArray(chip.laid)),
  Table,
  Controls,
  turn: {
    text: words => (/^[2-9TJQKA][shdc]/.test(words) ? t('seven.lay.cards', {cards: cardSigns(words.split(' '))}) : null),
    take: (words, request) => {
      const cards = words.split(' ').filter(card => cardNumber(card) >= 0);
      if (cards.length > 0) chosen.set({request: request.id, cards});
    },
  },
};
