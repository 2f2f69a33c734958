/*
 * Where cycles went: a bar for each group, cut into its buckets, beside a table
 * with every bucket and the exact sum.
 */

const bucketsOf = (run, group) => Object.entries(own(groupsOf(run), group)?.buckets ?? {});
const sumOf = (entries) => entries.reduce((sum, [, value]) => sum + value, 0);

/* Has the name room on a segment? Bars are at least some 300 pixels wide. */
const hasRoom = (name, share) => share * 300 > 8 + 6.5 * name.length;

/* Of a bar's width, from begin on. cycles: how many, as a text; data: attributes. */
function segment(name, look, begin, share, cycles, data) {
    const place = { x: `${100 * begin}%`, width: `${100 * share}%`, height: "100%" };
    return svg("svg", { ...place, overflow: "hidden" },
        svg("rect", { width: "100%", height: "100%", fill: paintOf(look), ...data },
            svg("title", {}, `${name}: ${percent(share)}, ${cycles} cycles`)),
        hasRoom(name, share) ? svg("text", { x: 5, y: 15, fill: ink(look.colour),
            stroke: look.pattern ? look.colour : null }, name) : null);
}

function bar(run, group) {
    const entries = bucketsOf(run, group), sum = sumOf(entries);
    let begin = 0;
    const parts = entries.filter(([, value]) => value).map(([name, value]) => {
        const share = value / sum;
        const part = segment(name, bucketLook(group, name), begin, share, whole(value),
            { "data-group": group, "data-bucket": name, "data-value": value });
        begin += share;
        return part;
    });
    const largest = [...entries].sort((a, b) => b[1] - a[1]).slice(0, 3)
        .map(([name, value]) => `${name} ${percent(value / sum)}`).join(", ");
    return svg("svg", { role: "img", "data-run": run.letter,
        "aria-label": `Run ${run.letter}, ${group}: ${largest}` }, parts);
}

function stackRow(group, chosen, pick) {
    const unit = runs.map((run) => own(groupsOf(run), group)).find(Boolean);
    return el("div", { class: "stack", "data-chosen": group === chosen },
        el("button",
            { type: "button", "aria-pressed": String(group === chosen), on: { click: pick },
            title: kindOfAny(group).meaning },
        group, el("small", {}, ` ${unit.units} \u00d7 ${unit.kind}`)),
        el("div", { class: "bars" }, runs.filter((run) => sumOf(bucketsOf(run, group))).map((run) =>
            el("div", { class: "line" }, runs.length > 1
                ? el("span", { class: "letter" }, run.letter) : null,
                bar(run, group)))));
}

function stackTable(group) {
    const names = Object.keys(kindOfAny(group).buckets);
    const shown = runs.filter((run) => own(groupsOf(run), group));
    const value = (run, name) => own(own(groupsOf(run), group).buckets, name) ?? 0;
    const sum = (run) => sumOf(bucketsOf(run, group));
    const columns = [
        { title: "Bucket", value: (name) => name,
            text: (name) => explained([swatch(bucketLook(group, name)), name], group, name) },
        ...shown.flatMap((run) => [
            { title: `${runs.length > 1 ? `${run.letter} ` : ""}share`, number: true,
                value: (name) => value(run, name),
                text: (name) => percent(value(run, name) / (sum(run) || 1)) },
            { title: "cycles", number: true, value: (name) => value(run, name),
                text: (name) => whole(value(run, name)) }]),
    ];
    const foot = el("tr", {}, el("th", { scope: "row" }, "Sum"), shown.flatMap((run) =>
        [el("td"), el("td", { class: "number" }, whole(sum(run)))]));
    return [el("h3", {}, `${group}: ${kindOfAny(group).meaning}`),
        el("p", { class: "note" }, shown.map((run) => sumText(run, group, sum(run))).join(" ")),
        sortable(columns, names, { foot })];
}

/* The rule of accounts, held against the data. */
function sumText(run, group, sum) {
    const accounts = own(groupsOf(run), group).accounts, cycles = cyclesOf(run);
    const rule = `${whole(accounts)} accounts \u00d7 ${whole(cycles)} cycles`;
    return `${runs.length > 1 ? `${run.letter}: ` : ""}The sum is ${sum === accounts * cycles
        ? `${rule}: every cycle is in one bucket.` : `${whole(sum)}, not ${rule}.`}`;
}

function stacks() {
    const groups = groupNames.filter((group) => runs.some((run) =>
        sumOf(Object.entries(own(run.stats.groups, group)?.buckets ?? {}))));
    if (!groups.length)
        return;
    const accounts = (group) => own(runs[0].stats.groups, group)?.accounts ?? 0;
    let chosen = null;
    const bars = el("div"), table = el("div", { class: "beside" });
    const draw = () => {
        const shown = groups.filter((group) => runs.some((run) => sumOf(bucketsOf(run, group))));
        const one = shown.includes(chosen) ? chosen
            : shown.reduce((a, b) => (accounts(b) > accounts(a) ? b : a), shown[0]);
        bars.replaceChildren(...shown.map((group) => stackRow(group, one, () => {
            chosen = group;
            draw();
            bars.querySelector("[data-chosen] button").focus();
        })));
        table.replaceChildren(...(one === undefined ? [] : stackTable(one)));
    };
    section("cycles", "Where cycles went",
        el("p", { class: "note" },
            "A bar is all cycles of all units of a group, or of the harts of its ",
            "cores. Choose a group to see its buckets; above, a tile to see its units alone."),
        el("div", { class: ["sides", "sides two", "below"][Math.min(runs.length, 3) - 1] }, bars,
            table));
    watch(draw);
}

pageParts.push(stacks);
