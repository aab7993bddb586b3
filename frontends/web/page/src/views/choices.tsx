import {t, tOr} from '../i18n';
import {choiceWords} from '../i18n/choice_words';
import type {Legal} from '../core/protocol';
import type {ViewProps} from './view';
import type {Request} from '../core/protocol';
import {cardSign} from '../cards/deck';

export const choiceText = (choice: Legal): string =>
  choice.cards?.length === 1 && !choice.text.includes(choice.cards[0]!)
    ? `${choiceWords(choice.text)} ${cardSign(choice.cards[0]!)}`
    : choiceWords(choice.text);

export function amountIn(text: string): number | null {
  const found = /(\d+)\s*$/.exec(text);
  return found ? Number(found[1]) : null;
}

/** A button for every choice: works for any game. */
export function PlainChoices({request, answer}: ViewProps & {request: Request}) {
  return (
    <div class="choices" role="group" aria-label={t('act.choose')}>
      {request.legal.map(choice =>
        choice.index === null ? (
          <AmountBox key="range" choice={choice} answer={answer} />
        ) : (
          <button type="button" class="action" key={choice.index} onClick={() => answer({index: choice.index!})}>
            {choiceText(choice)}
          </button>
        ),
      )}
    </div>
  );
}

function AmountBox({choice, answer}: {choice: Legal; answer: ViewProps['answer']}) {
  const submit = (event: Event) => {
    event.preventDefault();
    const amount = Number(new FormData(event.target as HTMLFormElement).get('amount'));
    answer({amount});
  };
  return (
    <form class="amount-box" onSubmit={submit}>
      <label>
        {t('act.amount')}
        <input name="amount" type="number" min={choice.min} max={choice.max} step={choice.step} defaultValue={String(choice.min)} />
      </label>
      <button type="submit" class="action">{tOr(`act.${choice.kind}.plain`, choice.kind)}</button>
    </form>
  );
}
