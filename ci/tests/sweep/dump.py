#!/usr/bin/env python3
"""dump.py DATABASE: its statements on stdout, but for the table `host`."""
import sqlite3
import sys

for line in sqlite3.connect(sys.argv[1]).iterdump():
    if not line.startswith('INSERT INTO "host"'):
        print(line)
