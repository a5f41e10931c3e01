import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { Icon, type IconName } from "./icon";

type Props = ComponentProps<"button"> & {
  icon: IconName;
  /** The action. */
  label: string;
  /** The name of its object, where a page has several such buttons. */
  of?: string;
};

/** A button without a text on screen. Its label is its tooltip, too. */
export function IconButton({ icon, label, of, className = "quiet compact icon-only", ...button }: Props) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={className}
      aria-label={of === undefined ? label : t("common.labelled", { label, value: of })}
      title={label}
      {...button}
    >
      <Icon name={icon} />
    </button>
  );
}
