"""Slices of a trace of Perfetto."""


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at, value, shift = at + 1, value | (byte & 127) << shift, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """[number, value] of each field of a message, a number or bytes."""
    at, found = 0, []
    while at < len(data):
        key, at = varint(data, at)
        assert key & 7 in (0, 2), key
        value, at = varint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
            assert at <= len(data)
        found.append((key >> 3, value))
    return found


def read(path):
    """{track: [(begin, end, name)]}, {track: parent's name}."""
    levels, parents = read_levels(path)
    assert len(levels) <= 1
    return (levels or [{}])[0], parents


def read_levels(path):
    """[{track: [(begin, end, name)]}], the outermost slices first, {track: parent's name}."""
    with open(path, "rb") as file:
        packets = fields(file.read())
    names, tracks, levels, open_slices = {}, {}, [], {}
    for number, packet in packets:
        assert number == 1
        packet = dict(fields(packet))
        assert packet[10] == 1 and packet[13] & 2  # trusted_packet_sequence_id, sequence_flags
        if 12 in packet:  # interned_data: event_names: iid, name
            assert packet[13] & 1
            for _, name in fields(packet[12]):
                name = dict(fields(name))
                names[name[1]] = name[2].decode()
        if 60 in packet:  # track_descriptor: uuid, name, parent_uuid
            track = dict(fields(packet[60]))
            tracks[track[1]] = track[2].decode(), track.get(5)
        if 11 in packet:  # track_event: type, name_iid, track_uuid
            event, now = dict(fields(packet[11])), packet[8]
            assert event[11] in tracks
            track = tracks[event[11]][0]
            stack = open_slices.setdefault(track, [])
            if event[9] == 1:
                stack.append((now, names[event[10]]))
                if len(levels) < len(stack):
                    levels.append({})
            else:
                assert event[9] == 2
                begin, name = stack.pop()
                levels[len(stack)].setdefault(track, []).append((begin, now, name))
    assert not any(open_slices.values())
    return levels, {name: tracks[parent][0] for name, parent in tracks.values() if parent}
