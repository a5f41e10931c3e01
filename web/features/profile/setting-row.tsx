import type { ReactNode } from "react";

type Props = {
  title: ReactNode;
  text: ReactNode;
  /** The control, at the end of the row. */
  children?: ReactNode;
};

/** A setting or an action in words, and its control beside them. */
export function SettingRow({ title, text, children }: Props) {
  return (
    <div className="setting-row">
      <div>
        <h3>{title}</h3>
        <p className="soft small">{text}</p>
      </div>
      {children}
    </div>
  );
}
