import type { KeyboardEvent, PointerEvent } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../ui/controls/icon";

type GripProps = {
  name: string;
  id: string;
  hint: string;
  onStep: (step: -1 | 1) => void;
  onGrab: () => void;
};

/** The handle of a row: dragged by a pointer, or moved by the arrow keys. */
export function Grip({ name, id, hint, onStep, onGrab }: GripProps) {
  const { t } = useTranslation();
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key] as -1 | 1 | undefined;
    if (step === undefined) return;
    event.preventDefault();
    onStep(step);
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    // The pointer is followed by the window, because the row moves in the document while it is dragged.
    (event.target as Element).releasePointerCapture?.(event.pointerId);
    onGrab();
  };
  return (
    <button
      type="button"
      id={id}
      className="quiet icon-only grip"
      aria-label={t("status.layout.move", { name })}
      aria-describedby={hint}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
    >
      <Icon path="M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01" />
    </button>
  );
}
