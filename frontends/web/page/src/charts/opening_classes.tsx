import {get} from '../core/api';
import {percent, signed, t} from '../i18n';
import {choiceWords} from '../i18n/choice_words';
import {className} from '../i18n/class_names';
import {Show, useLoaded} from '../ui/loading';
import {DataTable} from '../ui/table';
import {rowNames, type Rows} from '../views/ofc_rows';
import {shareOfDeals} from './shares';

interface OpeningClass {
  hand: string;
  name: string;
  share: number;
  value: number;
  foul: number;
  fantasyland: number;
  /** How often the cards that make the class go to one row, or are divided. */
  key: Record<'front' | 'middle' | 'back' | 'divided', number>;
  example: {cards: string; rows: Rows};
}

interface OpeningClasses {
  sampled: boolean;
  hands: OpeningClass[];
}

const places = [...rowNames, 'divided'] as const;

const where = (key: OpeningClass['key']): string =>
  places
    .filter(place => key[place] >= 0.005)
    .sort((a, b) => key[b] - key[a])
    .map(place => `${t(place === 'divided' ? 'charts.divided' : `ofc.${place}`)} ${percent(key[place])}`)
    .join(', ');

const placement = (rows: Rows): string => choiceWords(rowNames.map(row => rows[row].join(' ')).join(' / '));

/** How the agent sets openings, class by class. */
export function OpeningClasses({agent, onExample}: {agent: string; onExample: (cards: string) => void}) {
  const query = new URLSearchParams({agent}).toString();
  const loaded = useLoaded(query, () => get<OpeningClasses>(`/api/charts/openings?${query}`));
  return (
    <section class="panel">
      <h2>{t('charts.openings.chart')}</h2>
      <Show of={loaded}>
        {chart => (
          <>
            <DataTable
              kind="opening-classes" label={t('charts.openings.chart')}
              titles={[
                t('charts.opening'), t('charts.openings.typical'), null, t('charts.key'), {num: t('coach.value')}, {num: t('coach.foul')},
                {num: t('ofc.fantasyland')}, {num: t('charts.dealt')},
              ]}
            >
              {[...chart.hands].reverse().map(one => (
                <tr key={one.hand} data-class={one.hand}>
                  <th scope="row">{className(one.name)}</th>
                  <td class="words">
                    <button type="button" class="link-button" onClick={() => onExample(one.example.cards)}>{placement(one.example.rows)}</button>
                  </td>
                  <td class="split split-rows" style={{'--front': one.key.front, '--middle': one.key.middle, '--back': one.key.back}} aria-hidden="true" />
                  <td class="words">{where(one.key)}</td>
                  <td class="num">{signed(one.value, 2)}</td>
                  <td class="num">{percent(one.foul)}</td>
                  <td class="num">{percent(one.fantasyland)}</td>
                  <td class="num">{shareOfDeals(one.share)}</td>
                </tr>
              ))}
            </DataTable>
            <p class="legend-line">
              {rowNames.map(row => (
                <span key={row}><span class={`swatch swatch-${row}`} aria-hidden="true" /> {t(`ofc.${row}`)}</span>
              ))}
              <span><span class="swatch swatch-fold" aria-hidden="true" /> {t('charts.divided')}</span>
            </p>
            <p class="muted">{t('charts.key.help')} {chart.sampled && t('charts.openings.sampled')}</p>
          </>
        )}
      </Show>
    </section>
  );
}
