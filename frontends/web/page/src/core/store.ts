import {useLayoutEffect, useState} from 'preact/hooks';

/** A value that components can subscribe to. */
export class Store<T> {
  private readonly listeners = new Set<() => void>();
  constructor(private current: T) {}
  get(): T {
    return this.current;
  }
  set(next: T): void {
    if (Object.is(next, this.current)) return;
    this.current = next;
    for (const listener of [...this.listeners]) listener();
  }
  update(change: (value: T) => T): void {
    this.set(change(this.current));
  }
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

export function useStore<T>(store: Store<T>): T {
  const [, redraw] = useState(0);
  // Before anything is painted: what changes from then on is drawn.
  useLayoutEffect(() => store.subscribe(() => redraw(n => n + 1)), [store]);
  return store.get();
}
