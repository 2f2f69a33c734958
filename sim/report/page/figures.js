/* The figures that sim-run derives, behind the verdict, which says what of it matters. */

function figuresTable() {
    const rows = [];
    for (const group of groupNames)
        for (const name of Object.keys(kindOfAny(group).figures)) {
            const values = runs.map((run) => own(own(groupsOf(run), group)?.derived, name));
            if (values.some((value) => value !== undefined))
                rows.push({ group, name, values });
        }
    const columns = [
        { title: "Figure", value: (row) => `${row.group}.${row.name}`,
            text: (row) => explained(`${row.group}.${row.name}`, row.group, row.name) },
        ...runs.map((run, i) => ({ title: runs.length > 1 ? run.letter : "Value", number: true,
            value: (row) => row.values[i],
            text: (row) => figureText(row.group, row.name, row.values[i]) })),
    ];
    return sortable(columns, rows);
}

function figures() {
    if (!groupNames.some((group) => Object.keys(kindOfAny(group).figures).length))
        return;
    const table = el("div");
    section("figures", "Figures", table);
    watch(() => table.replaceChildren(figuresTable()));
}

pageParts.push(figures);
