/* How what was counted by ranges is spread, as latencies are: a bar for each
 * range. */

function spreadsOf(run) {
    return Object.keys(run.stats.groups).flatMap((group) =>
        Object.entries(kindOf(run, group).figures).filter(([, figure]) => figure.ranges)
            .map(([name, figure]) => ({ group, name: name.replace(/_p\d+$/, ""), figure }))
            .filter(({ figure }) => Object.keys(figure.ranges).some((counter) =>
                own(own(run.stats.groups, group).counters, counter))));
}

/* Ranges from the first to the last that any run has something in. */
function spreadRows(group, figure) {
    const names = Object.keys(figure.ranges), from = Object.values(figure.ranges);
    const counts = runs.map((run) =>
        names.map((name) => own(own(groupsOf(run), group)?.counters, name) ?? 0));
    const used = names.map((name, i) => counts.some((list) => list[i]));
    const first = used.indexOf(true), last = used.lastIndexOf(true) + 1;
    const label = (i) => {
        const end = (from[i + 1] ?? figure.end) - 1;
        return end > from[i] ? `${whole(from[i])}\u2013${whole(end)}` : whole(from[i]);
    };
    return first < 0 ? null : { labels: from.slice(first, last).map((n, i) => label(first + i)),
        counts: counts.map((list) => list.slice(first, last)) };
}

function spreadChart(canvas, { labels, counts }) {
    const grid = { color: variable("--line") }, ticks = { color: variable("--quiet") };
    return new Chart(canvas, {
        type: "bar",
        data: { labels, datasets: runs.map((run, i) => {
            const all = counts[i].reduce((a, b) => a + b, 0) || 1;
            return { label: run.label, data: counts[i].map((n) => n / all), counts: counts[i],
                backgroundColor: colour(i), barPercentage: 1, categoryPercentage: 0.92 };
        }) },
        options: { animation: false, maintainAspectRatio: false,
            scales: { x: { grid: { display: false }, ticks: { ...ticks, maxRotation: 60 } },
                y: { grid, ticks: { ...ticks, callback: percent, maxTicksLimit: 6 } } },
            plugins: { legend: { display: runs.length > 1, labels: { color: variable("--text") } },
                tooltip: { callbacks: { label: ({ dataset, dataIndex, parsed }) =>
                    `${dataset.label}: ${percent(parsed.y)}, ` +
                    whole(dataset.counts[dataIndex]) } } } },
    });
}

function spread() {
    if (!runs.some((run) => spreadsOf(run).length))
        return;
    const tools = el("div", { class: "tools" }), canvas = el("canvas", { role: "img" });
    let chosen = null, chart = null;
    section("spread", "Distributions", tools, el("div", { class: "canvas" }, canvas));
    const draw = () => {
        const all = spreadsOf(chosenRun()), title = (s) => `${s.group}: ${s.name}`;
        const one = all.find((s) => title(s) === chosen) ??
            all.find((s) => /latency/.test(s.name)) ?? all[0];
        chart?.destroy();
        chart = null;
        const rows = one && spreadRows(one.group, one.figure);
        tools.replaceChildren(one
            ? chooser("Show", all.map((s) => [title(s), title(s)]), title(one),
            (value) => { chosen = value; draw(); }) : "This run counted nothing by ranges.",
        rows || !one ? "" : "Nothing in the regions of interest.");
        if (!rows)
            return;
        canvas.setAttribute("aria-label",
            `${title(one)}, from ${rows.labels[0]} to ${rows.labels.at(-1)}`);
        chart = spreadChart(canvas, rows);
    };
    watch(draw);
}
