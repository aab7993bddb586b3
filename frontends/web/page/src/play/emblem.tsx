import {Card} from '../cards';

/** A few cards that stand for a game; a game without any has two backs. */
const emblems: Record<string, (string | null)[]> = {
  holdem: ['As', 'Ks'], stud: ['Qh', null], stud_hi_lo: ['Kd', '4c'], razz: ['Ac', '2d'], draw: ['Jh', 'Js'], lowball: ['5s', '4h'],
  triple_draw: ['6d', '3c'], deuce_single_draw: ['7h', '2s'], deuce_triple_draw: ['7c', '5d'], badugi: ['4s', '3h'], washizu: ['Aw', 'X1'],
  court_tarot: ['t13', '9s'], court_extra: ['Qh', 'Ks'], court_color: ['Kd', '7d'], ofc: ['Qs', 'Qd'], ofc_progressive: ['As', 'Ad'], seven_hand: ['7s', '7h'],
  kuhn: ['Ks', null], leduc: ['Kh', 'Ks'], mini_draw: ['Qh', 'Qs'], mini_draw_single: ['Jh', null],
};

export function Emblem({game}: {game: string}) {
  return (
    <span class="emblem" aria-hidden="true">
      {(emblems[game] ?? [null, null]).map((card, i) => <Card key={i} card={card} silent />)}
    </span>
  );
}
