const kToken = 'dealer.token';

/** Takes the token out of the address, so that it is neither logged nor shared, and keeps it for this tab. */
export function takeToken(): void {
  const found = /[#&?]token=([^&]+)/.exec(location.hash);
  if (!found) return;
  sessionStorage.setItem(kToken, decodeURIComponent(found[1]!));
  const rest = location.hash.replace(/([#&?])token=[^&]+&?/, '$1').replace(/[#&?]$/, '');
  history.replaceState(null, '', location.pathname + location.search + rest);
}

export const token = (): string => sessionStorage.getItem(kToken) ?? '';

export class ApiError extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

/** The text of an answer. Throws ApiError with the server's own words where it refuses. */
async function textOf(response: Response): Promise<string> {
  const text = await response.text();
  if (response.ok) return text;
  let said: string | undefined;
  try {
    said = (JSON.parse(text) as {error?: string}).error;
  } catch {
    said = undefined;
  }
  throw new ApiError(response.status, said ?? `${response.status} ${response.statusText}`);
}

const answer = async <T>(response: Response): Promise<T> => JSON.parse(await textOf(response)) as T;

const headers = (): HeadersInit => ({Authorization: `Bearer ${token()}`});

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return answer<T>(await fetch(path, {headers: headers(), signal}));
}

/** An answer that is not JSON: hand histories. */
export async function getText(path: string): Promise<string> {
  return textOf(await fetch(path, {headers: headers()}));
}

export async function post<T>(path: string, body: string): Promise<T> {
  return answer<T>(await fetch(path, {method: 'POST', headers: {...headers(), 'Content-Type': 'text/plain'}, body}));
}

/** The address of a file that opens in a frame, which cannot send headers. */
export const withToken = (path: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}token=${encodeURIComponent(token())}`;

export function socketAddress(): string {
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
  return withToken(`${scheme}//${location.host}/ws/table`);
}
