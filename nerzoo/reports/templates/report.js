"use strict";

// Tables are sorted by the button in each heading, and searched by the field above. The page is whole without any of it.

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function addThemeButton() {
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const button = element("button", { className: "theme", type: "button" });
  const show = () => { button.textContent = isDark() ? "Light colours" : "Dark colours"; };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    show();
  });
  show();
  document.querySelector("header").prepend(button);
}

function key(row, column) {
  const cell = row.cells[column];
  if (cell.dataset.order === undefined) return cell.textContent;
  return cell.dataset.order === "" ? -Infinity : Number(cell.dataset.order);
}

function compare(first, second) {
  if (typeof first === "number") return first === second ? 0 : first - second;
  return first.localeCompare(second, undefined, { numeric: true });
}

function sort(table, heading) {
  const descending = heading.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
  const rows = Array.from(table.tBodies[0].rows, (row) => [key(row, heading.cellIndex), row]);
  rows.sort((first, second) => (descending ? -1 : 1) * compare(first[0], second[0]));
  table.tBodies[0].append(...rows.map(([, row]) => row));
}

function makeSortable(table) {
  for (const heading of table.tHead.rows[0].cells) {
    const button = element("button", { type: "button", textContent: heading.textContent });
    button.addEventListener("click", () => sort(table, heading));
    heading.replaceChildren(button);
  }
}

function makeSearchable(table) {
  const rows = Array.from(table.tBodies[0].rows);
  if (rows.length < 20) return;
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const field = element("input", { type: "search" });
  const shown = element("span", { textContent: `${rows.length} rows` });
  shown.setAttribute("role", "status");
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    const found = rows.filter((row) => {
      row.hidden = !words.every((word) => texts.get(row).includes(word));
      return !row.hidden;
    });
    shown.textContent = `${found.length} of ${rows.length} rows`;
  });
  const label = element("label", {}, `Search: ${table.caption.textContent} `, field);
  table.closest(".table").prepend(element("div", { className: "search" }, label, shown));
}

addThemeButton();
for (const table of document.querySelectorAll("table")) {
  if (table.rows.length > 2) makeSortable(table);
  makeSearchable(table);
}
