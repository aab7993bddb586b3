/**
 * Copies a text; false where the browser refuses. Over plain HTTP from another machine there is no clipboard object: there
 * the selection is copied, that of `field` where it has the text.
 */
export async function copy(text: string, field: HTMLInputElement | null = null): Promise<boolean> {
  const byObject = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  return byObject || copySelected(text, field);
}

function copySelected(text: string, shown: HTMLInputElement | null): boolean {
  const field = shown ?? document.body.appendChild(Object.assign(document.createElement('input'), {value: text, readOnly: true}));
  const focused = document.activeElement;
  field.select();
  const copied = document.execCommand('copy');
  if (shown) return copied;
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({preventScroll: true});
  return copied;
}
