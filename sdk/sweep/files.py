"""
Files that appear whole or not at all: written under a name of their own, on
the disk before they get theirs by a rename. So several processes, on several
machines, may write the same one: the last counts, and a reader sees a whole
one.
"""
import hashlib
import json
import os
import shutil
import socket

from .wrong import Wrong, host_failure


def own_name(path):
    """A name beside the path that no other process has."""
    return f"{path}.{socket.gethostname()}.{os.getpid()}.part"


def plain(words):
    """As a name that no shell and no file system knows anything of."""
    return "".join(c if c.isalnum() or c in "._-" else "-" for c in words)


def write(path, text, lasting=True):
    """lasting: it is on the disk when this returns."""
    new = own_name(path)
    try:
        with open(new, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        os.replace(new, path)
    except OSError as error:
        remove(new)
        raise host_failure(error, path) from None


def write_json(path, value, lasting=True):
    write(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n",
          lasting)


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError as error:
        raise host_failure(error, path) from None


def read_json(path):
    try:
        return json.loads(read(path))
    except ValueError as error:
        raise Wrong(f"{path}: {error}: expected JSON") from None


def digest(path):
    """Hash of what the file holds."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise host_failure(error, path) from None


def digest_of(value):
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def make_folder(path):
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise host_failure(error, path) from None


def remove(path):
    """The file or folder, if it is there."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
        return
    try:
        os.remove(path)
    except OSError:
        pass


def place(source, path):
    """
    The file by another name: the same one where the file system allows it,
    else a copy.
    """
    remove(path)
    try:
        os.link(source, path)
    except OSError:
        copy(source, path)


def copy(source, path):
    new = own_name(path)
    try:
        shutil.copyfile(source, new)
        os.replace(new, path)
    except OSError as error:
        remove(new)
        raise host_failure(error, path) from None
