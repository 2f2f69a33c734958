"""The host's part: how long it takes to load a scene and a program.

Four blocks come one after the other by DMA, each in lines of 64 bytes: the
number of pixels, the program, the constants, the triangles. The triangles'
block has records of 16 bytes: one of indices for each triangle, one that ends
them, then three vertices for each triangle.
"""
BLOCK = 2 + 20  # cycles before the first line of a block; 20 are the DMA's
COUNT_LINE = 4
WORD_LINE = 19  # 16 words
INDEX_RECORD, OTHER_RECORD, RECORD_LINE = 4, 1, 3
RECORDS = 4  # of a line


def load_cycles(program, constants, triangles):
    """Cycles from the host's start to the start of the first patch."""
    lines = sum(max(1, -(-words // 16)) for words in (program, constants))
    return (4 * BLOCK + COUNT_LINE + WORD_LINE * lines +
            triangle_cycles(triangles) + 2)


def triangle_cycles(triangles):
    records = triangles + 1 + 3 * triangles
    lines = -(-records // RECORDS)
    return (INDEX_RECORD * triangles +
            OTHER_RECORD * (RECORDS * lines - triangles) + RECORD_LINE * lines)
