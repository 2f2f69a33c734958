/*
 * Tables that are sorted by a click on a column, and show no more rows at first
 * than are read.
 *
 * columns: { title, value(row), text(row), number, wide }; value is what is sorted
 * by, text (a string or an element) what is shown, value if there is none.
 */
const ROWS_SHOWN = 40;

function sortable(columns, rows, { caption, sorted = -1, foot } = {}) {
    let by = sorted, down = true, all = rows.length <= ROWS_SHOWN * 1.25;
    const body = el("tbody");
    const more = el("button", { type: "button", on: { click: () => { all = true; draw(); } } });
    const heads = columns.map((column, i) =>
        el("th", { scope: "col", class: column.number && "number" },
        el("button", { type: "button", on: { click: () => sort(i) } }, column.title)));

    function sort(i) {
        down = by === i ? !down : Boolean(columns[i].number);
        by = i;
        draw();
    }
    function ordered() {
        if (by < 0)
            return rows;
        const value = columns[by].value, sign = down ? -1 : 1;
        return [...rows].sort((a, b) => {
            const x = value(a), y = value(b);
            if (typeof x === "string")
                return sign * x.localeCompare(y);
            return sign * ((x ?? -Infinity) - (y ?? -Infinity)) || 0;
        });
    }
    function cell(column, row, i) {
        const text = column.text ? column.text(row) : column.value(row);
        const kind = { class: column.number ? "number" : column.wide && "wrap" };
        return i ? el("td", kind, text ?? "") : el("th", { ...kind, scope: "row" }, text ?? "");
    }
    function draw() {
        heads.forEach((head, i) => {
            if (i === by)
                head.setAttribute("aria-sort", down ? "descending" : "ascending");
            else
                head.removeAttribute("aria-sort");
        });
        const shown = all ? ordered() : ordered().slice(0, ROWS_SHOWN);
        body.replaceChildren(...shown.map((row) => el("tr", {},
            columns.map((column, i) => cell(column, row, i)))));
        more.hidden = all;
        more.textContent = `Show all ${rows.length} rows`;
    }
    draw();
    return el("div", {}, el("div", { class: "scroll" }, el("table", {},
        caption ? el("caption", {}, caption) : null, el("thead", {}, el("tr", {}, heads)), body,
        foot ? el("tfoot", {}, foot) : null)), more);
}

/* A name with its meaning below it. */
const explained = (name, group, of) => [el("span", { class: "name" }, name),
    el("small", {}, rowOf(group, of)?.meaning ?? "")];

/* What makes the sections, in their order, which is that of the scripts in module.mk. */
const pageParts = [];

/* A section of the page with its entry in the navigation. */
function section(id, title, ...children) {
    const node = el("section", { id, "aria-labelledby": `${id}-title` },
        el("h2", { id: `${id}-title` }, title), ...children);
    document.getElementById("main").append(node);
    document.getElementById("sections").append(el("a", { href: `#${id}` }, title));
    return node;
}
