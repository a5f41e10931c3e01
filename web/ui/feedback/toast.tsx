import { atom, getDefaultStore, useAtomValue } from "jotai";
import { Link } from "wouter";
import { Icon } from "../controls/icon";

type Toast = {
  id: number;
  text: string;
  tone: "good" | "bad" | "info";
  /** A second sentence, and where it leads. */
  more?: { text: string; link?: { path: string; text: string } };
};

/** The notices on screen, oldest first. */
const toastsAtom = atom<Toast[]>([]);
let last = 0;

/** Shows a short notice for `lasts` milliseconds, by default 3 s. */
export const toast = (
  text: string,
  { tone = "good", lasts = 3000, more }: Partial<Pick<Toast, "tone" | "more">> & { lasts?: number } = {},
) => {
  const store = getDefaultStore();
  const id = ++last;
  store.set(toastsAtom, (shown) => [...shown, { id, text, tone, ...(more && { more }) }]);
  setTimeout(() => store.set(toastsAtom, (shown) => shown.filter((one) => one.id !== id)), lasts);
};

export function Toasts() {
  const toasts = useAtomValue(toastsAtom);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, tone, more }) => (
        <div key={id} className={`message toast ${tone}`} role={tone === "bad" ? "alert" : undefined}>
          <Icon name={tone === "good" ? "up" : "alert"} />
          <span>{text}</span>
          {more && (
            <p className="toast-more">
              {more.text} {more.link && <Link href={more.link.path}>{more.link.text}</Link>}
            </p>
          )}
        </div>
      ))}
    </div>
  );
}
