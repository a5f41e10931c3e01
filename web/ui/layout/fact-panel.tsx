import { type ReactNode, useId } from "react";
import { CopyButton } from "../controls/copy-button";

export type FactRows = readonly (readonly [label: string, value: ReactNode, copied?: string])[];

type Props = { title: string; rows: FactRows /** At the end of the head. */; action?: ReactNode };

/** Labels with their values, some with a button that copies the value. Those without a value are left out. */
export function FactPanel({ title, rows, action }: Props) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{title}</h2>
        {action}
      </div>
      <dl>
        {rows.map(
          ([label, value, copied]) =>
            value && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <div>{value}</div>
                  {copied && <CopyButton text={copied} what={label} isIcon />}
                </dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}

/** Panels side by side, where there is room. `isLed`: the first one is as wide as all of them. */
export const FactPanels = ({ children, isLed = false }: { children: ReactNode; isLed?: boolean }) => (
  <div className="fact-panels-box">
    <div className={isLed ? "fact-panels led" : "fact-panels"}>{children}</div>
  </div>
);
