const kSlot = 'dealer.hands';
const kMost = 50;

/** The hand histories of hands played in this tab, the newest last. */
export function savedHands(): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(kSlot) ?? '[]') as string[];
  } catch {
    return [];
  }
}

export function saveHand(log: string): void {
  const hands = savedHands().filter(hand => hand !== log);
  sessionStorage.setItem(kSlot, JSON.stringify([...hands, log].slice(-kMost)));
}
