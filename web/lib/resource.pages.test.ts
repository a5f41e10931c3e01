import { expect, it } from "bun:test";
import { allPages, MAX_LOADED } from "./resource";

const serve = (total: number, page: number) => {
  const asked: number[] = [];
  const load = async (offset: number) => {
    asked.push(offset);
    const count = Math.max(0, Math.min(page, total - offset));
    return { total, items: Array.from({ length: count }, (_, index) => ({ id: offset + index })) };
  };
  return { load, asked };
};

it("allPages makes one request when the list fits on one page", async () => {
  const { load, asked } = serve(3, 1000);
  const { items, first } = await allPages(load, ({ items }) => items);
  expect([items.length, first.total, asked]).toEqual([3, 3, [0]]);
});

it("allPages loads all pages of a long list", async () => {
  const { load, asked } = serve(2500, 1000);
  const { items } = await allPages(load, ({ items }) => items);
  expect(items.map(({ id }) => id)).toEqual(Array.from({ length: 2500 }, (_, index) => index));
  expect(asked).toEqual([0, 1000, 2000]);
});

it("allPages stops at MAX_LOADED items and at an empty page of a list that has become shorter", async () => {
  const long = serve(MAX_LOADED * 2, 1000);
  expect((await allPages(long.load, ({ items }) => items)).items).toHaveLength(MAX_LOADED);
  const load = async (offset: number) => ({ total: 5, items: offset === 0 ? [{ id: 1 }] : [] });
  expect((await allPages(load, ({ items }) => items)).items).toEqual([{ id: 1 }]);
});
