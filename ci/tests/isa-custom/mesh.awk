# Appends to an OBJ file triangles with corners on a lattice; a good part of
# them has no area, lies where another does, or shares edges and corners. With
# -v far=1 tiny triangles and some of 10^12 join them.
function draw(n) {
    state = state * 16807 % 2147483647 # exact in a double
    return int(state / 256) % n
}
{ print }
/^v / { last++ }
END {
    state = 7
    for (i = 0; i < 60; i++)
        print "v", draw(9) / 4 - 1, draw(9) / 4, draw(9) / 4 - 1
    for (i = 0; i < 10; i++)
        print "v", (draw(100) - 50) * 1e-30, 1 + draw(50) * 1e-7, (draw(100) - 50) * 1e-40
    for (i = 0; i < 6; i++)
        print "v", (draw(2) - 0.5) * 2e12, (draw(3) - 1) * 1e11, (draw(3) - 1) * 1e12
    for (i = 0; i < 260; i++) {
        n = !far || i < 200 ? 60 : i < 230 ? 70 : 76
        a = last + 1 + draw(n); b = last + 1 + draw(n); c = last + 1 + draw(n)
        kind = draw(8)
        if (kind == 0)
            c = a
        if (kind == 1 && draw(2))
            b = c = a
        print "f", a, b, c
        if (kind == 2)
            print "f", a, b, c
        if (kind == 3)
            print "f", c, b, a
    }
}
