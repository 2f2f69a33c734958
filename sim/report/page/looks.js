/*
 * How parts of a bar or a chart look: each has a colour and a pattern that no other part of
 * it has. Colours are those of Okabe and Ito, "Color Universal Design" (2008), which people
 * with any kind of colour blindness can tell apart, without black, which a dark page needs;
 * grey is for what does nothing. Where there are more parts than colours, the same colours
 * come again with lines or dots.
 */
const palette = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#f0e442"];
const colour = (number) => palette[number % palette.length];

/* Lines as SVG and canvas take them, in a tile of that size; the first is none. */
const TILE = 8;
const patterns = ["", "M-1 9L9 -1M-1 1L1 -1M7 9L9 7", "M2 2h.01M6 6h.01", "M0 4H8",
    "M-1 -1L9 9M7 -1L9 1M-1 7L1 9", "M4 0V8", "M0 4H8M4 0V8"];
const lineWidth = (pattern) => (pattern === 2 ? 2.6 : 1.6);
/* Of lines on the colour. */
const onColour = (hex) => (ink(hex) === "#fff" ? "rgba(255,255,255,0.75)" : "rgba(0,0,0,0.6)");

/* The look of part number n; of those that do nothing, if n is negative. */
const lookOf = (n) => (n < 0 ? { colour: variable("--idle"), pattern: (-1 - n) % patterns.length }
    : { colour: colour(n), pattern: Math.floor(n / palette.length) % patterns.length });

/* Patterns that the page has so far, in an element that takes no room. */
function patternPaint({ colour: fill, pattern }) {
    const id = `look-${fill.slice(1)}-${pattern}`;
    if (!document.getElementById(id)) {
        const size = { width: TILE, height: TILE };
        const tile = svg("pattern", { id, ...size, patternUnits: "userSpaceOnUse" },
            svg("rect", { ...size, fill }),
            svg("path", { d: patterns[pattern], fill: "none", stroke: onColour(fill),
                "stroke-width": lineWidth(pattern), "stroke-linecap": "round" }));
        document.body.append(svg("svg", { class: "looks", width: 0, height: 0,
            "aria-hidden": "true" }, svg("defs", {}, tile)));
    }
    return `url(#${id})`;
}

/* What SVG fills a part with. */
const paintOf = (look) => (look.pattern ? patternPaint(look) : look.colour);

/* The same of a canvas. */
function canvasPaint(look, alpha) {
    if (!look.pattern)
        return faint(look.colour, alpha);
    const tile = el("canvas", { width: TILE, height: TILE }), ctx = tile.getContext("2d");
    Object.assign(ctx, { fillStyle: look.colour, globalAlpha: alpha });
    ctx.fillRect(0, 0, TILE, TILE);
    Object.assign(ctx, { strokeStyle: onColour(look.colour), lineCap: "round", globalAlpha: 1,
        lineWidth: lineWidth(look.pattern) });
    ctx.stroke(new Path2D(patterns[look.pattern]));
    return ctx.createPattern(tile, "repeat");
}

/* Dashes of a line, by its pattern. */
const dashesOf = (look) => [[], [6, 3], [2, 3], [10, 3, 2, 3], [4, 4], [1, 2], [8, 2]][look.pattern];

/* A look in a legend. */
const swatch = (look) => el("span", { class: "swatch" },
    svg("svg", {}, svg("rect", { width: "100%", height: "100%", fill: paintOf(look) })));
const solid = (fill) => ({ colour: fill, pattern: 0 });
