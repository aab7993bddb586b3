const colours = [
  [5000, 'chip-e'], [1000, 'chip-d'], [100, 'chip-c'], [25, 'chip-b'], [1, 'chip-a'],
] as const;

/** A small stack whose colours tell the size of the amount, five chips at most. */
export function Chips({amount}: {amount: number}) {
  const stack: string[] = [];
  let left = amount;
  for (const [value, colour] of colours)
    while (left >= value && stack.length < 5) {
      stack.push(colour);
      left -= value;
    }
  return (
    <svg class="chips" viewBox={`0 0 24 ${14 + 4 * stack.length}`} aria-hidden="true">
      {stack.map((colour, i) => (
        <g class={colour} key={i} transform={`translate(0 ${4 * (stack.length - 1 - i)})`}>
          <path d="M1 8V12A11 6 0 0 0 23 12V8Z" class="edge" />
          <ellipse cx="12" cy="8" rx="11" ry="6" class="face" />
          <ellipse cx="12" cy="8" rx="6.5" ry="3.4" class="ring" />
        </g>
      ))}
    </svg>
  );
}
