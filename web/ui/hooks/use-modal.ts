import { useEffect, useRef } from "react";

/** A ref for a `<dialog>`: opens it as modal on mount and returns the focus to the element that had it on unmount. */
export const useModal = () => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return dialog;
};
