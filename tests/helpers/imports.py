import ast


def source_files(folder):
    """Returns all Python files below a folder, in order."""
    return sorted(folder.rglob("*.py"))


def imported_modules(path):
    """Returns the names of the modules that a file imports, each with a flag for an import inside a function."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    local = {id(node) for function in functions for node in ast.walk(function)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield node.module, id(node) in local
        elif isinstance(node, ast.Import):
            yield from ((alias.name, id(node) in local) for alias in node.names)
