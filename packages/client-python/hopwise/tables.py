"""Results as Python has them: rows by your ids, or tables of pyarrow where that is installed."""

from __future__ import annotations

import io
import json
from array import array
from typing import TYPE_CHECKING, Any, Iterator, Mapping

from .errors import HopwiseError
from .transport import Answer

if TYPE_CHECKING:
    import pyarrow


class Embeddings(Mapping["int | str", "array[float]"]):
    """A vector for each of your ids, in the order of the export: a mapping that holds four bytes a number."""

    def __init__(self, rows: Iterator[tuple[int | str, list[float]]]) -> None:
        self._row_of: dict[int | str, int] = {}
        self.width = 0
        """Numbers of a vector."""
        self.flat = array("f")
        """All vectors, one after the other: numpy.frombuffer(e.flat, "float32").reshape(len(e), e.width)"""
        for id_, vector in rows:
            self._row_of[id_] = len(self._row_of)
            self.width = len(vector)
            self.flat.extend(vector)

    @property
    def ids(self) -> list[int | str]:
        return list(self._row_of)

    def __getitem__(self, id_: int | str) -> array[float]:
        start = self._row_of[id_] * self.width
        return self.flat[start : start + self.width]

    def __iter__(self) -> Iterator[int | str]:
        return iter(self._row_of)

    def __len__(self) -> int:
        return len(self._row_of)


def embeddings_of(answer: Answer) -> Embeddings:
    """Reads embeddings as JSON lines."""
    return Embeddings((row["id"], row["embedding"]) for row in rows_of(answer))


def rows_of(answer: Answer) -> Iterator[dict[str, Any]]:
    """Reads JSON lines as they come."""
    return (json.loads(line) for line in answer.lines())


def table_of(answer: Answer) -> pyarrow.Table:
    """Reads Parquet. Raises HopwiseError where pyarrow is not installed."""
    try:
        import pyarrow.parquet
    except ImportError as cause:
        raise HopwiseError('Tables need pyarrow: pip install "hopwise[arrow]". Without it, rows come by id.') from cause
    return pyarrow.parquet.read_table(io.BytesIO(answer.read()))
