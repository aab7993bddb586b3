import {useLayoutEffect, useState} from 'preact/hooks';
import type {Request} from '../core/protocol';
import {number, t, tOr} from '../i18n';
import {useKeys} from '../ui/keys';
import {betChoices, clamped, potFraction, typedAmount} from './bet_size';
import {amountIn, choiceText} from './choices';
import type {ViewProps} from './view';

const fractions = [
  ['act.min', 0],
  ['act.pot.half', 0.5],
  ['act.pot.two_thirds', 2 / 3],
  ['act.pot', 1],
  ['act.max', Infinity],
] as const;

export function BetControls({request, position, seat, answer}: ViewProps & {request: Request}) {
  const {fold, passive, sizes, range} = betChoices(request.legal);
  const [amount, setAmount] = useState(range?.min ?? 0);
  // The text of the exact field while somebody types: what is drawn again meanwhile must not replace it.
  const [typed, setTyped] = useState<string | null>(null);
  const size = (total: number) => {
    setAmount(total);
    setTyped(null);
  };
  useLayoutEffect(() => size(range?.min ?? 0), [request.id]);
  const allIn = range && position.players?.[request.seat];
  const most = allIn ? (allIn.chips ?? 0) + (allIn.bet ?? 0) : Infinity;

  const choose = (index: number | null | undefined) => {
    if (index !== null && index !== undefined) answer({index});
  };
  const type = (text: string) => {
    setTyped(text);
    setAmount((range && typedAmount(text, range)) ?? amount);
  };
  /** The nearest amount to the text, for the player to look at. */
  const correct = () => range && typed !== null && size(clamped(Number(typed), range));
  const raise = () => {
    if (!range) return choose(sizes[0]?.index);
    // Nobody typed the nearest amount: it is shown first, and bet when the player says so again.
    if (typed !== null && typedAmount(typed, range) === null) return correct();
    answer({amount: clamped(amount, range)});
  };
  useKeys({
    f: () => choose(fold?.index),
    c: () => choose(passive?.index),
    k: () => passive?.kind === 'check' && choose(passive.index),
    r: raise,
    b: raise,
    ArrowUp: () => range && size(clamped(amount + range.step, range)),
    ArrowDown: () => range && size(clamped(amount - range.step, range)),
  });

  // A press on the button would correct the field on its way, and bet what the button did not say.
  const keepTyping = (event: MouseEvent) => typed !== null && event.preventDefault();

  const raiseText = (total: number, kind: string): string =>
    total >= most ? t('act.all_in', {n: number(total)}) : tOr(`act.${kind}`, `${kind} {n}`, {n: number(total)});
  return (
    <div class="bet-controls">
      {range && range.max > range.min && (
        <div class="bet-size">
          <div class="bet-fractions" role="group" aria-label={t('act.amount')}>
            {fractions.map(([key, fraction]) => {
              const total = clamped(fraction === 0 ? range.min : potFraction(fraction, position, seat ?? request.seat), range);
              return (
                <button type="button" key={key} class="chip-button" aria-pressed={amount === total} onClick={() => size(total)}>
                  {t(key)}
                </button>
              );
            })}
          </div>
          <div class="bet-slider">
            <button type="button" class="step" aria-label={t('act.less')} onClick={() => size(clamped(amount - range.step, range))}>−</button>
            <input
              type="range" min={range.min} max={range.max} step={range.step} value={amount} aria-label={t('act.amount.total')}
              onInput={event => size(Number(event.currentTarget.value))}
            />
            <button type="button" class="step" aria-label={t('act.more')} onClick={() => size(clamped(amount + range.step, range))}>+</button>
            <input
              class="exact" type="number" inputMode="numeric" min={range.min} max={range.max} step={range.step} value={typed ?? amount}
              aria-label={t('act.amount.total')}
              onInput={event => type(event.currentTarget.value)}
              onBlur={correct}
              onKeyDown={event => event.key === 'Enter' && raise()}
            />
          </div>
        </div>
      )}
      <div class="actions" role="group" aria-label={t('act.choose')}>
        {fold && (
          <button type="button" class="action action-fold" data-act="fold" onClick={() => choose(fold.index)}>
            {choiceText(fold)} <kbd aria-hidden="true">F</kbd>
          </button>
        )}
        {passive && (
          <button type="button" class="action action-call" data-act={passive.kind} onClick={() => choose(passive.index)}>
            {choiceText(passive)} <kbd aria-hidden="true">C</kbd>
          </button>
        )}
        {range ? (
          <button type="button" class="action action-raise" data-act={range.kind} onMouseDown={keepTyping} onClick={raise}>
            {raiseText(amount, range.kind)} <kbd aria-hidden="true">R</kbd>
          </button>
        ) : (
          sizes.map((size, i) => (
            <button type="button" class="action action-raise" key={size.index} data-act={size.kind} onClick={() => choose(size.index)}>
              {raiseText(size.amount ?? amountIn(size.text) ?? 0, size.kind)} {i === 0 && <kbd aria-hidden="true">R</kbd>}
            </button>
          ))
        )}
      </div>
    </div>
  );
}
