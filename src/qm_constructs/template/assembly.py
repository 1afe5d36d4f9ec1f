"""A cloud assembly, what ``cdk synth`` leaves in ``cdk.out``: every stack of an app."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from qm_constructs.arns import ACCOUNT, REGION
from qm_constructs.errors import shown
from qm_constructs.template._files import printable, read
from qm_constructs.template.loading import MANIFEST
from qm_constructs.template.report import Unreadable
from qm_constructs.template.source import CannotRead, parse, parse_mapping
from qm_constructs.template.stack import Stack

_STACK_ARTIFACT: Final = "aws:cloudformation:stack"
_ASSEMBLY_ARTIFACT: Final = "cdk:cloud-assembly"
_ACKNOWLEDGED: Final = "aws:cdk:acknowledged-rules"
_TEMPLATE_FILE: Final = "aws:cdk:templateFile"
_LOGICAL_ID: Final = "aws:cdk:logicalId"
_ASSET_PATH: Final = "aws:asset:path"
_NESTED_STACK: Final = "AWS::CloudFormation::Stack"
_RULE_PREFIX: Final = "qm-constructs::"
_ENVIRONMENT: Final = re.compile(r"aws://([^/]*)/([^/]*)")
# More than an app has; templates that nest one another twice would be without end.
_MOST_COPIES: Final = 100


def read_assembly(folder: str) -> tuple[list[Stack], list[Unreadable]]:
    """Returns the stacks of a cdk.out folder, those of its stages and nested stacks included.

    Args:
        folder: The folder, as the user wrote it; there is a manifest in it.
    """
    assembly = _Assembly(folder)
    assembly.read()
    return assembly.stacks, assembly.unreadable


class _Assembly:
    def __init__(self, folder: str) -> None:
        self.stacks: list[Stack] = []
        self.unreadable: list[Unreadable] = []
        self._folder = folder
        self._root = os.path.realpath(folder)
        self._stack_in: dict[str, Stack] = {}
        # Nothing is read twice, whatever names it: so every circle ends.
        self._seen = {self._root}

    def read(self) -> None:
        """Reads the assembly, and each assembly within it after the one that names it."""
        folders = [""]
        for folder in folders:
            manifest = str(Path(folder, MANIFEST))
            with self._noting(manifest):
                for name, artifact in _artifacts(self._mapping(manifest)).items():
                    with self._noting(manifest, f"has the artifact {shown(name)}, which "):
                        folders.extend(self._artifact(folder, name, artifact))
        self._nest()

    def _artifact(self, folder: str, name: str, artifact: Any) -> list[str]:
        """Reads one artifact, and returns the folder of the assembly that it is, if it is one."""
        kind = _member(artifact, "type")
        properties = _member(artifact, "properties")
        if kind == _STACK_ARTIFACT:
            named = _named(properties, "templateFile")
            file = self._within(folder, named)
            if file == os.path.normpath(folder):
                raise CannotRead(f"names {shown(named)} as its template, which is the folder")
            self._stack(folder, file, _placed(name, artifact, properties), artifact)
        elif kind == _ASSEMBLY_ARTIFACT:
            nested = self._within(folder, _named(properties, "directoryName"))
            return [nested] if self._is_new(nested) else []
        return []

    def _stack(self, folder: str, file: str, stack: Stack, artifact: Any) -> None:
        """Reads the template of a stack, and those of its nested stacks after it."""
        metadata = self._metadata(folder, artifact)
        stack.assembly = folder.replace(os.sep, "/")
        stack.acknowledged = _acknowledged(metadata)
        told = [name for _, name in _said(metadata, _TEMPLATE_FILE)]
        names = [*self._template(file, stack), *told]
        # What AWS::StackName will be is known only at deploy time.
        nested = stack.but(name=None)
        for name in names:
            with self._noting(file, "has a nested stack, which "):
                names.extend(self._template(self._within(folder, name), nested))
        self._relate(folder, metadata)

    def _template(self, file: str, stack: Stack) -> list[str]:
        """Reads one template, and returns the files of the nested stacks that it names."""
        nested: list[str] = []
        if self._is_new(file):
            with self._noting(file):
                document = parse(self._bytes(file), file, may_be_empty=True)
                self._stack_in[file] = stack.but(
                    template=document.template,
                    line_of=document.line_of,
                    file=self._shown(file),
                )
                self.stacks.append(self._stack_in[file])
                nested.extend(name for _, name in _nested_templates(document.template))
        return nested

    def _relate(self, folder: str, metadata: list[tuple[str, Any]]) -> None:
        """Says of a stack and its nested stacks which construct is where, and what is in what."""
        stack_at = {
            path: self._stack_in[file]
            for path, name in _said(metadata, _TEMPLATE_FILE)
            if (file := os.path.normpath(Path(folder, name))) in self._stack_in
        }
        owner_of: dict[str, tuple[Stack, str]] = {}
        constructs: dict[Stack, dict[str, str]] = {stack: {} for stack in stack_at.values()}
        for path, id in _said(metadata, _LOGICAL_ID):
            stack = next((stack_at[up] for up in _above(path) if up in stack_at), None)
            if stack is not None:
                owner_of[path] = stack, id
                constructs[stack][id] = path
        for path, stack in stack_at.items():
            stack.constructs = constructs[stack]
            above, _, name = path.rpartition("/")
            resource = f"{above}/{name}.NestedStack/{name}.NestedStackResource"
            if resource in owner_of:
                stack.parent, stack.parent_resource = owner_of[resource]

    def _nest(self) -> None:
        """Says which stack is nested in which, where the app does not: by the template's name.

        A template that is nested twice has two sets of parameters, and so becomes two stacks.
        """
        free = {id(one) for one in self.stacks if one.name is None and one.parent is None}
        parents = deque(stack for stack in self.stacks if id(stack) not in free)
        left = _MOST_COPIES
        while parents:
            parent = parents.popleft()
            for resource, name in _nested_templates(parent.template):
                stack = self._stack_in.get(os.path.normpath(Path(parent.assembly, name)))
                if stack is None:
                    continue
                if any(above.file == stack.file for above in _up_from(parent)):
                    reason = f"has a nested stack, {shown(resource)}, that nests it again"
                    line = parent.line_of(("Resources", resource))
                    self.unreadable.append(Unreadable(parent.file, reason, line))
                    continue
                if id(stack) not in free:
                    continue
                if stack.parent is not None:
                    if not left:
                        stack.left_out += 1
                        continue
                    left -= 1
                    stack = self._copied(stack)
                _put_into(parent, resource, stack)
                parents.append(stack)

    def _copied(self, stack: Stack) -> Stack:
        another = stack.but(constructs={})
        # Behind those before it, as the templates name them.
        last = max(place for place, one in enumerate(self.stacks) if one.file == stack.file)
        self.stacks.insert(last + 1, another)
        return another

    def _metadata(self, folder: str, artifact: Any) -> list[tuple[str, Any]]:
        """Returns what the app says of its constructs: path and entry."""
        sources = [_member(artifact, "metadata")]
        name = _member(artifact, "additionalMetadataFile")
        if isinstance(name, str):
            file = self._within(folder, name)
            with self._noting(file):
                sources.append(self._mapping(file))
        return [
            (path, entry)
            for source in sources
            if isinstance(source, dict)
            for path, entries in source.items()
            if isinstance(entries, list)
            for entry in entries
        ]

    def _mapping(self, file: str) -> dict[str, Any]:
        return parse_mapping(self._bytes(file))

    def _bytes(self, file: str) -> bytes:
        return read(str(Path(self._root, file)))

    def _within(self, folder: str, name: str) -> str:
        """Returns the path, within the assembly, of a file that is named in one of its folders."""
        path = os.path.normpath(Path(folder, name))
        if "\0" in name or not self._is_inside(path):
            raise CannotRead(f"names {shown(name)}, which is outside of the folder")
        return path

    def _is_inside(self, path: str) -> bool:
        real = os.path.realpath(Path(self._root, path))
        return not Path(path).is_absolute() and Path(real).is_relative_to(self._root)

    def _is_new(self, path: str) -> bool:
        real = os.path.realpath(Path(self._root, path))
        new = real not in self._seen
        self._seen.add(real)
        return new

    def _shown(self, file: str) -> str:
        return printable(f"{self._folder.rstrip('/')}/{file}")

    @contextmanager
    def _noting(self, file: str, prefix: str = "") -> Iterator[None]:
        """Notes why a file cannot be read, and lets the others go on."""
        try:
            yield
        except CannotRead as error:
            reason = f"{prefix}{error.reason}"
            self.unreadable.append(Unreadable(self._shown(file), reason, error.line))


def _artifacts(manifest: dict[str, Any]) -> dict[str, Any]:
    artifacts = manifest.get("artifacts")
    if not isinstance(artifacts, dict):
        raise CannotRead("is no manifest of a cdk.out folder: it has no artifacts")
    return artifacts


def _member(mapping: Any, key: str) -> Any:
    return mapping.get(key) if isinstance(mapping, dict) else None


def _named(properties: Any, key: str) -> str:
    name = _member(properties, key)
    if not isinstance(name, str):
        raise CannotRead(f"has no {key}")
    return name


def _placed(id: str, artifact: Any, properties: Any) -> Stack:
    """Returns a stack, still without its template, with what its artifact says of it."""
    name = _member(properties, "stackName")
    match = _ENVIRONMENT.fullmatch(str(_member(artifact, "environment")))
    account, region = match.groups() if match else ("", "")
    return Stack(
        template={},
        file="",
        name=name if isinstance(name, str) else id,
        account=account if re.fullmatch(ACCOUNT, account) else None,
        region=region if re.fullmatch(REGION, region) else None,
        artifact=id,
        dependencies=_texts(_member(artifact, "dependencies")),
    )


def _texts(given: Any) -> frozenset[str]:
    items = given if isinstance(given, list) else ()
    return frozenset(item for item in items if isinstance(item, str))


def _acknowledged(metadata: Iterable[tuple[str, Any]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for path, entry in metadata:
        rules = _member(entry, "data") if _member(entry, "type") == _ACKNOWLEDGED else None
        ids = rules if isinstance(rules, (dict, list)) else ()
        ours = {id.removeprefix(_RULE_PREFIX) for id in ids if _is_ours(id)}
        if ours:
            found.setdefault(path.removeprefix("/"), set()).update(ours)
    return found


def _said(metadata: Iterable[tuple[str, Any]], kind: str) -> Iterator[tuple[str, str]]:
    """Yields the texts of one kind that the app says of its constructs, each with the path."""
    for path, entry in metadata:
        data = _member(entry, "data")
        if _member(entry, "type") == kind and isinstance(data, str):
            yield path.removeprefix("/"), data


def _above(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _put_into(parent: Stack, resource: str, stack: Stack) -> None:
    """Says that a stack is nested in another, and so is where that is."""
    stack.parent, stack.parent_resource = parent, resource
    stack.account, stack.region = parent.account, parent.region
    stack.assembly, stack.artifact = parent.assembly, parent.artifact
    stack.dependencies, stack.acknowledged = parent.dependencies, parent.acknowledged


def _up_from(stack: Stack) -> Iterator[Stack]:
    above: Stack | None = stack
    while above is not None:
        yield above
        above = above.parent


def _is_ours(id: Any) -> bool:
    return isinstance(id, str) and id.startswith(_RULE_PREFIX)


def _nested_templates(template: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yields the nested stacks of a template: the logical id, and the file of its template."""
    for id, resource in template["Resources"].items():
        name = _member(_member(resource, "Metadata"), _ASSET_PATH)
        if _member(resource, "Type") == _NESTED_STACK and isinstance(name, str):
            yield id, name
