import type {Advice, AdviceChoice, AnalysedDecision, Legal, Request} from '../core/protocol';
import {percent, signed, t, tOr} from '../i18n';
import {choiceWords, withSigns} from '../i18n/choice_words';
import {DataTable} from '../ui/table';
import {viewOf} from '../views';
import {choiceText} from '../views/choices';

export interface AdviceLine {
  key: string;
  text: string;
  /** As the program writes it. */
  words: string;
  probability?: number;
  value?: number;
  error?: number | null;
  foul?: number;
  fantasyland?: number;
  legal?: Legal;
}

type Chance = {foul: number; fantasyland: number};

/** The chances of a turn: as told, or of a reason's "  +2.04   / Tc Td / Jh 8h 7h  foul 21%, Fantasyland 22%". */
export function turnChance({reason, chances}: Pick<Advice, 'reason' | 'chances'>, {text, value}: AdviceChoice): Chance | undefined {
  const told = chances?.turns?.find(turn => turn.value === value);
  if (told) return {foul: told.foul, fantasyland: told.fantasyland};
  for (const line of (reason ?? '').split('\n')) {
    const found = /^\s*[-+−]?[\d.]+\s(.*?)\s+foul (\d+)%, Fantasyland (\d+)%/.exec(line);
    if (found && found[1]!.trim() === text?.trim()) return {foul: Number(found[2]) / 100, fantasyland: Number(found[3]) / 100};
  }
  return undefined;
}

/** Policy and values side by side, the likely choices first. A policy over single cards says nothing of whole turns. */
export function adviceLines(advice: Advice, request: Request): AdviceLine[] {
  const {policy, values} = advice;
  const lines = new Map<string, AdviceLine>();
  const view = viewOf(request.position);
  const whole = (values ?? []).some(choice => choice.index === undefined || choice.index === null);
  const line = (choice: AdviceChoice): AdviceLine => {
    const legal = whole ? undefined : request.legal.find(one => one.index !== null && one.index === choice.index);
    const words = legal?.text ?? choice.text ?? `${choice.amount ?? choice.index}`;
    const key = legal ? `${legal.index}` : words;
    const made = lines.get(key) ?? {key, words, text: legal ? choiceText(legal) : (view.turn?.text(words, request) ?? choiceWords(words)), legal};
    lines.set(key, made);
    return made;
  };
  if (!whole) for (const choice of policy ?? []) line(choice).probability = choice.probability;
  for (const choice of values ?? [])
    Object.assign(line(choice), {value: choice.value, error: choice.standard_error, ...turnChance(advice, choice)});
  return [...lines.values()]
    .filter(({probability, value}) => (probability ?? 0) > 0.004 || value !== undefined)
    .sort((a, b) => (b.probability ?? 0) - (a.probability ?? 0) || (b.value ?? -1e9) - (a.value ?? -1e9))
    .slice(0, 10);
}

export function AdviceTable({advice, request, take}: {
  advice: Advice;
  request: Request;
  take?: (line: AdviceLine) => void;
}) {
  const lines = adviceLines(advice, request);
  const chances = Object.entries(advice.chances ?? {}).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  if (lines.length === 0) return <p class="muted">{advice.reason ?? t('coach.none')}</p>;
  const has = (field: keyof AdviceLine): boolean => lines.some(line => line[field] !== undefined && line[field] !== null);
  return (
    <>
      {chances.length > 0 && (
        <dl class="chances">
          {chances.map(([name, value]) => (
            <div key={name}>
              <dt>{tOr(`coach.chance.${name}`, name.replace(/_/g, ' '))}</dt>
              <dd>{percent(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      <DataTable
        titles={[
          t('coach.choice'), has('probability') && {num: t('coach.frequency')}, has('value') && {num: t('coach.value')},
          has('foul') && {num: t('coach.foul')}, has('foul') && {num: 'FL', title: t('ofc.fantasyland')},
        ]}
      >
        {lines.map((line, i) => (
          <tr key={line.key} class={i === 0 ? 'is-best' : ''}>
            <th scope="row">
              {take ? (
                <button type="button" class="link-button" title={t('coach.take')} onClick={() => take(line)}>{line.text}</button>
              ) : line.text}
            </th>
            {has('probability') && (
              <td class="num">
                <span class="bar" style={{'--share': line.probability ?? 0}} aria-hidden="true" />
                {line.probability === undefined ? '–' : percent(line.probability)}
              </td>
            )}
            {has('value') && (
              <td class="num">
                {line.value === undefined ? '–' : signed(line.value, 2)}
                {line.error ? <small> ±{(1.96 * line.error).toFixed(2)}</small> : null}
              </td>
            )}
            {has('foul') && <td class="num">{line.foul === undefined ? '–' : percent(line.foul)}</td>}
            {has('foul') && <td class="num">{line.fantasyland === undefined ? '–' : percent(line.fantasyland)}</td>}
          </tr>
        ))}
      </DataTable>
      {advice.reason && !has('foul') && <p class="muted reason">{withSigns(advice.reason)}</p>}
    </>
  );
}

export function Mark({decision}: {decision: AnalysedDecision}) {
  const verdict = decision.verdict ?? 'unjudged';
  return (
    <span class={`mark mark-${verdict}`}>
      {decision.mark ? `${decision.mark} ` : ''}{tOr(`review.verdict.${verdict}`, verdict)}
    </span>
  );
}

/** Every decision of a hand, and what it cost. */
export function ReviewTable({decisions}: {decisions: readonly AnalysedDecision[]}) {
  if (decisions.length === 0) return <p class="muted">{t('review.none')}</p>;
  const total = decisions.reduce((sum, decision) => sum + (decision.loss ?? 0), 0);
  return (
    <>
      <DataTable kind="review" titles={[t('review.decision'), t('review.best'), {num: t('review.loss')}]}>
        {decisions.map((decision, i) => (
          <tr key={i}>
            <th scope="row">{choiceWords(decision.chosen)} <Mark decision={decision} /></th>
            <td>
              {decision.best === null ? (decision.why ?? '–') : decision.best === decision.chosen ? t('review.good') : choiceWords(decision.best)}
            </td>
            <td class="num">{decision.loss === null ? '–' : signed(-decision.loss, 2)}</td>
          </tr>
        ))}
      </DataTable>
      <p class="total">{t('review.total', {n: signed(-total, 2)})}</p>
    </>
  );
}
