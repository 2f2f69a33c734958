/* The page of a sweep: what corbel-sweep has computed, in sections of sim-report's page. */
const data = JSON.parse(document.getElementById("data").textContent);

const digits = (n) => (n === null ? "" : short(n));
const shownValue = (value) => (typeof value === "number" ? short(value) : value ?? "");
/* With what belongs to a number of 95 %. */
const about = (value, half) => `${digits(value)}${half ? ` ± ${digits(half)}` : ""}`;

/* Columns of what points are, from that place in rows on. */
const coordinates = (from) => [...data.own, ...data.settings].map((title, i) => ({
    title, value: (row) => row[from + i] ?? "", text: (row) => shownValue(row[from + i]),
    number: i >= data.own.length }));

function summary() {
    section("summary", "Summary",
        el("div", { class: "cards" }, data.cards.map(([value, text]) =>
            el("div", { class: "card" }, el("b", {}, value), el("span", {}, text)))),
        el("p", { class: "note" }, `Figures are of ${data.unit}, in the part "${data.part}" of ` +
            `the runs; by ${data.versions.join(", ")}.`));
}

const picture = (figure) => el("figure", { class: "picture", style: "max-width: 38rem" },
    el("img", { src: figure.image, alt: `${figure.title}. ${figure.caption}`,
        style: "width: 100%; image-rendering: auto", "data-name": figure.name }),
    el("figcaption", {}, figure.caption));

function pictures() {
    for (const title of new Set(data.figures.map(({ section: name }) => name)))
        section(title.toLowerCase().replaceAll(" ", "-"), title,
            el("div", { class: "pictures" },
                data.figures.filter(({ section: name }) => name === title).map(picture)));
}

function tables() {
    const at = data.own.length + data.settings.length;
    if (data.compared.length)
        section("compared", "Compared with the baseline", sortable([...coordinates(0),
            { title: `${data.figure}, of the baseline's`, value: (row) => row[at], number: true,
                text: (row) => `${(100 * row[at]).toFixed(1)} %` +
                    (row[at + 1] ? ` ± ${(100 * row[at + 1]).toFixed(1)}` : "") },
            { title: "pairs", value: (row) => row[at + 2], number: true }], data.compared));
    section("points", "Points", sortable([
        { title: "point", value: (row) => row[0], number: true }, ...coordinates(1),
        { title: data.unit, value: (row) => row[at + 1], number: true,
            text: (row) => about(row[at + 1], row[at + 2]) },
        { title: "runs", value: (row) => row[at + 3], number: true }], data.table));
}

document.title = `${data.title} - corbel-sweep`;
document.getElementById("title").textContent = data.title;
document.getElementById("foot").textContent =
    "Points that differ by the order of work alone are one row, with an interval of 95 %.";
summary();
pictures();
tables();
document.documentElement.dataset.drawn = document.querySelectorAll("img").length;
