import { Fragment } from "react";

/** An address that breaks before its @ and dots and after its slashes, and inside of a word only where one is too long. */
export const Address = ({ text }: { text: string }) => {
  const parts = text.split(/(?=[@.])|(?<=[/?&])(?!\/)/);
  return parts.map((part, place) => (
    <Fragment key={parts.slice(0, place + 1).join("")}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ));
};
