"""Instructions of a log of Konata: dicts of hart, text, stages [(begin, end, name)],
retired (a cycle), flushed."""


def read(path):
    with open(path, encoding="utf-8") as file:
        rows = [row.rstrip("\n").split("\t") for row in file]
    assert rows[0] == ["Kanata", "0004"] and rows[1][0] == "C="
    now, found, live, numbers = int(rows[1][1]), [], {}, set()
    for command, *rest in rows[2:]:
        if command == "C":
            assert int(rest[0]) > 0
            now += int(rest[0])
            continue
        number = int(rest[0])
        if command == "I":
            assert number not in live and number == len(found)
            live[number] = {"hart": int(rest[2]), "text": ["", ""], "stages": [], "begin": now}
            found.append(live[number])
            continue
        one = live[number]
        if command == "L":
            one["text"][int(rest[1])] += rest[2]
        elif command == "S":
            assert rest[1] == "0"
            one["stages"].append((now, None, rest[2]))
        elif command == "R":
            assert int(rest[1]) not in numbers
            numbers.add(int(rest[1]))
            one["retired"], one["flushed"] = now, rest[2] == "1"
            del live[number]
        else:
            raise ValueError(command)
    assert not live
    for one in found:
        ends = [begin for begin, _, _ in one["stages"][1:]] + [one["retired"]]
        one["stages"] = [(b, e, n) for (b, _, n), e in zip(one["stages"], ends)]
        assert one["stages"][0][0] == one["begin"] and all(b < e for b, e, _ in one["stages"])
    return found
