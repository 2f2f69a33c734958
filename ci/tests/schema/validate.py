#!/usr/bin/env python3
"""Are the files of runs what the JSON Schemas say, and is all that they have in these?

    validate.py SCHEMAS DIR...

SCHEMAS: a folder of NAME.schema.json. Of each run NAME.json is checked if it is there. What
lacks a member that is needed, or has null for one, must not be valid. Exit status: 0 all is so, 1 it is not.
"""
import json
import os
import sys

import jsonschema


def closed(schema):
    """The same without members that it does not name."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: closed(one) for name, one in schema.items()}
    return {**found, "additionalProperties": False} if "properties" in found else found


def wrongs(schema, data, where=""):
    """What is wrong at each member, once on the way down: (where, schema, a changed copy)."""
    for name, rule in schema["properties"].items():
        if name not in data:
            continue
        value, place = data[name], f"{where}.{name}"
        if name in schema["required"]:
            yield f"without {place}", schema, {n: v for n, v in data.items() if n != name}
        yield f"{place} is null", schema, {**data, name: None}
        below = rule.get("items", rule.get("additionalProperties"))
        if rule["type"] == "object" and "properties" in rule:
            yield from wrongs(rule, value, place)
        elif value and below and "properties" in below:
            first = value[0] if isinstance(value, list) else next(iter(value.values()))
            yield from wrongs(below, first, place)


def check(schema, path):
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    valid = jsonschema.Draft7Validator(schema)
    for rules in (valid, jsonschema.Draft7Validator(closed(schema))):
        for error in rules.iter_errors(data):
            sys.exit(f"{path}: {error.json_path}: {error.message[:200]}")
    seen = 0
    for where, rules, changed in wrongs(schema, data):
        if jsonschema.Draft7Validator(rules).is_valid(changed):
            sys.exit(f"{path}: {where}: that is valid")
        seen += 1
    return seen


def main():
    schemas, directories = sys.argv[1], sys.argv[2:]
    files = wrong = 0
    for directory in directories:
        for name in ("stats", "profile", "pixels"):
            path = f"{directory}/{name}.json"
            if os.path.exists(path):
                with open(f"{schemas}/{name}.schema.json", encoding="utf-8") as file:
                    wrong += check(json.load(file), path)
                files += 1
    print(f"schema: {files} files are valid, {wrong} changed ones are not")


main()
