const storedAs = 'repo-intel-key';

/** The key lives as long as the tab: never in the page, an address, or a store that outlasts it. */
export const session = {
  key: (): string | null => sessionStorage.getItem(storedAs),
  open: (key: string) => sessionStorage.setItem(storedAs, key),
  close: () => sessionStorage.removeItem(storedAs),
};

/** Whose key it is, as `GET /` tells. */
export interface Identity {
  organization: { name: string };
  member: { role: string };
  api_key: { prefix: string; expires_at: string | null };
}
