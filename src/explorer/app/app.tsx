import { useCallback, useMemo, useState } from 'preact/hooks';
import { ApiError, createApi } from './api.ts';
import type { Connection } from './api.ts';
import { ConnectionNotice } from './components/connection-notice.tsx';
import { KeyForm } from './components/key-form.tsx';
import { Layout } from './components/layout.tsx';
import { Stage } from './components/stage.tsx';
import { session } from './session.ts';
import type { Identity } from './session.ts';

/** The whole page: the form for the key, or the views behind it. */
export function App() {
  const [key, setKey] = useState(session.key);
  const [identity, setIdentity] = useState<Identity | null>(null);
  const [ended, setEnded] = useState<string | null>(null);
  const [connection, setConnection] = useState<Connection>({ state: 'there' });

  const close = useCallback((why: string | null) => {
    session.close();
    setKey(null);
    setIdentity(null);
    setEnded(why);
  }, []);

  /** True once the key was taken. */
  const open = useCallback(async (candidate: string): Promise<string | null> => {
    const api = createApi({ key: candidate, onRefused: () => {}, onConnection: setConnection });
    try {
      setIdentity(await api.get<Identity>('/'));
    } catch (error) {
      return error instanceof ApiError && error.status === 401
        ? 'This key is not taken: it may be mistyped, expired or revoked.'
        : String(error instanceof Error ? error.message : error);
    }
    session.open(candidate);
    setEnded(null);
    setKey(candidate);
    return null;
  }, []);

  const api = useMemo(() => {
    if (key === null) return null;
    let expires: string | null = null;
    const made = createApi({
      key,
      onRefused: () =>
        close(
          hasPassed(expires)
            ? 'Your key has expired.'
            : 'Your key is not taken any more: it has expired or was revoked.',
        ),
      onConnection: setConnection,
    });
    void made.get<Identity>('/').then(
      (answer) => {
        expires = answer.api_key.expires_at;
        setIdentity(answer);
      },
      () => {},
    );
    return made;
  }, [key, close]);

  return (
    <>
      {api === null ? (
        <KeyForm ended={ended} open={open} />
      ) : (
        <Layout identity={identity} leave={() => close(null)}>
          <Stage api={api} />
        </Layout>
      )}
      <ConnectionNotice connection={connection} />
    </>
  );
}

const hasPassed = (time: string | null) => time !== null && Date.parse(time) <= Date.now();
