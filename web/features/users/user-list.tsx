import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useIncrementalList } from "../../lib/hooks/use-incremental-list";
import { Search } from "../../ui/controls/search";
import { Empty } from "../../ui/feedback/empty";
import type { User } from "./calls";
import { SEARCH_ABOVE, selectUsers } from "./select-users";
import { UserTable } from "./user-table";

type Props = { users: readonly User[]; own: number | undefined; onDelete: (user: User) => void };

/** The table of users, with a search field above a long one. */
export function UserList({ users, own, onDelete }: Props) {
  const { t } = useTranslation();
  const [search, setSearch] = useState("");
  const selected = selectUsers(users, search);
  const more = useIncrementalList(selected);

  return (
    <div>
      {users.length > SEARCH_ABOVE && (
        <div className="toolbar">
          <Search label={t("users.search")} value={search} onChange={setSearch} />
        </div>
      )}
      {selected.length === 0 ? (
        <Empty heading="h2" icon="search" title={t("users.noMatch.title")} text={t("users.noMatch.text")}>
          <button type="button" className="plain" onClick={() => setSearch("")}>
            {t("users.noMatch.clear")}
          </button>
        </Empty>
      ) : (
        <UserTable users={more.shown} own={own} onDelete={onDelete} />
      )}
      <div className="more-mark" ref={more.mark} />
    </div>
  );
}
