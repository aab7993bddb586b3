import type {ComponentChildren} from 'preact';
import {languageNumber, t} from '../i18n';
import {faceOf, rankText, spokenCard, type Face, type Suit} from './deck';

/** Outlines in a box of 100 × 100. */
const suitPaths: Record<Suit, string> = {
  s: 'M50 4C50 4 93 40 93 64A21 21 0 0 1 57 78C59 88 64 93 70 96H30C36 93 41 88 43 78A21 21 0 0 1 7 64C7 40 50 4 50 4Z',
  h: 'M50 95C50 95 6 60 6 31A23 23 0 0 1 50 22A23 23 0 0 1 94 31C94 60 50 95 50 95Z',
  d: 'M50 3Q66 30 88 50Q66 70 50 97Q34 70 12 50Q34 30 50 3Z',
  c: 'M50 5A21 21 0 0 1 67 39A21.5 21.5 0 1 1 58 73C59 85 64 92 70 96H30C36 92 41 85 42 73A21.5 21.5 0 1 1 33 39A21 21 0 0 1 50 5Z',
  w: 'M50 4L90 27V73L50 96L10 73V27ZM50 20L24 35V65L50 80L76 65V35ZM50 33L65 42V58L50 67L35 58V42Z',
};
const crowns: Record<string, string> = {
  K: 'M6 88L12 34L34 56L46 22V14H40V6H46V0H54V6H60V14H54V22L66 56L88 34L94 88ZM6 94H94V100H6Z',
  Q: 'M10 88L4 40L26 58L34 22L50 52L66 22L74 58L96 40L90 88ZM34 8A7 7 0 1 1 34 20A7 7 0 1 1 34 8ZM66 8A7 7 0 1 1 66 20A7 7 0 1 1 66 8ZM10 94H90V100H10Z',
  J: 'M8 78C10 44 34 30 62 34C70 12 86 4 96 6C92 16 88 30 80 42C88 52 92 64 92 78ZM8 86H92V100H8Z',
  C: 'M22 96C26 70 30 60 18 52C12 46 20 34 34 28L40 10L54 22C78 28 86 56 82 96Z',
};
const starPath = 'M50 3L61 38H97L68 59L79 94L50 73L21 94L32 59L3 38H39Z';

function Outline({path, x, y, size}: {path: string; x: number; y: number; size: number}) {
  return <path d={path} fill-rule="evenodd" transform={`translate(${x} ${y}) scale(${size / 100})`} />;
}

/** The corner that is seen when cards overlap, and a large sign: what people read first. */
function Print({face}: {face: Face}) {
  switch (face.kind) {
    case 'pip': {
      const court = crowns[face.rank];
      return (
        <g class={`ink ink-${face.suit}`}>
          <text x={face.rank === 'T' ? 5 : 8} y="43" class={face.rank === 'T' ? 'index index-10' : 'index'}>
            {rankText(face.rank)}
          </text>
          <Outline path={suitPaths[face.suit]} x={10} y={51} size={24} />
          {court ? (
            <g>
              <rect x="43" y="59" width="49" height="73" rx="5" class="court" />
              <Outline path={court} x={53} y={66} size={29} />
              <Outline path={suitPaths[face.suit]} x={51} y={97} size={32} />
            </g>
          ) : (
            <Outline path={suitPaths[face.suit]} x={39} y={76} size={53} />
          )}
        </g>
      );
    }
    case 'trump':
      return (
        <g class="ink ink-trump">
          <text x="8" y="43" class={face.number > 9 ? 'index index-10' : 'index'}>{face.number}</text>
          <Outline path={starPath} x={10} y={51} size={24} />
          <circle cx="64" cy="100" r="29" class="ring" />
          <Outline path={starPath} x={42} y={77} size={44} />
        </g>
      );
    case 'joker':
      return (
        <g class={face.number === 1 ? 'ink ink-joker' : 'ink ink-joker ink-joker-2'}>
          <Outline path={starPath} x={8} y={10} size={32} />
          <text x="16" y="66" class="joker-word" transform="rotate(90 16 60)">JOKER</text>
          <Outline path={starPath} x={38} y={62} size={54} />
        </g>
      );
    case 'named':
      return (
        <g class="ink ink-trump">
          <text x="8" y="40" class="index index-10">{face.name}</text>
          <circle cx="60" cy="96" r="26" class="ring" />
        </g>
      );
  }
}

export interface CardProps {
  card?: string | null;
  /** For cards that a sentence beside them names. */
  silent?: boolean;
  classes?: string;
}

const spoken = (silent: boolean | undefined, label: string) =>
  silent ? ({'aria-hidden': true} as const) : ({role: 'img', 'aria-label': label} as const);

/** A card; without `card` its back. */
export function Card({card, silent, classes = ''}: CardProps) {
  if (!card) {
    return (
      <svg class={`card card-back ${classes}`} viewBox="0 0 100 140" {...spoken(silent, t('table.card.back'))}>
        <rect x="1.5" y="1.5" width="97" height="137" rx="9" class="paper" />
        <rect x="8" y="8" width="84" height="124" rx="5" class="back" />
        <path class="back-lines" d="M50 20L78 70L50 120L22 70ZM50 38L68 70L50 102L32 70ZM8 8L92 132M92 8L8 132" />
      </svg>
    );
  }
  const face = faceOf(card);
  const glass = face.kind === 'pip' && face.suit === 'w';
  return (
    <svg
      class={`card ${glass ? 'card-glass' : ''} ${classes}`} viewBox="0 0 100 140" data-card={card}
      {...spoken(silent, spokenCard(card, languageNumber()))}
    >
      <rect x="1.5" y="1.5" width="97" height="137" rx="9" class="paper" />
      {glass && <path class="shine" d="M6 60L60 6H92L6 92ZM6 120L94 32V52L22 134H8Z" />}
      <Print face={face} />
    </svg>
  );
}

/** Cards side by side, backs behind those that are seen. */
export function Cards({cards, count, classes = '', label}: {
  cards: readonly string[];
  count?: number;
  classes?: string;
  label?: string;
}) {
  const backs = Math.max(0, (count ?? cards.length) - cards.length);
  const shown: ComponentChildren[] = cards.map(card => <Card key={card} card={card} />);
  for (let i = 0; i < backs; ++i) shown.push(<Card key={`back${i}`} silent />);
  return (
    <div class={`cards ${classes}`} role="group" aria-label={label}>
      {shown}
      {backs > 0 && <span class="unseen">{t('table.cards.hidden', {n: backs})}</span>}
    </div>
  );
}

/** A card that can be pressed: `aria-pressed` tells whether it is chosen. */
export function CardButton({card, pressed, onPress, disabled, classes = '', hint}: {
  card: string;
  pressed?: boolean;
  onPress: () => void;
  disabled?: boolean;
  classes?: string;
  hint?: string;
}) {
  const spoken = spokenCard(card, languageNumber());
  return (
    <button
      type="button"
      class={`card-button ${pressed ? 'is-pressed' : ''} ${classes}`}
      aria-pressed={pressed}
      aria-label={hint ? `${spoken}, ${hint}` : spoken}
      data-card={card}
      disabled={disabled}
      onClick={onPress}
    >
      <Card card={card} silent />
    </button>
  );
}
