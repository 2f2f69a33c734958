/*
 * What changes over time: series of a run's intervals. A series has an id,
 * GROUP.NAME, an axis (what its numbers are), and values by bin: statistics a
 * cycle, buckets as shares of all cycles of the group's units, figures of the sums
 * of the bin. A bin is one interval or, of long runs, several.
 */

/* Of the whole run, or of its regions of interest, as is chosen. Of a window there are no
 * intervals of its own: charts begin with showing its cycles. */
function intervalsOf(run) {
    const of = (inRegion(run) && run.region_intervals) || run.intervals;
    if (!of || of.byId)
        return of;
    of.begins = of.ends.map((end, i) => (i ? of.ends[i - 1] : of.begin));
    of.widths = of.ends.map((end, i) => end - of.begins[i]);
    of.byId = new Map(of.series.map((s) => [`${s.group}.${s.name}`, s]));
    return of;
}

const sumsOf = (bins, group, name) => bins.byId.get(`${group}.${name}`)?.bins.sum;

/* All that can be shown of a run, in the order of its groups; kept, as sums take time. */
function seriesOf(run) {
    const bins = intervalsOf(run);
    return bins ? bins.list ??= listSeries(run, bins) : [];
}

function listSeries(run, bins) {
    const list = [];
    for (const group of Object.keys(run.stats.groups)) {
        const kind = kindOf(run, group);
        for (const part of ["buckets", "counters"])
            for (const name of Object.keys(kind[part]))
                if (sumsOf(bins, group, name))
                    list.push(statistic(run, bins, group, name, part));
        for (const name of Object.keys(kind.figures)) {
            const figure = bins.figures.find((one) => one.group === group && one.name === name);
            if (figure)
                list.push(ratio(figure));
        }
    }
    return list;
}

function statistic(run, bins, group, name, part) {
    const { bins: own_bins } = bins.byId.get(`${group}.${name}`);
    const accounts = own(run.stats.groups, group).accounts;
    const scale = part === "buckets" ? 1 / accounts : 1;
    const { unit } = rowOf(group, name);
    return { id: `${group}.${name}`, group, name, part,
        axis: part === "buckets" ? "% of cycles" : `${unit} a cycle`,
        share: part === "buckets", total: own_bins.sum.reduce((a, b) => a + b, 0),
        values: () => own_bins.sum.map((sum, i) => sum * scale / bins.widths[i]),
        low: own_bins.low && (() => own_bins.low.map((rate) => rate * scale)),
        high: own_bins.high && (() => own_bins.high.map((rate) => rate * scale)) };
}

/* Figures were computed of the sums of bins where the page was made. */
function ratio({ group, name, values }) {
    const share = isShare(group, name);
    return { id: `${group}.${name}`, group, name, part: "figures",
        axis: share ? "%" : name, share, total: null, values: () => values };
}

/* Ready-made choices: { title, ids, stacked }. */
function presetsOf(run) {
    const list = seriesOf(run), presets = [];
    const groups = [...new Set(list.map((s) => s.group))];
    const of = (keep) => list.filter(keep).map((s) => s.id);
    const add = (title, ids, stacked = false) => ids.length &&
        presets.push({ title, ids, stacked });
    for (const group of groups)
        add(`Where cycles went: ${group}`,
            of((s) => s.group === group && s.part === "buckets"), true);
    add("Rates and utilisation",
        of((s) => s.part === "figures" && s.share &&
            !own(kindOf(run, s.group).figures, s.name).part));
    for (const group of groups) {
        add(`Bytes: ${group}`, of((s) => s.group === group && s.part === "counters" &&
            rowOf(group, s.name).unit === "bytes"));
        add(`Shares: ${group}`, of((s) => s.group === group && s.part === "figures" && s.share));
    }
    return presets;
}

/* The three that a reader sees first: the cores' cycles, rates, and bytes of the
 * group that moves most. */
function firstPresets(run) {
    const presets = presetsOf(run), list = seriesOf(run);
    const most = (value) => (best, p) => (best === undefined || value(p) > value(best) ? p : best);
    const accounts = (p) =>
        own(run.stats.groups, list.find((s) => s.id === p.ids[0]).group).accounts;
    const total = (p) => p.ids.reduce((sum, id) => sum + list.find((s) => s.id === id).total, 0);
    return [presets.filter((p) => p.stacked).reduce(most(accounts), undefined),
        presets.find((p) => p.title.startsWith("Rates")),
        presets.filter((p) => p.title.startsWith("Bytes")).reduce(most(total),
            undefined)].filter(Boolean);
}
