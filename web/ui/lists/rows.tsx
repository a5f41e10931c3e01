import { type CSSProperties, type ReactNode, useEffect, useRef } from "react";
import { Link } from "wouter";

/** Elements that handle their own clicks inside a row. */
const CONTROLS = "a, button, input, select, label, [role=menu], [role=dialog]";

/** Opens the link of a row that is clicked beside it: with the middle button or a modifier key in a new tab. */
const openRow = (event: MouseEvent): void => {
  const target = event.target instanceof Element ? event.target : null;
  const link = target?.closest("[data-row]")?.querySelector<HTMLAnchorElement>("a.row-link");
  if (!link || event.defaultPrevented || event.button > 1 || target?.closest(CONTROLS)) return;
  if (event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey) {
    window.open(link.href, "_blank", "noopener");
    return;
  }
  // Text that was just selected stays selected.
  if (getSelection()?.isCollapsed === false) return;
  link.click();
};

type RowsProps = {
  className?: string;
  /** The columns of a table whose columns are not always the same. */
  columns?: string;
  children: ReactNode;
};

/**
 * The frame of a list of rows: a `table`, whose rows have `data-row`, or an `ul` with such items. The columns are set by
 * `--columns` of its class (rows.css). A click anywhere on a row follows its RowLink.
 */
export function Rows({ className, columns, children }: RowsProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const node = box.current;
    node?.addEventListener("click", openRow);
    node?.addEventListener("auxclick", openRow);
    return () => {
      node?.removeEventListener("click", openRow);
      node?.removeEventListener("auxclick", openRow);
    };
  }, []);
  return (
    <div
      className={className ? `card rows ${className}` : "card rows"}
      style={columns === undefined ? undefined : ({ "--chosen-columns": columns } as CSSProperties)}
      ref={box}
    >
      {children}
    </div>
  );
}

/** The link of a row's name. It covers the whole row, so that the browser's own gestures for links work anywhere on it. */
export function RowLink({ href, name, current = false }: { href: string; name: string; current?: boolean }) {
  return (
    <Link href={href} title={name} className="row-link truncate" aria-current={current ? "page" : undefined}>
      {name}
    </Link>
  );
}
