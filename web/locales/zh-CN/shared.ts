/** Words that several screens behind the sign-in share. */
export const shared = {
  view: { label: "视图", grid: "卡片", list: "列表" },
  leave: { discard: "放弃更改？", title: "离开此页？", text: "更改还没有保存，离开后将会丢失。", confirm: "放弃更改" },
};
