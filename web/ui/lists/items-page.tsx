import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Resource } from "../../lib/resource";
import { Icon, type IconName } from "../controls/icon";
import { RefreshButton } from "../controls/refresh-button";
import { Failure } from "../feedback/failure";
import { QuotaCount } from "../feedback/quota";
import { Skeleton } from "../feedback/skeleton";
import { Stale } from "../feedback/stale";
import { ItemsView, type Selecting } from "./items-view";

type Props<Item, F extends string, S extends string> = Selecting<Item, F, S> & {
  /** The part of the locale with the texts of the page. */
  words: "monitors" | "agents";
  icon: IconName;
  createAt: string;
  /** The approximate height of a card, for its skeleton. */
  cardHeight: string;
  items: readonly Item[] | undefined;
  /** The number of items on the server, of which not all may be loaded. */
  total: number | undefined;
  state: Pick<Resource<unknown>, "error" | "loading">;
  refresh: () => void;
  card: (item: Item, onDelete: (item: Item) => void) => ReactNode;
  table: (items: readonly Item[], onDelete: (item: Item) => void) => ReactNode;
  /** The dialog that confirms a deletion. */
  dialog: (item: Item, on: { onDeleted: () => void; onClose: () => void }) => ReactNode;
};

/** The list page of monitors or servers: search, filter, sort, cards or rows. A deleted item disappears at once. */
export function ItemsPage<Item extends { id: number }, F extends string, S extends string>(props: Props<Item, F, S>) {
  const {
    words,
    icon,
    createAt,
    cardHeight,
    items,
    total = 0,
    state,
    refresh,
    card,
    table,
    dialog,
    ...selecting
  } = props;
  const { t } = useTranslation();
  const [deleting, setDeleting] = useState<Item>();
  const [gone, setGone] = useState<readonly number[]>([]);

  const create = (
    <Link href={createAt} className="button">
      <Icon name="plus" />
      {t(`${words}.create`)}
    </Link>
  );

  return (
    <>
      <div className="page-head">
        <h1>{t(`${words}.title`)}</h1>
        <div className="actions">
          {items && <QuotaCount name={words === "agents" ? "servers" : "monitors"} used={items.length - gone.length} />}
          <RefreshButton loading={state.loading} onRefresh={refresh} />
          {create}
        </div>
      </div>
      {items ? (
        <>
          <Stale error={state.error} onRetry={refresh} />
          {total > items.length && <p className="soft small">{t("common.partial", { shown: items.length, total })}</p>}
          <ItemsView
            {...selecting}
            words={words}
            icon={icon}
            all={items.filter(({ id }) => !gone.includes(id))}
            create={create}
            card={(item) => card(item, setDeleting)}
            table={(shown) => table(shown, setDeleting)}
          />
        </>
      ) : state.error ? (
        <Failure title={t(`${words}.loadFailed`)} error={state.error} onRetry={refresh} />
      ) : (
        <Skeleton className="card-grid" heights={Array.from({ length: 6 }, () => cardHeight)} />
      )}
      {deleting &&
        dialog(deleting, {
          onDeleted: () => {
            setGone((before) => [...before, deleting.id]);
            refresh();
          },
          onClose: () => setDeleting(undefined),
        })}
    </>
  );
}
