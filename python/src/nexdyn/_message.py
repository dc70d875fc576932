"""Messages to and from the engine: JSON with arrays beside it. ``packages/bridge/src/message.ts`` has the same on the other side.

A frame is two lengths (u32, little endian), the JSON as UTF-8, and the bytes of the arrays. In the JSON an array stands as
``{"$array": "float64", "at": byte offset, "shape": [...]}``, a number that JSON cannot write as ``{"$number": "NaN"}``.
"""

from __future__ import annotations

import json
import math
import struct
from typing import Any

import numpy as np

from .errors import NexdynError

LENGTHS = struct.Struct("<II")

#: Most bytes of arrays in one message: beyond it copies between the processes would take most of the memory.
MOST_BYTES = 1 << 30

_TYPES = {"float64", "float32", "int32", "uint32", "uint8"}


def encode(value: Any) -> list[bytes | memoryview]:
    """Parts of the frame of a message, to be written one after the other."""
    arrays: list[memoryview | bytes] = []
    size = 0

    def convert(item: Any) -> Any:
        nonlocal size
        if isinstance(item, float):
            return item if math.isfinite(item) else {"$number": "NaN" if item != item else f"{'-' if item < 0 else ''}Infinity"}
        if item is None or isinstance(item, (str, int, bool)):
            return item
        if isinstance(item, np.ndarray):
            array = np.ascontiguousarray(item)
            if array.dtype.name not in _TYPES:
                if array.dtype.kind not in "fiub":
                    raise NexdynError(
                        "invalid-argument", f"an array of {array.dtype} cannot be used", hint="give an array of numbers"
                    )
                array = array.astype(np.float64)
            at = size
            rest = -array.nbytes % 8
            size += array.nbytes + rest
            if size > MOST_BYTES:
                raise NexdynError(
                    "too-large",
                    f"{size} bytes of arrays are more than one call takes ({MOST_BYTES})",
                    hint="send them in several calls",
                )
            arrays.append(memoryview(array.reshape(-1)).cast("B") if array.size else b"")
            if rest:
                arrays.append(bytes(rest))
            return {"$array": array.dtype.name, "at": at, "shape": list(array.shape)}
        if isinstance(item, np.generic):
            return convert(item.item())
        if isinstance(item, dict):
            return {str(key): convert(entry) for key, entry in item.items() if entry is not None or key == "keyframe"}
        if isinstance(item, (list, tuple)):
            return [convert(entry) for entry in item]
        if hasattr(item, "__fspath__"):
            return str(item)
        raise NexdynError("invalid-argument", f"a value of type {type(item).__name__} cannot be used", hint="give plain data")

    header = json.dumps(convert(value), separators=(",", ":")).encode()
    return [LENGTHS.pack(len(header), size), header, *arrays]


def decode(header: bytes, arrays: memoryview) -> Any:
    """Reads a message. Arrays are views on the bytes that were given."""

    def restore(item: dict[str, Any]) -> Any:
        if "$array" in item:
            shape = item["shape"]
            count = math.prod(shape)
            return np.frombuffer(arrays, dtype=item["$array"], count=count, offset=item["at"]).reshape(shape)
        if "$number" in item:
            return float(item["$number"].replace("Infinity", "inf"))
        return item

    return json.loads(header, object_hook=restore)
