/* What happened when: kernels and regions with how long they took, and log.txt. */

function spansTable(run) {
    const regions = (run.stats.region_of_interest?.regions ?? []).map((r) =>
        ({ name: "region of interest", ...r }));
    const rows = [...regions, ...kernelsOf(run)].sort((a, b) => a.begin - b.begin || b.end - a.end);
    return sortable([
        { title: "Kernel or region", value: (row) => row.name },
        { title: "Begin", number: true, value: (row) => row.begin, text: (row) =>
            whole(row.begin) },
        { title: "End", number: true, value: (row) => row.end, text: (row) => whole(row.end) },
        { title: "Cycles", number: true, value: (row) => row.end - row.begin, text: (row) =>
            whole(row.end - row.begin) },
        { title: "Of the run", number: true, value: (row) => row.end - row.begin,
            text: (row) => percent((row.end - row.begin) / run.stats.cycles) },
    ], rows);
}

function log() {
    const list = el("div");
    section("log", "Kernels and log", list);
    watch(() => {
        const run = chosenRun(), lines = logLines(run);
        const left = run.log_left_out
            ? `The last ${whole(run.log_left_out)} bytes of log.txt are left out.` : "";
        list.replaceChildren(lines.length
            ? el("div", { class: "sides even" }, spansTable(run), sortable([
            { title: "Cycle", number: true, value: (row) => row.cycle, text: (row) =>
                whole(row.cycle) },
            { title: "What happened", value: (row) => row.text, wide: true },
        ], lines, { caption: left || undefined }))
            : el("p", { class: "note" }, "This run has no log.txt."));
    });
}

pageParts.push(log);
