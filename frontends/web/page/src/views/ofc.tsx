import type {ComponentChildren} from 'preact';
import {useState} from 'preact/hooks';
import {byRank, bySuit, Card, CardButton, cardSigns, spokenCard} from '../cards';
import type {PlayerPosition, Request} from '../core/protocol';
import {Store, useStore} from '../core/store';
import {languageNumber, signed, t} from '../i18n';
import {handName} from '../i18n/hand_names';
import {useKeys} from '../ui/keys';
import {complete, free, move, movesFrom, pending, placementPlan, places, rowsWith, type Moves, type Place} from './ofc_plan';
import {isFoul, rowHand, rowNames, rowSizes, type RowName} from './ofc_rows';
import {lastOf, othersInOrder, seatName} from './seats';
import type {GameView, ViewProps} from './view';

/** The turn as the player has planned it so far, and the card that is taken up. */
export const plan = new Store<{moves: Moves; picked: string | null}>({moves: [], picked: null});

export const placeKeys: Record<string, Place> = {f: 'front', m: 'middle', b: 'back', x: 'discard'};

const dragged = 'text/x-card';

function useTurn(props: ViewProps) {
  const {moves, picked} = useStore(plan);
  const {position, seat, request} = props;
  const player = position.players?.[seat ?? -1];
  const hand = player?.cards ?? [];
  const mine = pending(moves, hand);
  const place = (card: string | null, where: Place) => {
    if (!card || !player || !request) return;
    const next = move(mine, card, where, player, position);
    const left = byRank(hand).filter(other => !next.some(m => m.card === other));
    plan.set({moves: next, picked: next === mine ? card : (left[0] ?? null)});
  };
  return {
    player, hand, moves: mine,
    picked: picked !== null && hand.includes(picked) ? picked : null,
    pick: (card: string | null) => plan.set({moves: mine, picked: card}),
    place,
    undo: () => plan.set({moves: mine.slice(0, -1), picked: mine.at(-1)?.card ?? null}),
    clear: () => plan.set({moves: [], picked: null}),
    room: (where: Place) => (player && request ? free(where, player, position, mine) : 0),
    whole: request ? complete(mine, hand, position) : null,
  };
}

/** A place that takes cards: by drop, by press, by its key. */
function Target({where, label, props, children, classes}: {
  where: Place;
  label: string;
  props: ViewProps;
  children: ComponentChildren;
  classes: string;
}) {
  const turn = useTurn(props);
  const open = turn.room(where) > 0 && props.request !== null;
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    turn.place(event.dataTransfer?.getData(dragged) || null, where);
  };
  return (
    <div
      class={`${classes} ${open ? 'is-open' : ''} ${over && open ? 'is-over' : ''}`}
      role="group" aria-label={label} data-place={where}
      onDragOver={event => {
        if (open) event.preventDefault();
        setOver(open);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      onClick={event => {
        if (!(event.target as HTMLElement).closest('button')) turn.place(turn.picked, where);
      }}
    >
      {children}
    </div>
  );
}

function draggable(card: string) {
  return {
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer?.setData(dragged, card);
      if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
    },
  };
}

function OwnRow({row, player, props}: {row: RowName; player: PlayerPosition; props: ViewProps}) {
  const turn = useTurn(props);
  const lying = player.rows?.[row] ?? [];
  const moved = turn.moves.filter(m => m.place === row).map(m => m.card);
  const all = [...lying, ...moved];
  const openSlots = rowSizes[row] - all.length;
  const name = t(`ofc.${row}`);
  const can = turn.room(row) > 0 && turn.picked !== null;
  return (
    <Target where={row} label={t('ofc.row.of', {row: name, name: t('table.you')})} props={props} classes={`row row-${row}`}>
      <div class="cards">
        {byRank(lying).map(card => <Card key={card} card={card} />)}
        {moved.map(card => (
          <span key={card} class="moved" {...draggable(card)}>
            <CardButton card={card} pressed={turn.picked === card} hint={name} onPress={() => turn.pick(card)} />
          </span>
        ))}
        {Array.from({length: openSlots}, (_, i) =>
          i === 0 && props.request ? (
            <button
              type="button" key="target" class={`slot slot-target ${can ? 'is-open' : ''}`} disabled={!can}
              aria-label={t('ofc.row.place', {row: name})} onClick={() => turn.place(turn.picked, row)}
            />
          ) : (
            <span key={i} class="slot" aria-hidden="true" />
          ),
        )}
      </div>
      <span class="row-name"><b>{name}</b> {handName(rowHand(all))}</span>
    </Target>
  );
}

function OtherRow({row, player, props}: {row: RowName; player: PlayerPosition; props: ViewProps}) {
  const cards = byRank(player.rows?.[row] ?? []);
  const name = t(`ofc.${row}`);
  const hidden = player.fantasyland && cards.length === 0;
  return (
    <div class={`row row-${row}`} role="group" aria-label={t('ofc.row.of', {row: name, name: seatName(player.seat, props.names, props.seat)})}>
      <div class="cards">
        {cards.map(card => <Card key={card} card={card} />)}
        {Array.from({length: rowSizes[row] - cards.length}, (_, i) =>
          hidden ? <Card key={i} silent /> : <span key={i} class="slot" aria-hidden="true" />)}
      </div>
      <span class="row-name"><b>{name}</b> {handName(rowHand(cards))}</span>
    </div>
  );
}

function BoardHead({player, props}: {player: PlayerPosition; props: ViewProps}) {
  const {events, position, seat, names, over} = props;
  const shown = lastOf(events, e => e.event === 'shown' && e.seat === player.seat && typeof e.hand === 'string' && e.hand !== '');
  const net = lastOf(events, e => e.event === 'hand_ended')?.net?.[player.seat];
  return (
    <header class="board-head">
      <span class="who">
        {seatName(player.seat, names, seat)}
        {position.dealer === player.seat && <span class="button" role="img" aria-label={t('table.dealer')}>D</span>}
      </span>
      {player.fantasyland && <span class="badge badge-gold">{t('ofc.fantasyland')}</span>}
      {over && shown && <span class={shown.hand === 'foul' ? 'badge badge-bad' : 'badge'}>{handName(String(shown.hand))}</span>}
      {over && net !== undefined && <span class={`net ${net > 0 ? 'is-plus' : net < 0 ? 'is-minus' : ''}`}>{signed(net)}</span>}
      {!over && player.seat !== seat && (player.card_count ?? 0) > 0 && <span class="muted">{t('ofc.in.hand', {n: player.card_count!})}</span>}
    </header>
  );
}

function Board({player, props}: {player: PlayerPosition; props: ViewProps}) {
  const turn = useTurn(props);
  const own = player.seat === props.seat;
  const foul = own && isFoul(rowsWith(player, turn.moves));
  const Row = own ? OwnRow : OtherRow;
  const discards = (player.discarded ?? []).flat();
  return (
    <section
      class={`ofc-board ${own ? 'is-me' : ''} ${props.toAct === player.seat && !props.over ? 'is-acting' : ''}`}
      aria-label={seatName(player.seat, props.names, props.seat)} data-seat={player.seat}
    >
      <BoardHead player={player} props={props} />
      {rowNames.map(row => <Row key={row} row={row} player={player} props={props} />)}
      {own && foul && !props.over && <p class="warning" role="status">{t('ofc.foul.now')}</p>}
      {!own && (player.cards ?? []).length > 0 && (
        <p class="thrown">
          <span>{t('ofc.hand')}</span>
          {byRank(player.cards!).map(card => <Card key={card} card={card} />)}
        </p>
      )}
      {discards.length > 0 && (
        <p class="thrown">
          <span>{t('ofc.discard')}</span>
          {byRank(discards).map(card => <Card key={card} card={card} />)}
        </p>
      )}
    </section>
  );
}

function Table(props: ViewProps) {
  const players = props.position.players ?? [];
  const others = othersInOrder(players.length, props.seat).map(seat => players[seat]!);
  const me = props.seat === null ? undefined : players[props.seat];
  return (
    <div class={`felt ofc ofc-${players.length} ${me ? '' : 'is-watched'}`}>
      <div class="ofc-others">{others.map(player => <Board key={player.seat} player={player} props={props} />)}</div>
      {me && <Board player={me} props={props} />}
    </div>
  );
}

function Hand({props, sorted}: {props: ViewProps; sorted: string[]}) {
  const turn = useTurn(props);
  return (
    <div class={`ofc-hand cards ${sorted.length > 7 ? 'is-many' : ''}`} role="group" aria-label={t('ofc.hand')}>
      {sorted.map(card => (
        <span key={card} {...draggable(card)}>
          <CardButton card={card} pressed={turn.picked === card} onPress={() => turn.pick(turn.picked === card ? null : card)} />
        </span>
      ))}
    </div>
  );
}

/** Where cards of this turn go to be discarded. */
function DiscardPile({props}: {props: ViewProps}) {
  const turn = useTurn(props);
  const away = turn.moves.filter(m => m.place === 'discard').map(m => m.card);
  const open = turn.room('discard') > 0;
  return (
    <Target where="discard" label={t('ofc.discard')} props={props} classes="discard-pile">
      {away.map(card => (
        <CardButton key={card} card={card} pressed={turn.picked === card} hint={t('ofc.discard')} onPress={() => turn.pick(card)} />
      ))}
      {open && (
        <button
          type="button" class={`slot slot-target ${turn.picked ? 'is-open' : ''}`} disabled={turn.picked === null}
          onClick={() => turn.place(turn.picked, 'discard')}
        >
          {t('ofc.discard')}
        </button>
      )}
    </Target>
  );
}

function Controls(props: ViewProps & {request: Request}) {
  const turn = useTurn(props);
  const [bySuits, setBySuits] = useState(false);
  const {position} = props;
  const left = turn.hand.filter(card => !turn.moves.some(m => m.card === card));
  const sorted = bySuits ? bySuit(left) : byRank(left);
  const discards = position.discards_left ?? 0;
  const confirm = () => {
    if (!turn.whole) return;
    plan.set({moves: turn.whole, picked: null});
    props.follow(placementPlan(turn.whole));
  };
  const step = (by: number) => {
    if (sorted.length === 0) return;
    const at = turn.picked ? sorted.indexOf(turn.picked) : -1;
    turn.pick(sorted[(Math.max(at, by > 0 ? -1 : 0) + by + sorted.length) % sorted.length]!);
  };
  useKeys({
    ...Object.fromEntries(Object.entries(placeKeys).map(([key, where]) => [key, () => turn.place(turn.picked ?? sorted[0] ?? null, where)])),
    ...Object.fromEntries(sorted.slice(0, 9).map((card, i) => [`${i + 1}`, () => turn.pick(card)])),
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
    Backspace: turn.undo,
    u: turn.undo,
    Enter: confirm,
  });
  return (
    <div class="ofc-controls">
      <div class="ofc-hand-row">
        <Hand props={props} sorted={sorted} />
        {discards > 0 && <DiscardPile props={props} />}
      </div>
      <p class="hint" aria-live="polite">
        {turn.picked
          ? t('ofc.picked', {card: spokenCard(turn.picked, languageNumber())})
          : discards > 0
            ? t('ofc.place.discard', {n: position.places_left ?? 0, d: discards})
            : t('ofc.place', {n: position.places_left ?? 0})}
      </p>
      <div class="row-buttons" role="group" aria-label={t('act.choose')}>
        {places.filter(where => where !== 'discard' || discards > 0).map(where => (
          <button
            type="button" key={where} class="chip-button" data-to={where} disabled={turn.picked === null || turn.room(where) <= 0}
            onClick={() => turn.place(turn.picked, where)}
          >
            {t(`ofc.${where}`)} <kbd aria-hidden="true">{where === 'discard' ? 'X' : where[0]!.toUpperCase()}</kbd>
          </button>
        ))}
      </div>
      <div class="actions">
        {turn.hand.length > 6 && (
          <button type="button" class="action" onClick={() => setBySuits(!bySuits)}>{bySuits ? t('ofc.sort.rank') : t('ofc.sort.suit')}</button>
        )}
        <button type="button" class="action" data-act="undo" disabled={turn.moves.length === 0} onClick={turn.undo}>{t('ofc.undo')}</button>
        {turn.moves.length > 1 && <button type="button" class="action" onClick={turn.clear}>{t('ofc.clear')}</button>}
        <button type="button" class="action action-raise" data-act="confirm" disabled={!turn.whole} onClick={confirm}>
          {t('ofc.confirm')} <kbd aria-hidden="true">↵</kbd>
        </button>
      </div>
    </div>
  );
}

const handOf = (request: Request): string[] => request.position.players?.[request.seat]?.cards ?? [];

export const ofcView: GameView = {
  name: 'ofc',
  shows: position => (position.players ?? []).length > 0 && position.players!.every(player => player.rows !== undefined),
  Table,
  Controls,
  turn: {
    text: (words, request) => {
      const moves = movesFrom(words, handOf(request));
      if (!moves) return null;
      return places
        .map(place => ({place, cards: moves.filter(m => m.place === place).map(m => m.card)}))
        .filter(({cards}) => cards.length > 0)
        .map(({place, cards}) => `${t(`ofc.${place}`)} ${cardSigns(byRank(cards))}`)
        .join(' · ');
    },
    take: (words, request) => {
      const moves = movesFrom(words, handOf(request));
      if (moves) plan.set({moves, picked: null});
    },
  },
};
