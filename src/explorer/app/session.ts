const storedAs = 'repo-intel-key';

/** By what the service knows whose page this is: a key that was pasted, or the cookie of somebody who has signed in. */
export type Credential = { key: string } | { cookie: true };

/** The key lives as long as the tab: never in the page, an address, or a store that outlasts it. */
export const session = {
  credential(): Credential | null {
    const key = sessionStorage.getItem(storedAs);
    return key === null ? null : { key };
  },
  open: (key: string) => sessionStorage.setItem(storedAs, key),
  close: () => sessionStorage.removeItem(storedAs),
};

/** What a request shows the service. Pages of other sites can't send the second, so the cookie alone is nothing. */
export const headersOf = (credential: Credential): Record<string, string> =>
  'key' in credential ? { authorization: `Bearer ${credential.key}` } : { 'x-requested-with': 'repo-intel-explorer' };

/** As `GET /session` tells. */
interface Door {
  has_session: boolean;
  /** Where to sign in; null: nowhere. */
  sign_in_path: string | null;
}

/** Whether this browser may be signed in, and where it can be. */
export async function askAtTheDoor(): Promise<Door> {
  const response = await fetch(new URL('./session', document.baseURI)).catch(() => null);
  return response?.ok ? ((await response.json()) as Door) : { has_session: false, sign_in_path: null };
}

/** Ends the session of the cookie; gives where to sign out of the identity provider, too. */
export async function signOut(): Promise<string | null> {
  const headers = headersOf({ cookie: true });
  const response = await fetch(new URL('./sign-out', document.baseURI), { method: 'POST', headers }).catch(() => null);
  return response?.ok ? ((await response.json()) as { end_session_url: string | null }).end_session_url : null;
}

/** Whose key it is, as `GET /` tells. */
export interface Identity {
  organization: { name: string };
  member: { role: string };
  api_key: { prefix: string; expires_at: string | null };
}
