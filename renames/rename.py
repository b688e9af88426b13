"""Apply lists of new names to the whole tree at once, by the types that pyright sees.

Work in progress of issue 24; this folder goes once its lists are applied.

    npm install --prefix /tmp/pyright pyright
    python renames/rename.py /tmp/pyright edits.json renames/eventstore.txt ...   # seconds per hundred names
    python renames/rename.py --apply edits.json

A line of a list is `path::Dotted.name new_name`, `path::function(parameter) new_name` or `MODULE old new`,
which is left to `git mv` and a search for the dotted path. The paths are those before any module is moved.
All references are computed on the tree as it stands. A member of a class that has a new name is listed
under that. A count of 1 for a public name means that pyright missed its references: search for the old name.
"""

import ast
import json
import os
import queue
import re
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import unquote, urlparse

ROOT = Path(__file__).resolve().parent.parent
Place = tuple[int, int]


class Server:
    """Pyright's language server, asked for one thing at a time."""

    def __init__(self, folder):
        program = [f"{folder}/node_modules/.bin/pyright-langserver", "--stdio"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(program, cwd=ROOT, **pipes)
        self.answers = queue.Queue()
        self.number = 0
        threading.Thread(target=self.read, daemon=True).start()

    def send(self, message):
        """Write one message."""
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def read(self):
        """Read messages until the server ends; answer what it asks."""
        while line := self.process.stdout.readline():
            length = int(line.split(b":")[1]) if line.lower().startswith(b"content-length") else 0
            while self.process.stdout.readline().strip():
                pass
            message = json.loads(self.process.stdout.read(length))
            if "method" in message and "id" in message:
                items = message.get("params", {}).get("items", [])
                settings = {"pythonPath": str(ROOT / ".venv/bin/python")}
                result = [settings if item.get("section") == "python" else None for item in items]
                self.send({"id": message["id"], "result": result})
            elif "id" in message:
                self.answers.put(message)

    def call(self, method, params):
        """Send a request; return its result, None where it was refused."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        return self.answers.get(timeout=600).get("result")


def assigned(node):
    """Return the names that a statement gives a value."""
    targets = [node.target] if isinstance(node, ast.AnnAssign | ast.For) else getattr(node, "targets", [])
    return [part for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]


def places(path):
    """Return where each name of a module is defined: line and column, from 0, in UTF-16."""
    text = (ROOT / path).read_text("utf-8")
    lines = text.split("\n")
    found: dict[str, Place] = {}

    def add(name, line, column_in_bytes):
        before = lines[line - 1].encode()[:column_in_bytes].decode()
        found.setdefault(name, (line - 1, len(before.encode("utf-16-le")) // 2))

    def add_definition(node, prefix):
        name = prefix + node.name
        line = lines[node.lineno - 1]
        word = "class " if isinstance(node, ast.ClassDef) else "def "
        add(name, node.lineno, len(line[: line.index(word)].encode()) + len(word))
        walk(node.body, name + ".")
        if isinstance(node, ast.ClassDef):
            for part in ast.walk(node):
                own = isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)
                if own and isinstance(part.value, ast.Name) and part.value.id == "self":
                    add(f"{name}.{part.attr}", part.end_lineno, part.end_col_offset - len(part.attr))
            return
        for one in (part for part in ast.walk(node.args) if isinstance(part, ast.arg)):
            add(f"{name}({one.arg})", one.lineno, one.col_offset)

    def walk(body, prefix):
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                add_definition(node, prefix)
                continue
            for part in assigned(node):
                add(prefix + part.id, part.lineno, part.col_offset)
            for inner in ("body", "orelse", "finalbody", "handlers"):
                walk(getattr(node, inner, []), prefix)

    walk(ast.parse(text).body, "")
    return found


def listed(lists):
    """Yield (path, place, new name, line of the list); say which lines name nothing."""
    tables = {}
    for raw in (raw for file in lists for raw in Path(file).read_text("utf-8").splitlines()):
        line = raw.split("#")[0].strip()
        if not line or line.startswith("MODULE"):
            continue
        target, new = line.split()
        path, name = target.split("::")
        if not (ROOT / path).exists() or name not in tables.setdefault(path, places(path)):
            print("not found:", line)
            continue
        table = tables[path]
        yield path, table[name], new, line
        start, _, end = re.fullmatch(r"(.*?)([^.()]+)(\)?)", name).groups()
        for key in [key for key in table if key == name or key.startswith((name + ".", name + "("))]:
            table[f"{start}{new}{end}" + key[len(name) :]] = table.pop(key)


def edits_of(server, path, place, new):
    """Yield (path, line, start, end) of each reference."""
    params = {"textDocument": {"uri": (ROOT / path).as_uri()}, "newName": new}
    params["position"] = {"line": place[0], "character": place[1]}
    answer = server.call("textDocument/rename", params) or {}
    for document in answer.get("documentChanges", []):
        file = Path(unquote(urlparse(document["textDocument"]["uri"]).path)).relative_to(ROOT)
        for edit in document["edits"]:
            start, end = edit["range"]["start"], edit["range"]["end"]
            yield str(file), start["line"], start["character"], end["character"]


def compute(folder, out, lists):
    """Compute all edits and write them to a file."""
    server = Server(folder)
    capabilities = {"workspace": {"workspaceEdit": {"documentChanges": True}, "configuration": True}}
    workspace = [{"uri": ROOT.as_uri(), "name": "spadille"}]
    start = {"processId": os.getpid(), "rootUri": ROOT.as_uri(), "workspaceFolders": workspace}
    server.call("initialize", {**start, "capabilities": capabilities})
    server.send({"method": "initialized", "params": {}})
    edits = {}
    for path, place, new, line in sorted(listed(lists)):
        text = (ROOT / path).read_text("utf-8")
        document = {"uri": (ROOT / path).as_uri(), "languageId": "python", "version": 1, "text": text}
        server.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        found = list(edits_of(server, path, place, new))
        server.send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": document["uri"]}}})
        print(f"{len(found):4} {line}", flush=True)
        for edit in found:
            if edits.setdefault(edit, new) != new:
                print("conflict:", edit, edits[edit], new)
    server.process.kill()
    Path(out).write_text(json.dumps([[*edit, new] for edit, new in edits.items()]))


def apply(file):
    """Make the edits, from the end of each file to its start."""
    for path, line, start, end, new in sorted(json.loads(Path(file).read_text()), reverse=True):
        lines = (ROOT / path).read_text("utf-8").split("\n")
        wide = lines[line].encode("utf-16-le")
        lines[line] = (wide[: 2 * start] + new.encode("utf-16-le") + wide[2 * end :]).decode("utf-16-le")
        (ROOT / path).write_text("\n".join(lines), "utf-8")


if __name__ == "__main__":
    apply(sys.argv[2]) if sys.argv[1] == "--apply" else compute(sys.argv[1], sys.argv[2], sys.argv[3:])
