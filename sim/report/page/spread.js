/* Histograms, as of latencies: a bar for each range. */

/* Those of a run that counted anything: { group, name, row: of the schema }. */
const spreadsOf = (run) => Object.entries(run.stats.groups).flatMap(([group, { histograms }]) =>
    Object.keys(histograms ?? {}).map((name) =>
        ({ group, name, row: kindOfAny(group).histograms[name] })));

/* Counts between all edges. */
function spreadCounts(run, { group, name, row }) {
    const one = own(own(groupsOf(run), group)?.histograms, name);
    const counts = new Map(one?.counts.map((count, i) => [one.edges[i], count]));
    return row.edges.slice(0, -1).map((edge) => counts.get(edge) ?? 0);
}

/* Ranges from the first to the last that any run has something in. */
function spreadRows(one) {
    const { edges } = one.row, counts = runs.map((run) => spreadCounts(run, one));
    const used = edges.map((edge, i) => counts.some((list) => list[i]));
    const first = used.indexOf(true), last = used.lastIndexOf(true) + 1;
    const label = (from, i) => {
        const end = edges[first + i + 1] - 1;
        return end > from ? `${whole(from)}\u2013${whole(end)}` : whole(from);
    };
    return first < 0 ? null : { labels: edges.slice(first, last).map(label),
        counts: counts.map((list) => list.slice(first, last)) };
}

function spreadChart(canvas, { labels, counts }, { unit, of }) {
    const grid = { color: variable("--line") }, ticks = { color: variable("--quiet") };
    return new Chart(canvas, {
        type: "bar",
        data: { labels, datasets: runs.map((run, i) => {
            const all = counts[i].reduce((a, b) => a + b, 0) || 1;
            return { label: run.label, data: counts[i].map((n) => n / all), counts: counts[i],
                backgroundColor: colour(i), barPercentage: 1, categoryPercentage: 0.92 };
        }) },
        options: { animation: false, maintainAspectRatio: false,
            scales: { x: { grid: { display: false }, ticks: { ...ticks, maxRotation: 60 },
                title: { display: true, text: unit, color: ticks.color } },
                y: { grid, ticks: { ...ticks, callback: percent, maxTicksLimit: 6 } } },
            plugins: { legend: { display: runs.length > 1, labels: { color: variable("--text") } },
                tooltip: { callbacks: { label: ({ dataset, dataIndex, parsed }) =>
                    `${dataset.label}: ${percent(parsed.y)}, ` +
                    `${whole(dataset.counts[dataIndex])} ${of}` } } } },
    });
}

function spread() {
    if (!runs.some((run) => spreadsOf(run).length))
        return;
    const tools = el("div", { class: "tools" }), canvas = el("canvas", { role: "img" });
    let chosen = null, chart = null;
    section("spread", "Distributions", tools, el("div", { class: "canvas" }, canvas));
    const draw = () => {
        const all = spreadsOf(chosenRun()), title = (s) => `${s.group}: ${s.row.meaning}`;
        const one = all.find((s) => title(s) === chosen) ?? all[0];
        chart?.destroy();
        chart = null;
        const rows = one && spreadRows(one);
        tools.replaceChildren(one
            ? chooser("Show", all.map((s) => [title(s), title(s)]), title(one),
            (value) => { chosen = value; draw(); }) : "This run counted nothing by ranges.",
        rows || !one ? "" : "Nothing in the regions of interest.");
        if (!rows)
            return;
        canvas.setAttribute("aria-label",
            `${title(one)}, from ${rows.labels[0]} to ${rows.labels.at(-1)} ${one.row.unit}`);
        chart = spreadChart(canvas, rows, one.row);
    };
    watch(draw);
}

pageParts.push(spread);
