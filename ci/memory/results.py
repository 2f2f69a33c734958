"""Rows of results: CSV files, and tables in Markdown."""
import csv
import os


def write_csv(path, rows):
    """Under its name only when it is complete."""
    with open(path + ".new", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    os.replace(path + ".new", path)


def number(text):
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return text


def read_csv(path):
    try:
        with open(path, newline="") as file:
            return [{key: number(value) for key, value in row.items()}
                    for row in csv.DictReader(file)]
    except FileNotFoundError:
        return []


def print_table(title, header, rows):
    """To be put into a document."""
    print(f"\n{title}\n\n| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
