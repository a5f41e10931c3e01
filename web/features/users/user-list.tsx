import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useIncrementalList } from "../../lib/hooks/use-incremental-list";
import { paths } from "../../paths";
import { Search } from "../../ui/controls/search";
import { RoleTag } from "../../ui/feedback/badge";
import { Empty } from "../../ui/feedback/empty";
import { ItemActions } from "../../ui/lists/item-actions";
import { SEARCH_ABOVE, selectUsers, type User } from "./api";

type UserTableProps = { users: readonly User[]; own: number | undefined; onDelete: (user: User) => void };

const columns = ["id", "username", "email", "role"] as const;

function UserTable({ users, own, onDelete }: UserTableProps) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="card table-card" aria-label={t("users.title")} tabIndex={0}>
      <table className="user-table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className={`${column}-column`}>
                {t(`users.column.${column}`)}
              </th>
            ))}
            <th scope="col" className="actions-column number">
              {t("users.column.actions")}
            </th>
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <tr key={user.id}>
              <td className="soft figure id-cell">{user.id}</td>
              <th scope="row">
                <div className="user-cell">
                  <Link href={paths.user(user.id)} className="truncate" title={user.username}>
                    {user.username}
                  </Link>
                  {user.id === own && <span className="tag">{t("users.you")}</span>}
                </div>
              </th>
              <td className={user.email ? "truncate email-cell" : "email-cell none"} title={user.email ?? undefined}>
                {user.email || <span className="soft">–</span>}
              </td>
              <td className="role-cell">
                <RoleTag role={user.role} />
              </td>
              <td>
                <div className="row-actions">
                  <ItemActions
                    name={user.username}
                    editAt={paths.user(user.id)}
                    onDelete={() => onDelete(user)}
                    keep={user.id === own ? t("users.delete.self") : undefined}
                  />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

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
