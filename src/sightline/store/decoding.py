"""Many values of a series → columns, by the core: it reads the bytes of local files itself, and is handed
those of remote ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from sightline.model.errors import FileGoneError
from sightline.model.kinds import Kind
from sightline.store.access import FileAccess, Place
from sightline.store.stored_bytes import FAR_PAGE_BYTES

if TYPE_CHECKING:
    from sightline.store.media import MediaColumns, ReadBytes

MAX_FAR_REQUEST_BYTES = 8 << 20
_FAR_BYTES_PER_NUMBER = 16
"""Values take 4 to 12 bytes for each of their numbers, so that more bytes than this are too many numbers."""


def decode_columns(
    kind: Kind, places: MediaColumns, access: FileAccess, read_bytes: ReadBytes, *, most_numbers: int
) -> Mapping[str, NDArray[Any]] | None:
    """Columns of histograms or precision-recall curves; None when they hold more numbers than that."""
    index = access.index
    decode = getattr(index, f"decode_{kind}s")  # the core has one for each kind that is columns of numbers
    far_files = [file_id for file_id in np.unique(places.file_id).tolist() if access.is_far(file_id)]
    brought: list[bytes | None] | None = None
    if far_files:
        far_rows = np.flatnonzero(np.isin(places.file_id, far_files))
        if int(places.length[far_rows].sum()) > _FAR_BYTES_PER_NUMBER * most_numbers:
            return None
        brought = _far_values(places, far_rows, read_bytes)
    columns = decode(
        places.file_id,
        places.generation,
        places.offset,
        places.length,
        brought=brought,
        most_numbers=most_numbers,
    )
    return cast("Mapping[str, NDArray[Any]] | None", columns)


@dataclass(slots=True)
class _Stretch:
    """Neighbouring values of one file, which one request brings."""

    rows: list[int]
    place: Place


def _far_values(places: MediaColumns, rows: NDArray[np.intp], read_bytes: ReadBytes) -> list[bytes | None]:
    """The bytes of the values in these rows; None where the file is gone, and for all other rows."""
    values: list[bytes | None] = [None] * len(places.step)
    for stretch in _stretches(places, rows):
        try:
            data = read_bytes(stretch.place)
        except FileGoneError:
            continue  # the core will not find it either, and says so
        for row in stretch.rows:
            begin = int(places.offset[row]) - stretch.place.offset
            values[row] = data[begin : begin + int(places.length[row])]
    return values


def _stretches(places: MediaColumns, rows: NDArray[np.intp]) -> Iterator[_Stretch]:
    """What lies close together is asked for at once: a request takes longer than the bytes in between."""
    order = np.lexsort((places.offset[rows], places.generation[rows], places.file_id[rows]))
    last: _Stretch | None = None
    for row in rows[order].tolist():
        place = places.place(row)
        if last is not None:
            begin, known_end = last.place.offset, last.place.offset + last.place.length
            end = max(known_end, place.offset + place.length)
            is_same_file = (place.file_id, place.generation) == (last.place.file_id, last.place.generation)
            is_near = place.offset - known_end <= FAR_PAGE_BYTES and end - begin <= MAX_FAR_REQUEST_BYTES
            if is_same_file and is_near:
                last.rows.append(row)
                last.place = Place(place.file_id, place.generation, begin, end - begin)
                continue
            yield last
        last = _Stretch([row], place)
    if last is not None:
        yield last
