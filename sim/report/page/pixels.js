/*
 * What each pixel cost (sim-run --cost-images): the image beside pictures in false
 * colours. A cross is at the same pixel of all; it follows the pointer or the arrow keys,
 * and a line says what that pixel cost.
 */

/* One dot for each pixel that is shown. */
function pixelCanvas({ about, across, down, values }, number) {
    const canvas = el("canvas", { width: across, height: down, "aria-hidden": "true" });
    const context = canvas.getContext("2d"), picture = context.createImageData(across, down);
    const colours = about.colours.map(rgb), last = colours.length - 1;
    const scale = about.costs[number].scale || 1;
    values[number].forEach((value, i) => {
        const of = colours[Math.round(Math.min(value / scale, 1) * last)];
        picture.data.set([...of, 255], 4 * i);
    });
    context.putImageData(picture, 0, 0);
    return canvas;
}

function pixelFigure(pixels, number) {
    const { about } = pixels, cost = about.costs[number], last = about.colours.length - 1;
    const mean = cost.sum / (about.width * about.height);
    return el("figure", { class: "picture pixels" },
        el("div", { class: "crossed" }, pixelCanvas(pixels, number)),
        el("figcaption", {}, el("b", {}, cost.name), ` mean ${short(mean)}`,
            scaleStrip((share) => about.colours[Math.round(share * last)]),
            el("span", { class: "ends" }, el("span", {}, "0"),
                el("span", {}, `${short(cost.scale)}${cost.most > cost.scale ? "+" : ""}`))));
}

/* A pixel of the picture, by its cross. each: a pixel is the mean of each x each. */
function pixelText({ about, each, across, values }, { x, y }) {
    const place = each > 1
        ? `Mean of ${each} \u00d7 ${each} pixels from ${x * each}, ${y * each} on`
        : `Pixel ${x}, ${y}`;
    const costs = about.costs.map((cost, i) => values[i] &&
        `${cost.name} ${short(values[i][y * across + x])}`).filter(Boolean);
    return `${place}: ${costs.join(", ")}`;
}

function pixelPictures(run, readout) {
    const { pixels } = run, cross = { x: pixels.across >> 1, y: pixels.down >> 1 };
    /* What is the same everywhere needs no picture. */
    const count = pixels.about.width * pixels.about.height;
    const shown = pixels.about.costs.map((cost, i) => i).filter((i) => pixels.values[i] &&
        pixels.about.costs[i].sum < count * pixels.about.costs[i].most);
    const figures = shown.map((i) => pixelFigure(pixels, i));
    if (run.image)
        figures.unshift(el("figure", { class: "picture pixels" },
            el("div", { class: "crossed" },
                el("img", { src: run.image, alt: `The image of run ${run.label}` })),
            el("figcaption", {}, el("b", {}, "image"))));
    const frames = figures.map((figure) => figure.firstChild);
    frames.forEach((frame) => frame.append(el("span", { class: "cross" })));
    const show = (x, y) => {
        cross.x = Math.min(Math.max(x, 0), pixels.across - 1);
        cross.y = Math.min(Math.max(y, 0), pixels.down - 1);
        for (const frame of frames) {
            frame.lastChild.style.left = `${100 * (cross.x + 0.5) / pixels.across}%`;
            frame.lastChild.style.top = `${100 * (cross.y + 0.5) / pixels.down}%`;
        }
        readout.textContent = pixelText(pixels, cross);
    };
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const keydown = (event) => {
        const step = own(moves, event.key);
        if (!step)
            return;
        event.preventDefault();
        show(cross.x + step[0], cross.y + step[1]);
    };
    const follow = (event) => {
        const frame = event.target.closest(".crossed"), box = frame?.getBoundingClientRect();
        if (frame)
            show(Math.floor((event.clientX - box.left) / box.width * pixels.across),
                Math.floor((event.clientY - box.top) / box.height * pixels.down));
    };
    show(cross.x, cross.y);
    return { show, node: el("div", { class: "pictures", tabindex: 0, role: "group",
        "aria-label": "Costs of pixels, arrow keys go through them",
        on: { keydown, pointermove: follow, pointerdown: follow } }, figures) };
}

/* Sums, and the most costly pixels: a choice moves the cross there. */
function pixelTable({ about, each }, show) {
    const count = about.width * about.height;
    const hottest = (cost) => cost.hottest.slice(0, 3).map(({ x, y, value }) =>
        el("button", { type: "button", on: { click: () =>
            show(Math.floor(x / each), Math.floor(y / each)) } }, `${x}, ${y}: ${short(value)}`));
    const columns = [
        { title: "Cost", value: (cost) => cost.name,
            text: (cost) => [el("span", { class: "name" }, cost.name),
                el("small", {}, `${cost.unit}, ${cost.meaning}`)] },
        { title: "mean", number: true, value: (cost) => cost.sum / count,
            text: (cost) => short(cost.sum / count) },
        { title: "all pixels", number: true, value: (cost) => cost.sum,
            text: (cost) => whole(cost.sum) },
        { title: "rest", number: true, value: (cost) => cost.rest,
            text: (cost) => whole(cost.rest) },
        { title: "most", value: (cost) => cost.most,
            text: (cost) => el("span", { class: "hottest" }, hottest(cost)) },
    ];
    return sortable(columns, about.costs.filter((cost) => cost.sum + cost.rest));
}

function pixels() {
    if (!runs.some((run) => run.pixels))
        return;
    const pictures = el("div"), table = el("div"), note = el("p", { class: "note" });
    const readout = el("p", { class: "readout", "aria-live": "polite" });
    section("pixels", "Pixels", note, readout, pictures, table);
    const draw = () => {
        const run = chosenRun();
        readout.textContent = "";
        if (!run.pixels) {
            note.textContent = "This run was made without --cost-images.";
            pictures.replaceChildren();
            table.replaceChildren();
            return;
        }
        note.textContent = "What each pixel cost, over the whole run. A plus at the end of a " +
            "scale says that 0.5 % of the pixels or less are above it. The rest is what no " +
            "pixel has caused.";
        const drawn = pixelPictures(run, readout);
        pictures.replaceChildren(drawn.node);
        table.replaceChildren(pixelTable(run.pixels, drawn.show));
    };
    watch(draw);
}

pageParts.push(pixels);
