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

async function answer<T>(response: Response): Promise<T> {
  const text = await response.text();
  let json: unknown = null;
  try {
    json = JSON.parse(text);
  } catch {
    json = null;
  }
  if (!response.ok) {
    const said = (json as {error?: string} | null)?.error;
    throw new ApiError(response.status, said ?? `${response.status} ${response.statusText}`);
  }
  return json as T;
}

const headers = (): HeadersInit => ({Authorization: `Bearer ${token()}`});

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return answer<T>(await fetch(path, {headers: headers(), signal}));
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
