/*
 * A run that goes on, served by sim-run --serve: how far it is, and what can be done with
 * it. The statistics of the page are those of the last border of an interval.
 */
const LIVE_MS = 1000;

const liveTexts = (p) => [
    p.ended ? "ended" : p.standing ? "paused" : "running",
    p.phase,
    `cycle ${whole(p.cycle)}`,
    p.standing || p.ended || !p.rate ? "" : `${short(p.rate)} a second`,
    p.share === null ? "" : `work ${percent(p.share)}`,
    p.left === null || p.ended ? "" : `${whole(Math.ceil(p.left))} s left`,
].filter(Boolean);

/* What orders need stands behind the # of the address that sim-run has said. The page keeps
 * it while it is loaded anew, and takes it out of the address, which may be shown or copied. */
function takeToken() {
    const given = /^#token=([0-9a-f]{32})$/.exec(location.hash)?.[1];
    if (given) {
        sessionStorage.setItem("token", given);
        history.replaceState(null, "", location.pathname);
    }
    return sessionStorage.getItem("token") ?? "";
}

async function liveOrder(path, text = "") {
    const answer = await fetch(path, { method: "POST",
        headers: { "X-Corbel-Token": takeToken() }, body: text });
    document.getElementById("refused").hidden = answer.status !== 403;
}

/* The buttons; act is what is called after each. */
function liveTools(act) {
    const button = (text, title, order) => el("button", { type: "button", title,
        on: { click: () => liveOrder(...order()).then(act) } }, text);
    const cycles = el("input", { type: "number", min: 1, value: 1000, "aria-label": "Cycles" });
    const follow = el("input", { type: "checkbox", checked: true });
    return { follow, tools: el("div", { class: "tools" },
        button("Pause", "Stand still at the next cycle where that can be", () => ["/pause"]),
        button("Go on", "Run", () => ["/resume"]),
        button("Step", "Run this number of cycles, while it stands", () => ["/step", cycles.value]),
        cycles,
        button("Step an interval", "Run to the next border", () => ["/step", "interval"]),
        button("Stop", "End the run, as Ctrl-C does", () => ["/stop"]),
        el("label", {}, follow, " follow")) };
}

/* Shows how far the run is; false: there are no statistics yet, and the page comes again. */
function liveBegin() {
    const text = el("p", { id: "live", role: "status" }), bar = el("progress", { max: 1 });
    const { follow, tools } = liveTools(() => look());
    const refused = el("p", { id: "refused", role: "status", class: "left-out",
        hidden: Boolean(takeToken()) },
    "This page only watches: orders need the whole address that sim-run has said.");
    let cycle = runs[0].stats.cycles;
    document.querySelector("header").append(text, bar, tools, refused);

    async function renew() {
        const fresh = await (await fetch("/run.json")).json();
        if (fresh.stats.cycles === cycle)
            return;
        if (!cycle || !runs[0].intervals) {
            location.reload();
            return;
        }
        cycle = fresh.stats.cycles;
        const first = !runs[0].stats.region_of_interest;
        Object.assign(runs[0], fresh);
        if (first && fresh.stats.region_of_interest)
            state.scope = "region";
        choices();
        choose({});
    }
    async function look() {
        const now = await (await fetch("/progress.json")).json();
        text.textContent = liveTexts(now).join(", ");
        bar.hidden = now.share === null;
        bar.value = now.share ?? 0;
        if (follow.checked || now.ended)
            await renew();
        document.documentElement.dataset.live = `${now.standing} ${now.ended} ${cycle}`;
        return now.ended;
    }
    const again = (ended) => ended || setTimeout(poll, LIVE_MS);
    const poll = () => look().then(again, () => { text.textContent += " \u2014 sim-run has gone"; });
    poll();
    return Boolean(cycle);
}
