import { useState } from 'preact/hooks';

/** Asks for the API key, which never leaves this tab but in requests to the service. */
export function KeyForm({
  ended,
  open,
  signInPath,
}: {
  /** Why the session before has ended. */
  ended: string | null;
  /** What is wrong with the key; null where nothing is. */
  open: (key: string) => Promise<string | null>;
  /** Where to sign in; null: nowhere. */
  signInPath: string | null;
}) {
  const [wrong, setWrong] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const said = wrong ?? ended;
  const submit = async (form: HTMLFormElement) => {
    const field = form.elements.namedItem('key') as HTMLInputElement;
    setBusy(true);
    const refusal = await open(field.value.trim());
    setBusy(false);
    if (refusal === null) return;
    setWrong(refusal);
    field.select();
  };
  return (
    <main class="door">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <h1>Repository Intelligence</h1>
        <p class="quiet">The code graph, search and due diligence of your repositories.</p>
        {signInPath !== null && (
          <p>
            <a class="button primary" href={`${signInPath}?place=${encodeURIComponent(location.hash)}`}>
              Sign in
            </a>{' '}
            <span class="quiet">or open it with a key.</span>
          </p>
        )}
        <label for="key">API key</label>
        <input
          id="key"
          name="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="ris_live_…"
          required
          autofocus
          aria-describedby="key-says key-stays"
          aria-invalid={said !== null}
        />
        <p id="key-says" class="wrong" role="alert">
          {said}
        </p>
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? 'Opening…' : 'Open'}
        </button>
        <p id="key-stays" class="quiet">
          The key stays in this tab until you close it or sign out. It was shown once when it was made:{' '}
          <code>npm start</code> shows the first, an owner or admin makes more.
        </p>
        <p>
          <a href="docs">Documentation</a>
        </p>
      </form>
    </main>
  );
}
