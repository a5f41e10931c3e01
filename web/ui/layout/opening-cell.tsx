import type { ReactNode } from "react";
import { Icon } from "../controls/icon";

type OpeningProps = {
  /** Whether its row can be opened. */
  opens: boolean;
  open: boolean;
  /** The id of the rows that it opens. */
  rows: string;
  title: string;
  onToggle: () => void;
  children: ReactNode;
};

/** The first cell of a row that is opened by a click; its button does the same for the keyboard. */
export function OpeningCell({ opens, open, rows, title, onToggle, children }: OpeningProps) {
  return (
    <td className="when">
      {opens ? (
        <button
          type="button"
          className="quiet run-time"
          aria-expanded={open}
          aria-controls={rows}
          title={title}
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        >
          <Icon name={open ? "caret" : "right"} />
          {children}
        </button>
      ) : (
        <span className="run-time">{children}</span>
      )}
    </td>
  );
}
