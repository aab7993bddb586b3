import {get, withToken} from '../core/api';
import {go, route} from '../core/route';
import {useStore} from '../core/store';
import {t} from '../i18n';
import {Show, useLoaded} from '../ui/loading';

interface Report {
  name: string;
  kind: string;
  title?: string;
  page: string;
  age_seconds?: number;
}

/** Tournaments, studies and analyses as they were written, each in a frame of its own. */
export function Reports() {
  const {params} = useStore(route);
  const loaded = useLoaded('reports', () => get<Report[]>('/api/reports'));
  return (
    <section class="panel reports">
      <h2>{t('reports.title')}</h2>
      <Show of={loaded}>
        {list => {
          if (list.length === 0) return <p class="muted">{t('reports.none')}</p>;
          const open = list.find(report => report.name === params.report);
          return (
            <>
              <ul class="report-list">
                {list.map(report => (
                  <li key={report.name}>
                    <button
                      type="button" class="chip-button" aria-pressed={report === open} aria-label={t('reports.open', {name: report.title ?? report.name})}
                      onClick={() => go('runs', {...route.get().params, report: report.name}, true)}
                    >
                      <span class="badge">{report.kind}</span> {report.title ?? report.name}
                    </button>
                  </li>
                ))}
              </ul>
              {open && <iframe class="report-frame" src={withToken(open.page)} title={t('reports.frame', {name: open.title ?? open.name})} sandbox="allow-scripts" />}
            </>
          );
        }}
      </Show>
    </section>
  );
}
