import type {Advice, AdviceChoice, AnalysedDecision, Request, Review} from '../core/protocol';
import type {Answer} from '../core/table_client';
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
  /** Left out for a whole turn, which is no single answer. */
  answer?: Answer;
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

/** What the adviser would play, in the words of the program; of a turn, its first decision. */
function playedLine({plays}: Advice, request: Request): AdviceLine[] {
  const play = plays?.[0];
  if (!play) return [];
  const amount = 'amount' in play ? play.amount : undefined;
  const choice = request.legal.find(one => ('amount' in play ? one.index === null : one.index === play.index));
  if (!choice) return [];
  const words = amount === undefined ? choice.text : `${choice.text} ${amount}`;
  return [{key: words, words, text: amount === undefined ? choiceText(choice) : choiceWords(words), answer: play}];
}

/**
 * Policy and values side by side, the likely choices first; without either the decision that the adviser would make. A
 * policy over single cards says nothing of whole turns.
 */
export function adviceLines(advice: Advice, request: Request): AdviceLine[] {
  const {policy, values} = advice;
  const lines = new Map<string, AdviceLine>();
  const view = viewOf(request.position);
  const whole = (values ?? []).some(choice => choice.index === undefined || choice.index === null);
  const line = (choice: AdviceChoice): AdviceLine => {
    const legal = whole ? undefined : request.legal.find(one => one.index !== null && one.index === choice.index);
    const words = legal?.text ?? choice.text ?? `${choice.amount ?? choice.index}`;
    const key = legal ? `${legal.index}` : words;
    const made = lines.get(key) ?? {key, words, text: legal ? choiceText(legal) : (view.turn?.text(words, request) ?? choiceWords(words)), ...(legal ? {answer: {index: legal.index!}} : {})};
    lines.set(key, made);
    return made;
  };
  if (!whole) for (const choice of policy ?? []) line(choice).probability = choice.probability;
  for (const choice of values ?? [])
    Object.assign(line(choice), {value: choice.value, error: choice.standard_error, ...turnChance(advice, choice)});
  if (lines.size === 0) return playedLine(advice, request);
  return [...lines.values()]
    .filter(({probability, value}) => (probability ?? 0) > 0.004 || value !== undefined)
    .sort((a, b) => (b.probability ?? 0) - (a.probability ?? 0) || (b.value ?? -1e9) - (a.value ?? -1e9))
    .slice(0, 10);
}

function LineTable({lines, take}: {lines: readonly AdviceLine[]; take?: (line: AdviceLine) => void}) {
  const has = hasIn(lines);
  return (
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
  );
}

const hasIn = (lines: readonly AdviceLine[]) => (field: keyof AdviceLine): boolean =>
  lines.some(line => line[field] !== undefined && line[field] !== null);

export function AdviceTable({advice, request, take}: {
  advice: Advice;
  request: Request;
  take?: (line: AdviceLine) => void;
}) {
  const lines = adviceLines(advice, request);
  const chances = Object.entries(advice.chances ?? {}).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  const reason = hasIn(lines)('foul') ? null : advice.reason;
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
      {lines.length > 0 && <LineTable lines={lines} take={take} />}
      {reason && <p class="muted reason">{withSigns(reason)}</p>}
      {lines.length === 0 && chances.length === 0 && !reason && <p class="muted">{t('coach.none')}</p>}
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
export function ReviewTable({review: {decisions, problem}}: {review: Review}) {
  if (decisions.length === 0) return <p class="muted">{problem ? t('review.problem', {problem}) : t('review.none')}</p>;
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
