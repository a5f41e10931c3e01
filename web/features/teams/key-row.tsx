import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { StoredScope } from "../../../src/shared/accounts/key-scopes";
import { useMedia } from "../../lib/hooks/use-media";
import { MenuItem, RowMenu } from "../../ui/lists/row-menu";

/** A screen without room for a button in each row. */
const NARROW = "(max-width: 36rem)";

type Props = {
  of: { name: string; scopes: readonly StoredScope[] };
  /** A line below the name. */
  about: ReactNode;
  /** A tag before the scopes. */
  tag?: ReactNode;
  onRevoke: () => void;
};

/** An API key in a list, with its scopes and the button that revokes it: on phones in a menu. */
export function KeyRow({ of: { name, scopes }, about, tag, onRevoke }: Props) {
  const { t } = useTranslation();
  const isNarrow = useMedia(NARROW);
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
      {isNarrow ? (
        <RowMenu name={name}>
          <MenuItem icon="trash" onClick={onRevoke}>
            {t("profile.keys.revoke")}
          </MenuItem>
        </RowMenu>
      ) : (
        <button
          type="button"
          className="quiet compact"
          aria-label={t("profile.keys.revokeOf", { name })}
          onClick={onRevoke}
        >
          {t("profile.keys.revoke")}
        </button>
      )}
    </li>
  );
}
