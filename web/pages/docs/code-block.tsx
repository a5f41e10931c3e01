import type { ReactNode } from "react";
import { CopyButton } from "../../ui/controls/copy-button";

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null|-?\d[\d.eE+-]*)\b/g;

/** JSON with its names, strings and other values in different colours. */
const highlight = (json: string): ReactNode[] => {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of json.matchAll(TOKEN)) {
    const [all, text, colon] = match;
    const kind = text && colon ? "json-name" : text ? "json-text" : "json-value";
    parts.push(
      json.slice(end, match.index),
      <span key={match.index} className={kind}>
        {text ?? all}
      </span>,
      colon,
    );
    end = match.index + all.length;
  }
  return [...parts, json.slice(end)];
};

/** A block of code with a button that copies it. `label` names it for screen readers. */
export function CodeBlock({ text, label, isJson = false }: { text: string; label: string; isJson?: boolean }) {
  return (
    <div className="code">
      {/* It scrolls sideways by itself, so that it has to be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          <code>{isJson ? highlight(text) : text}</code>
        </pre>
      </section>
      <CopyButton text={text} what={label} />
    </div>
  );
}
