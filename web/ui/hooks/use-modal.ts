import { useEffect, useRef } from "react";

/** A `<dialog>` that is modal for as long as it is mounted; the focus then goes back to where it was. */
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
