import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { isLeaving, leave, registerForm } from "../../lib/form";
import { base } from "../../lib/navigation/base-path";
import { session } from "../../session";
import { ConfirmDialog } from "./confirm-dialog";

/** The path inside the console that an address leads to, unless it is the current page's. */
const otherPage = ({ origin, pathname, search }: Pick<URL, "origin" | "pathname" | "search">): string | undefined =>
  origin === location.origin && `${pathname}/`.startsWith(`${base}/`) && pathname !== location.pathname
    ? pathname.slice(base.length) + search
    : undefined;

/** The path inside the console that a plain click on a link leads to, if any. */
const destinationOf = (event: MouseEvent): string | undefined => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return undefined;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  return link?.getAttribute("href") && !link.target ? otherPage(link) : undefined;
};

/**
 * Asks for confirmation before unsaved changes are lost: by a link, a command, going back, or closing the tab, unless they
 * are being saved. Returns the dialog, to be rendered in the form.
 */
export const useUnsaved = (isDirty: () => boolean, isSaving = () => false): ReactNode => {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const [waiting, setWaiting] = useState<{ go: () => unknown }>();
  const latest = useRef({ isDirty, isSaving, navigate });
  latest.current = { isDirty, isSaving, navigate };

  useEffect(() => {
    const asks = () => {
      const { isDirty, isSaving } = latest.current;
      return !isLeaving() && session().status === "authenticated" && !isSaving() && isDirty();
    };
    const open = (to: string) => setWaiting({ go: () => latest.current.navigate(to) });
    const onUnload = (event: BeforeUnloadEvent) => {
      if (asks()) event.preventDefault();
    };
    const onClick = (event: MouseEvent) => {
      const to = destinationOf(event);
      if (to === undefined || !asks()) return;
      event.preventDefault();
      event.stopPropagation();
      open(to);
    };
    // Going back can be cancelled through the Navigation API only; a popstate event comes too late.
    const onNavigate = (event: NavigateEvent) => {
      const { key, url } = event.destination;
      const to = otherPage(new URL(url));
      if (to === undefined || !event.cancelable || event.navigationType === "reload" || !asks()) return;
      event.preventDefault();
      if (event.navigationType === "traverse") setWaiting({ go: () => navigation.traverseTo(key).finished });
      else open(to);
    };
    const history = "navigation" in window ? navigation : undefined;
    addEventListener("beforeunload", onUnload);
    document.addEventListener("click", onClick, { capture: true });
    history?.addEventListener("navigate", onNavigate);
    const remove = registerForm(() => latest.current.isDirty());
    return () => {
      remove();
      removeEventListener("beforeunload", onUnload);
      document.removeEventListener("click", onClick, { capture: true });
      history?.removeEventListener("navigate", onNavigate);
    };
  }, []);

  if (!waiting) return null;
  return (
    <ConfirmDialog
      title={t("shared.leave.title")}
      text={t("shared.leave.text")}
      confirm={t("shared.leave.confirm")}
      busy={t("shared.leave.confirm")}
      onConfirm={() => leave(waiting.go)}
      onClose={() => setWaiting(undefined)}
    />
  );
};

/**
 * Asks before what was typed into a dialog is lost: by Escape, or by leaving the page. Returns the handler of Escape, and
 * the question.
 */
export const useDiscardQuestion = (isDirty: () => boolean, busy: boolean, onClose: () => void) => {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const unsaved = useUnsaved(isDirty, () => busy);

  const onCancel = (event: SyntheticEvent) => {
    // The cancel events of a dialog inside bubble here, too.
    if (event.target !== event.currentTarget || (!busy && !isDirty())) return;
    event.preventDefault();
    setAsking(!busy);
  };
  const question = isAsking && (
    <ConfirmDialog
      title={t("shared.leave.discard")}
      text={t("shared.leave.text")}
      confirm={t("shared.leave.confirm")}
      busy={t("shared.leave.confirm")}
      onConfirm={async () => onClose()}
      onClose={() => setAsking(false)}
    />
  );
  return { onCancel, question: question || unsaved };
};
