/** The messages between the page and its worker. A connection has a number. */
export type ToWorker =
  | {type: 'take'; connection: number; text: string}
  | {type: 'left'; connection: number}
  | {type: 'games'};

export type FromWorker =
  | {type: 'heard'; connection: number; text: string}
  | {type: 'games'; text: string}
  | {type: 'failed'; message: string};
