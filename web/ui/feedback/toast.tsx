import { atom, getDefaultStore, useAtomValue } from "jotai";
import { Icon } from "../controls/icon";

type Toast = { id: number; text: string; tone: "good" | "bad" | "info" };

/** The notices on screen, oldest first. */
const toastsAtom = atom<Toast[]>([]);
let last = 0;

/** Shows a short notice for `lasts` milliseconds, by default 3 s. */
export const toast = (text: string, { tone = "good", lasts = 3000 }: { tone?: Toast["tone"]; lasts?: number } = {}) => {
  const store = getDefaultStore();
  const id = ++last;
  store.set(toastsAtom, (shown) => [...shown, { id, text, tone }]);
  setTimeout(() => store.set(toastsAtom, (shown) => shown.filter((one) => one.id !== id)), lasts);
};

export function Toasts() {
  const toasts = useAtomValue(toastsAtom);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, tone }) => (
        <div key={id} className={`message toast ${tone}`} role={tone === "bad" ? "alert" : undefined}>
          <Icon name={tone === "good" ? "up" : "alert"} />
          <span>{text}</span>
        </div>
      ))}
    </div>
  );
}
