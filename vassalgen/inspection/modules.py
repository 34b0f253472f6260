"""The contents of a module or an extension."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from vassalgen.inspection.controls import (
    charts_of,
    dice_of,
    help_of,
    properties_of,
    sides_of,
    turn_trackers_of,
)
from vassalgen.inspection.facts import AdditionFacts, FileKind, ModuleFacts, ModuleName, Versions
from vassalgen.inspection.findings import Gathering, in_order
from vassalgen.inspection.image_use import TEXT_SUFFIXES, ImageUse, images_in_component, images_in_trait
from vassalgen.inspection.maps import maps_of
from vassalgen.inspection.palette import palette_of, target_name
from vassalgen.inspection.pictures import Pictures
from vassalgen.inspection.piece_ids import check_ids
from vassalgen.inspection.prototypes import prototypes_of
from vassalgen.inspection.reading import metadata_of, versions
from vassalgen.inspection.setups import Setup, setups_of
from vassalgen.inspection.soundness import check_components, check_traits
from vassalgen.inspection.survey import Survey, survey
from vassalgen.vassal.archives import Archive
from vassalgen.vassal.buildfile import step_of
from vassalgen.vassal.components import Component, ExtensionElement, GameModule, ModuleExtension
from vassalgen.vassal.metadata import ExtensionData, Metadata, ModuleData
from vassalgen.vassal.traits.use_prototype import UsePrototype


def module_facts(archive: Archive) -> ModuleFacts:
    """The facts of a module or an extension. Raises :exc:`FormatError` if it has no readable build file."""
    findings = Gathering()
    read = survey(archive)
    whole = not isinstance(read.root, ModuleExtension)
    pictures = Pictures(archive, findings)
    maps = maps_of(read, pictures, findings)
    images = ImageUse(archive, pictures, findings, whole=whole)
    _use_images(read, images)
    setups = []
    in_setups: dict[str, set[str]] = {}
    for setup in setups_of(read, findings):
        setups.append(setup.facts)
        _use_setup(setup, images, in_setups)
    prototypes = prototypes_of(read, in_setups, findings, whole=whole)
    check_ids(read, findings)
    check_components(read, findings, whole=whole)
    check_traits(read, findings, whole=whole)
    properties = properties_of(read, findings)
    image_facts = images.facts()
    name, version, description, vassal_version = _names(read.root)
    metadata = metadata_of(lambda: _metadata(archive), findings)
    made = versions(metadata)
    return ModuleFacts(
        kind=FileKind.MODULE if whole else FileKind.EXTENSION,
        name=name,
        version=version,
        description=description,
        made=Versions(made.vassal or vassal_version or None, made.saved, made.comments),
        extends=_extended(read.root),
        maps=maps,
        sides=sides_of(read),
        palette=palette_of(read),
        prototypes=prototypes,
        setups=tuple(setups),
        turn_trackers=turn_trackers_of(read),
        dice=dice_of(read),
        properties=properties,
        charts=charts_of(read),
        help=help_of(read),
        images=image_facts,
        sounds=tuple(entry for entry in archive.names if entry.startswith("sounds/")),
        own_classes=tuple(
            entry.removesuffix(".class").replace("/", ".")
            for entry in archive.names
            if entry.endswith(".class")
        ),
        adds=tuple(_additions(read)),
        findings=in_order((*read.faults, *findings.found())),
    )


@frozen
class _Entry:
    """An entry of the archive as a place."""

    place: str


def _use_images(read: Survey, images: ImageUse) -> None:
    """Record all images that the module itself names or mentions; set-ups are read separately."""
    for part in read.parts:
        if isinstance(part.component, Component):
            images.name(images_in_component(part.component), part)
        element = part.path[-1]
        for text in (element.text, *(value for _, value in element.attributes)):
            images.html(text, part)
    for found in read.definitions:
        for trait in found.piece.traits:
            images.name(images_in_trait(trait), found)
    for entry in read.archive.names:
        if entry.lower().endswith(TEXT_SUFFIXES) and entry != read.archive.build_file:
            images.html(read.archive.read(entry).decode("utf-8", "replace"), _Entry(entry))


def _use_setup(setup: Setup, images: ImageUse, in_setups: dict[str, set[str]]) -> None:
    for trait in setup.traits:
        images.name(images_in_trait(trait), setup)
        if isinstance(trait, UsePrototype):
            in_setups.setdefault(setup.place, set()).add(trait.name)
    images.mention(setup.text)


def _names(root: Component) -> tuple[str, str, str, str]:
    """Name, version, description and VASSAL's version, from the build file."""
    match root:
        case GameModule():
            return root.name, root.version, root.description, root.vassal_version
        case ModuleExtension():
            return "", root.version, root.description, root.vassal_version
    return "", "", "", ""


def _extended(root: Component) -> ModuleName | None:
    if not isinstance(root, ModuleExtension):
        return None
    return ModuleName(None if root.any_module else root.module, root.module_version or None)


def _metadata(archive: Archive) -> Metadata | None:
    for kind in (ExtensionData, ModuleData):
        if kind.ENTRY in archive:
            return kind.from_xml(archive.read(kind.ENTRY))
    return None


def _additions(read: Survey) -> Iterator[AdditionFacts]:
    for element, part in read.all(ExtensionElement):
        for child in part.path[-1].children:
            yield AdditionFacts(step_of(child), target_name(element))
