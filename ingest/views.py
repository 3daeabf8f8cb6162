"""What a record says about its hand, as one number: records that say the same have the same number.

A hash over every column of a batch but the position in the file; stable between versions of the libraries, because
it is kept in databases.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa

from ingest.batch import ACTION_COLUMNS, HAND_COLUMNS, SEAT_COLUMNS, Batch, Offsets, list_arrays
from ingest.game.kernels import kernel

Bytes = npt.NDArray[np.uint8]

_NOT_SAID = ("position", "players", "actions")
_OFFSET, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)  # FNV-1a, 64 bits


@kernel
def _mix(states, first_row, data, ends, known):  # type: ignore[no-untyped-def]
    """Mix a column into the state of each hand: every value by its length and bytes, NULL as itself."""
    for hand in range(states.shape[0]):
        state = states[hand]
        for row in range(first_row[hand], first_row[hand + 1]):
            begin, end = ends[row], ends[row + 1]
            state = (state ^ np.uint64(end - begin + 2 if known[row] else 1)) * _PRIME
            if known[row]:
                for at in range(begin, end):
                    state = (state ^ np.uint64(data[at])) * _PRIME
        states[hand] = state


@kernel
def _finish(states):  # type: ignore[no-untyped-def]
    """Spread the last bytes over all bits."""
    for hand in range(states.shape[0]):
        state = states[hand]
        state = (state ^ (state >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
        state = (state ^ (state >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
        states[hand] = state ^ (state >> np.uint64(33))


def view_hashes(batch: Batch) -> npt.NDArray[np.int64]:
    """The number of each hand's record, (n,)."""
    states = np.full(len(batch), _OFFSET, np.uint64)
    each = np.arange(len(batch) + 1)
    for frame, columns, first_row in (
        (batch.hands, HAND_COLUMNS, each),
        (batch.seats, SEAT_COLUMNS, batch.first_seat),
        (batch.actions, ACTION_COLUMNS, batch.first_action),
    ):
        for name in columns:
            if name not in _NOT_SAID:
                data, ends = _column_bytes(frame[name])
                _mix(states, first_row, data, ends, frame[name].is_not_null().to_numpy())
    _finish(states)
    return states.view(np.int64)


def _column_bytes(column: pl.Series) -> tuple[Bytes, Offsets]:
    """The values of a column as bytes in a row, and where each begins, (n + 1,)."""
    if column.dtype == pl.List(pl.String):
        column = column.list.join(",")
    if column.dtype == pl.List(pl.UInt8):
        return list_arrays(column)
    if column.dtype == pl.String:
        texts = column.fill_null("").rechunk().to_arrow().cast(pa.large_binary())
        ends = np.frombuffer(texts.buffers()[1], np.int64)[texts.offset : texts.offset + len(texts) + 1]
        data = texts.buffers()[2]
        return np.frombuffer(data, np.uint8) if data else np.zeros(0, np.uint8), ends
    rows = _fixed_width(column)
    return rows.reshape(-1), np.arange(len(column) + 1, dtype=np.int64) * rows.shape[1]


def _fixed_width(column: pl.Series) -> Bytes:
    """The values of a column of fixed width, (n, bytes)."""
    count = len(column)
    if isinstance(column.dtype, pl.Array):
        return np.ascontiguousarray(column.to_numpy()).reshape(count, -1)
    if isinstance(column.dtype, pl.Decimal):
        buffer = column.fill_null(0).rechunk().to_arrow().buffers()[1]
        return np.frombuffer(buffer, np.uint8)[: count * 16].reshape(count, 16)
    # Little-endian, whatever the machine.
    numbers = column.cast(pl.Int64).fill_null(0).to_numpy().astype("<i8")
    return np.ascontiguousarray(numbers).view(np.uint8).reshape(count, numbers.itemsize)
