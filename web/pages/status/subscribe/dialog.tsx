import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { subscribe as enUS } from "../../../locales/en-US/pages/subscribe";
import { subscribe as zhCN } from "../../../locales/zh-CN/pages/subscribe";

type Words = typeof zhCN;
type Component = { key: string; name: string; group: string };
type Offer = { mail: boolean; components: Component[] };
const WAYS = ["email", "webhook", "feed", "calendar"] as const;
type Way = (typeof WAYS)[number];

const REFUSALS: Readonly<Record<string, keyof Words>> = {
  validation: "invalid",
  rate_limited: "limited",
  too_many_subscribers: "full",
};

/** The call of the page, below its address as its feed. */
const callOf = (feed: string): string => feed.replace(/feed\.xml.*/, "subscribe");

const byGroup = (components: readonly Component[]) => [...Map.groupBy(components, ({ group }) => group)];

/** The components that a subscription can be limited to; all are chosen at first. */
function Components({ components, words }: { components: readonly Component[]; words: Words }) {
  return (
    <details className="some">
      <summary>{words.some}</summary>
      <fieldset aria-label={words.some}>
        {byGroup(components).map(([group, members]) => (
          <div key={group} className="group">
            {group && <p>{group}</p>}
            {members.map(({ key, name }) => (
              <label key={key}>
                <input type="checkbox" name="component" value={key} />
                <span>{name}</span>
              </label>
            ))}
          </div>
        ))}
      </fieldset>
    </details>
  );
}

/** An address for a program of the visitor. */
function Address({ url, words }: { url: string; words: Words }) {
  const [isCopied, setCopied] = useState(false);
  const address = new URL(url, document.baseURI).href;
  const copy = () => void navigator.clipboard?.writeText(address).then(() => setCopied(true));
  return (
    <>
      <input type="text" readOnly value={address} aria-label={words.open} onFocus={({ target }) => target.select()} />
      <div className="actions">
        <a href={address} className="button quiet">
          {words.open}
        </a>
        <button type="button" onClick={copy}>
          {isCopied ? words.copied : words.copy}
        </button>
      </div>
    </>
  );
}

type FormProps = { way: "email" | "webhook"; call: string; components: readonly Component[]; words: Words };

function SubscribeForm({ way, call, components, words }: FormProps) {
  const { i18n } = useTranslation();
  const [state, setState] = useState<"idle" | "busy" | "sent">("idle");
  const [error, setError] = useState<keyof Words>();
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const chosen = form.getAll("component");
    const body = {
      [way === "email" ? "email" : "url"]: String(form.get("address")).trim(),
      ...(chosen.length > 0 && { components: chosen }),
      language: i18n.language,
    };
    setState("busy");
    setError(undefined);
    try {
      const headers = { "content-type": "application/json" };
      const response = await fetch(call, { method: "POST", headers, body: JSON.stringify(body) });
      if (response.ok) return setState("sent");
      const { code } = (await response.json()) as { code: string };
      setError(REFUSALS[code] ?? "failed");
    } catch {
      setError("failed");
    }
    setState("idle");
  };
  if (state === "sent")
    return (
      <div className="sent" role="status">
        <p>
          <b>{way === "email" ? words.sent : words.sentHook}</b>
        </p>
        <p>{way === "email" ? words.sentText : words.sentHookText}</p>
      </div>
    );
  return (
    <form onSubmit={(event) => void onSubmit(event)}>
      <label>
        <span>{way === "email" ? words.emailLabel : words.webhookLabel}</span>
        <input
          name="address"
          type={way === "email" ? "email" : "url"}
          autoComplete={way === "email" ? "email" : "off"}
          placeholder={way === "email" ? "name@example.com" : "https://example.com/hook"}
          required
          aria-invalid={error === "invalid" || undefined}
        />
      </label>
      {components.length > 1 && <Components components={components} words={words} />}
      {error && (
        <p className="message bad" role="alert">
          {words[error]}
        </p>
      )}
      <div className="actions">
        <button type="submit" disabled={state === "busy"} aria-busy={state === "busy"}>
          {state === "busy" ? words.sending : words.submit}
        </button>
      </div>
    </form>
  );
}

const useOffer = (call: string) => {
  const [offer, setOffer] = useState<Offer | "failed">();
  useEffect(() => {
    fetch(call)
      .then((response) => (response.ok ? (response.json() as Promise<Offer>) : Promise.reject(response.status)))
      .then(setOffer, () => setOffer("failed"));
  }, [call]);
  return offer;
};

type Props = { feed: string; onClose: () => void };

/** The ways to subscribe to a page: by mail and webhook, which are confirmed, and by its feed and calendar. */
export function SubscribeDialog({ feed, onClose }: Props) {
  const { i18n } = useTranslation();
  const words = i18n.language === "zh-CN" ? zhCN : enUS;
  const call = callOf(feed);
  const offer = useOffer(call);
  const [chosen, setChosen] = useState<Way>();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const ways = WAYS.filter((way) => way !== "email" || (offer && offer !== "failed" && offer.mail));
  const way = chosen ?? ways[0] ?? "feed";
  const calendar = feed.replace("feed.xml", "maintenance.ics");
  const panel = () => {
    if (way === "feed") return <Address key={way} url={feed} words={words} />;
    if (way === "calendar") return <Address key={way} url={calendar} words={words} />;
    return offer && offer !== "failed" ? (
      <SubscribeForm key={way} way={way} call={call} components={offer.components} words={words} />
    ) : (
      <p className="message bad">{words.loadFailed}</p>
    );
  };
  return (
    <dialog ref={dialog} className="subscribe-dialog" aria-labelledby={id} onClose={onClose}>
      <article>
        <header>
          <h2 id={id}>{words.title}</h2>
          <button type="button" className="close" aria-label={words.close} onClick={() => dialog.current?.close()}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M6 6l12 12M18 6L6 18" />
            </svg>
          </button>
        </header>
        {offer === undefined ? (
          <p aria-busy="true" />
        ) : (
          <>
            <fieldset className="ways" aria-label={words.ways}>
              {ways.map((one) => (
                <button key={one} type="button" aria-pressed={one === way} onClick={() => setChosen(one)}>
                  {words[one]}
                </button>
              ))}
            </fieldset>
            <p className="about">{words[`${way}About`]}</p>
            {panel()}
          </>
        )}
      </article>
    </dialog>
  );
}
