/** 42.3%, 0.0015%: three digits, for shares of the deals. */
export const shareOfDeals = (share: number): string => `${Number((100 * share).toPrecision(3))}%`;
