import {cardSign} from '../cards';
import type {Advice, AdviceChoice, AnalysedDecision, Legal, Request} from '../core/protocol';
import {percent, signed, t, tOr} from '../i18n';
import {choiceText} from '../views/choices';

/** Cards in a text of the program, as signs: "7h 3d middle" reads "7♥ 3♦ middle". */
export const withSigns = (text: string): string =>
  text.replace(/\b(?:[2-9TJQKA][shdcw]|t\d{1,2}|X[12])(?![A-Za-z0-9])/g, card => cardSign(card));

interface Line {
  key: string;
  text: string;
  probability?: number;
  value?: number;
  error?: number | null;
  foul?: number;
  fantasyland?: number;
  legal?: Legal;
  turn?: string;
}

/** Policy and values side by side, the likely choices first. */
export function adviceLines({policy, values}: Advice, request: Request): Line[] {
  const lines = new Map<string, Line>();
  const key = (choice: AdviceChoice): string => choice.turn ?? choice.text ?? `${choice.index ?? choice.amount}`;
  const line = (choice: AdviceChoice): Line => {
    const known = lines.get(key(choice));
    if (known) return known;
    const legal = request.legal.find(one => one.index !== null && one.index === choice.index);
    const text = choice.turn ?? (legal ? choiceText(legal) : (choice.text ?? `${choice.amount ?? choice.index}`));
    const made: Line = {key: key(choice), text: withSigns(text), legal, turn: choice.turn};
    lines.set(made.key, made);
    return made;
  };
  for (const choice of policy ?? []) Object.assign(line(choice), {probability: choice.probability});
  for (const choice of values ?? [])
    Object.assign(line(choice), {
      value: choice.value, error: choice.standard_error, foul: choice.foul, fantasyland: choice.fantasyland,
    });
  return [...lines.values()]
    .filter(({probability, value}) => (probability ?? 0) > 0.004 || value !== undefined)
    .sort((a, b) => (b.probability ?? 0) - (a.probability ?? 0) || (b.value ?? -1e9) - (a.value ?? -1e9))
    .slice(0, 10);
}

export function AdviceTable({advice, request, take}: {
  advice: Advice;
  request: Request;
  take?: (line: Line) => void;
}) {
  const lines = adviceLines(advice, request);
  const chances = Object.entries(advice.chances ?? {}).filter(([, value]) => typeof value === 'number');
  if (lines.length === 0) return <p class="muted">{advice.reason ?? t('coach.none')}</p>;
  const has = (field: keyof Line): boolean => lines.some(line => line[field] !== undefined && line[field] !== null);
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
      <table class="advice">
        <thead>
          <tr>
            <th scope="col">{t('coach.choice')}</th>
            {has('probability') && <th scope="col" class="num">{t('coach.frequency')}</th>}
            {has('value') && <th scope="col" class="num">{t('coach.value')}</th>}
            {has('foul') && <th scope="col" class="num">{t('coach.foul')}</th>}
          </tr>
        </thead>
        <tbody>
          {lines.map((line, i) => (
            <tr key={line.key} class={i === 0 ? 'is-best' : ''}>
              <th scope="row">
                {take && (line.legal || line.turn) ? (
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
            </tr>
          ))}
        </tbody>
      </table>
      {advice.reason && <p class="muted">{withSigns(advice.reason)}</p>}
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
      <table class="advice review">
        <thead>
          <tr>
            <th scope="col">{t('review.decision')}</th>
            <th scope="col">{t('review.best')}</th>
            <th scope="col" class="num">{t('review.loss')}</th>
          </tr>
        </thead>
        <tbody>
          {decisions.map((decision, i) => (
            <tr key={i}>
              <th scope="row">{withSigns(decision.chosen)} <Mark decision={decision} /></th>
              <td>
                {decision.best === null ? (decision.why ?? '–') : decision.best === decision.chosen ? t('review.good') : withSigns(decision.best)}
              </td>
              <td class="num">{decision.loss === null ? '–' : signed(-decision.loss, 2)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="total">{t('review.total', {n: signed(-total, 2)})}</p>
    </>
  );
}
