import {useState} from 'preact/hooks';
import {savedHands} from '../play/history_box';
import {t} from '../i18n';

/** Takes a hand history: dropped, chosen, pasted, or from the hands that were played here. */
export function HistoryInput({title, action, onText, children}: {
  title: string;
  action: string;
  onText: (text: string) => void;
  children?: preact.ComponentChildren;
}) {
  const [text, setText] = useState('');
  const [over, setOver] = useState(false);
  const read = async (file: File | undefined) => {
    if (file) onText(await file.text());
  };
  const saved = savedHands();
  return (
    <form
      class={`history-input panel ${over ? 'is-over' : ''}`}
      onDragOver={event => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault();
        setOver(false);
        void read(event.dataTransfer?.files[0]);
      }}
      onSubmit={event => {
        event.preventDefault();
        if (text.trim()) onText(text);
      }}
    >
      <h2>{title}</h2>
      <p class="muted">{t('history.drop')}</p>
      <textarea rows={5} spellcheck={false} value={text} aria-label={t('history.text')} onInput={event => setText(event.currentTarget.value)} />
      {children}
      <div class="actions">
        <label class="action file">
          {t('history.file')}
          <input type="file" class="sr-only" accept=".phh,.phhs,text/plain" onChange={event => void read(event.currentTarget.files?.[0])} />
        </label>
        {saved.length > 0 && (
          <button type="button" class="action" data-act="recent" onClick={() => onText(numbered(saved))}>{t('history.example')}</button>
        )}
        <button type="submit" class="action action-raise" disabled={!text.trim()}>{action}</button>
      </div>
    </form>
  );
}

/** Hands without headings become a `.phhs` text. */
function numbered(hands: readonly string[]): string {
  return hands.map((hand, i) => (/^\[/m.test(hand) ? hand : `[${i + 1}]\n${hand}`)).join('\n');
}
