import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { StoredScope } from "../../../src/shared/accounts/key-scopes";
import { useMedia } from "../../lib/hooks/use-media";
import { MenuItem, RowMenu } from "../../ui/lists/row-menu";

/** A screen without room for a button in each row. */
const NARROW = "(max-width: 36rem)";

type RevokeProps = { name: string; onRevoke: () => void };

/** The button of a row that revokes a key or an address: on phones in a menu. */
export function RevokeAction({ name, onRevoke }: RevokeProps) {
  const { t } = useTranslation();
  const isNarrow = useMedia(NARROW);
  if (isNarrow)
    return (
      <RowMenu name={name}>
        <MenuItem icon="trash" onClick={onRevoke}>
          {t("profile.keys.revoke")}
        </MenuItem>
      </RowMenu>
    );
  return (
    <button
      type="button"
      className="quiet compact"
      aria-label={t("profile.keys.revokeOf", { name })}
      onClick={onRevoke}
    >
      {t("profile.keys.revoke")}
    </button>
  );
}

type Props = {
  of: { name: string; scopes: readonly StoredScope[] };
  /** A line below the name. */
  about: ReactNode;
  /** A tag before the scopes. */
  tag?: ReactNode;
  onRevoke: () => void;
};

/** An API key in a list, with its scopes and the button that revokes it. */
export function KeyRow({ of: { name, scopes }, about, tag, onRevoke }: Props) {
  const { t } = useTranslation();
  return (
    <li>
      <div>
        <strong className="truncate" title={name}>
          {name}
        </strong>
        {about}
      </div>
      <span className="key-tags">
        {tag}
        {scopes.map((scope) => (
          <span key={scope} className="tag">
            {t(`profile.keys.scope.${scope}`)}
          </span>
        ))}
      </span>
      <RevokeAction name={name} onRevoke={onRevoke} />
    </li>
  );
}
