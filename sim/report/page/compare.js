/* Every statistic, and what changed from the first run to the others. */

function statistics() {
    const list = el("div");
    let filter = "", zeros = false;
    const draw = () => list.replaceChildren(statisticsTable(filter.toLowerCase(), zeros));
    const search = el("input",
        { type: "search", placeholder: "Filter", "aria-label": "Filter statistics",
        on: { input: () => { filter = search.value.trim(); draw(); } } });
    const box = el("input",
        { type: "checkbox", on: { change: () => { zeros = box.checked; draw(); } } });
    section("statistics", "All statistics", el("div", { class: "tools" }, search,
        el("label", { class: "field" }, box, "those that are 0, too")), list);
    watch(draw);
}

function statisticsTable(filter, zeros) {
    const rows = groupNames.flatMap((group) => ["counters", "buckets"].flatMap((part) =>
        Object.entries(kindOfAny(group)[part]).map(([name, { unit, meaning }]) =>
            ({ group, name, unit, meaning,
            values: runs.map((run) => own(own(groupsOf(run), group)?.[part], name)) }))))
        .filter((row) => (zeros || row.values.some(Boolean)) &&
            `${row.group}.${row.name} ${row.unit} ${row.meaning}`.toLowerCase().includes(filter));
    const title = (run, text) => (runs.length > 1 ? `${run.letter} ${text}`.trim() : text);
    return sortable([
        { title: "Group", value: (row) => row.group },
        { title: "Statistic", value: (row) => row.name },
        ...runs.map((run, i) => ({ title: title(run, runs.length > 1 ? "" : "Value"), number: true,
            value: (row) => row.values[i], text: (row) =>
                (row.values[i] === undefined ? "" : whole(row.values[i])) })),
        ...(runs.length > 2 ? []
            : runs.map((run, i) => ({ title: title(run, "a cycle"), number: true,
            value: (row) => (row.values[i] ?? 0) / cyclesOf(run),
            text: (row) => short((row.values[i] ?? 0) / cyclesOf(run)) }))),
        { title: "Unit", value: (row) => row.unit },
        { title: "Meaning", value: (row) => row.meaning, wide: true },
    ], rows, { caption: `${rows.length} statistics` });
}

const parts = {
    cycles: ["Where cycles went",
        "Cycles of a mean unit or hart; the share is of the cycles of run A. " +
        "Cycles in which there was nothing to do come last."],
    counts: ["What was counted",
        "The share is of the larger value, or of one event a cycle of each unit where there are " +
        "fewer; what one run does not count comes last."],
    figures: ["Figures", "The share is of the larger value, or of 1 where both are smaller."],
};

/* A share as a bar, the longest for the largest. */
const weightBar = (weight, most) => [el("span", { class: `bar ${weight > 0 ? "more" : "less"}`,
    style: `width: ${Math.abs(weight) / most * 5}rem` }), ` ${signed(percent(weight), weight)}`];

function changeTable(part, rows) {
    const text = (row, value) => (value < 0 ? "none"
        : part === "figures" ? figureText(row.group, row.name, value)
            : value < 10 ? short(value) : whole(value));
    const most = rows.reduce((most, row) => Math.max(most, Math.abs(row.weight)), 0);
    return sortable([
        { title: "Statistic", value: (row) => `${row.group}.${row.name}`,
            text: (row) => explained(`${row.group}.${row.name}`, row.group, row.name) },
        { title: "A", number: true, value: (row) => row.a, text: (row) => text(row, row.a) },
        { title: "B", number: true, value: (row) => row.b, text: (row) => text(row, row.b) },
        { title: "Relative", number: true, value: (row) => (row.a > 0 ? row.b / row.a : Infinity),
            text: (row) =>
                (row.a > 0 ? signed(percent(Math.max(row.b, 0) / row.a - 1), row.b - row.a)
                    : "new") },
        { title: "Share", value: (row) => Math.abs(row.weight), text: (row) =>
            weightBar(row.weight, most) },
    ], rows);
}

/* What the runs were made of, as far as it differs. */
function differenceTable(rows) {
    if (!rows.length)
        return el("p", {}, "Program, chip, settings, files and options are the same.");
    return el("div", { class: "scroll" }, el("table", {},
        el("thead", {}, el("tr", {}, ["What differs", "only A", "only B"].map((text) =>
            el("th", { scope: "col" }, text)))),
        el("tbody", {}, rows.map((row) => el("tr", {}, el("th", { scope: "row" }, row.what),
            [row.a, row.b].map((text) => el("td", { class: "wrap" }, text)))))));
}

function compare() {
    if (runs.length < 2)
        return;
    const tools = el("div", { class: "tools" }), lists = el("div"), made = el("div");
    let other = 1;
    section("changes", "Changes", el("p", { class: "note" },
        `From run A (${runs[0].path}) to run B, the largest changes first, over whole runs.`),
    tools, made, lists);
    const draw = () => {
        const a = runs[0].stats.cycles, b = runs[other].stats.cycles;
        tools.replaceChildren(chooser("B is",
            runs.slice(1).map((run, i) => [String(i + 1), run.label]), String(other),
            (value) => { other = Number(value); draw(); }),
        `${whole(a)} to ${whole(b)} cycles, ${signed(percent(b / a - 1), b - a)}`);
        made.replaceChildren(differenceTable(data.differences[other - 1]));
        lists.replaceChildren(...Object.entries(parts).flatMap(([part, [title, note]]) => {
            const rows = data.changes[other - 1].filter((row) => row.part === part);
            return [el("h3", {}, `${title}: ${rows.length} changed`),
                el("p", { class: "note" }, note),
                changeTable(part, rows)];
        }));
    };
    watch(draw);
}

pageParts.push(compare, statistics);
