export interface DiffLine {
  key: string;
  a: string | null;
  b: string | null;
}

/** `section.key` → value of a resolved config: two-blank indents, no anchors; lists stay texts. */
export function configValues(yaml: string): Map<string, string> {
  const values = new Map<string, string>();
  const path: {indent: number; key: string}[] = [];
  let item = 0;
  for (const raw of yaml.split('\n')) {
    const line = raw.replace(/(^|\s)#.*$/, '').trimEnd();
    if (line.trim() === '') continue;
    const indent = line.length - line.trimStart().length;
    while (path.length > 0 && path.at(-1)!.indent >= indent) path.pop();
    const pair = /^("[^"]*"|'[^']*'|[^:\s][^:]*):(?:\s+(.*))?$/.exec(line.trim());
    const prefix = path.map(part => part.key).join('.');
    if (!pair || line.trim().startsWith('- ')) {
      values.set(`${prefix}[${item++}]`, line.trim().replace(/^- /, ''));
      continue;
    }
    const key = pair[1]!.replace(/^["']|["']$/g, '');
    if (pair[2] === undefined || pair[2] === '') {
      path.push({indent, key});
      item = 0;
    } else values.set(prefix ? `${prefix}.${key}` : key, pair[2]);
  }
  return values;
}

/** The keys whose values differ, those that one config alone has included. */
export function configDiff(a: string, b: string): DiffLine[] {
  const left = configValues(a);
  const right = configValues(b);
  return [...new Set([...left.keys(), ...right.keys()])]
    .filter(key => left.get(key) !== right.get(key))
    .map(key => ({key, a: left.get(key) ?? null, b: right.get(key) ?? null}));
}
