import type {ComponentChildren} from 'preact';

/** The title of a column, `{num}` of one with numbers, null without one; false: there is no such column. */
export type Title = string | {num: string; title?: string} | null | false;

/** A table with a title for each column. With a label it scrolls sideways where the window is narrower than it is. */
export function DataTable({titles, kind = '', label, children}: {
  titles: readonly Title[];
  kind?: string;
  label?: string;
  children: ComponentChildren;
}) {
  const table = (
    <table class={`advice ${kind}`.trim()}>
      <thead>
        <tr>
          {titles.map(title => {
            if (title === false) return null;
            if (title === null) return <td />;
            return typeof title === 'string' ? <th scope="col">{title}</th> : <th scope="col" class="num" title={title.title}>{title.num}</th>;
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
  return label ? <div class="scroll" tabIndex={0} role="region" aria-label={label}>{table}</div> : table;
}
