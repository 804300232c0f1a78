"""Archives that nerzoo would not write."""

import io
import json
import tarfile


def unpacked(archive, folder):
    with tarfile.open(archive) as file:
        file.extractall(folder, filter="data")
    return folder


def packed(folder, path, config=None, members=()):
    """
    Packs a folder in any order, without checksums; optionally with another configuration, an object or a text, and with
    other members, pairs of a `TarInfo` and its content.
    """
    # Compression, of weights above all, takes more time than all that is tested.
    with tarfile.open(path, "w:gz", compresslevel=0) as file:
        for part in sorted(folder.iterdir(), reverse=True):
            if part.name != "checksums.sha256" and (config is None or part.name != "config.json"):
                file.add(part, part.name)
        if config is not None:
            text = config if isinstance(config, str) else json.dumps(config)
            members = [(tarfile.TarInfo("config.json"), text.encode()), *members]
        for member, content in members:
            member.size = len(content)
            file.addfile(member, io.BytesIO(content))
    return path


def changed_config(folder, **values):
    """Returns the configuration in a folder with other values; two underscores in a key stand for a dot."""
    config = json.loads((folder / "config.json").read_text())
    for key, value in values.items():
        *sections, name = key.split("__")
        target = config
        for section in sections:
            target = target[section]
        target[name] = value
    return config
