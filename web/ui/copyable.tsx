import { CopyButton } from "./copy-button";

/** A text to take away, as it is, with its button. */
export function Copyable({ what, text, lines = false }: { what: string; text: string; lines?: boolean }) {
  return (
    <div className={lines ? "copyable lines" : "copyable"}>
      <pre>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
