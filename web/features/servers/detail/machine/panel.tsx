import { type ReactNode, useId } from "react";

type Props = {
  title: string;
  note?: string;
  className?: string /** At the end of the head. */;
  action?: ReactNode;
  children: ReactNode;
};

/** A section of a server's page with a title and a note beside it. */
export function Panel({ title, note, className, action, children }: Props) {
  const id = useId();
  return (
    <section className={className ? `card machine-panel ${className}` : "card machine-panel"} aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{title}</h2>
        {note && <span className="soft small">{note}</span>}
        {action}
      </div>
      {children}
    </section>
  );
}
