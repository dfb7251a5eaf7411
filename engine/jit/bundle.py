"""Bundles of arrays that compiled code is handed as one pointer. Imported by `decorators` only where Numba is there.

Numba passes a namedtuple of arrays as nine numbers per array, to every function it calls. The engine's groups hold some
250 arrays: calls with thousands of arguments take minutes to compile and microseconds to make. A `Bundle` keeps the
descriptions of its arrays (the very structs that Numba would build) in one block of memory and is passed as the address
of that block. Reading `bundle.name` in compiled code loads the description from there; since the block never changes
during a call the load is marked invariant, so that the optimizer may keep it in a register.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.core.typing.typeof import typeof
from numba.extending import NativeValue, intrinsic, models, register_model, typeof_impl, unbox
from numba.np.numpy_support import from_dtype


class BundleType(types.Type):
    """Numba type of a bundle: its name, and the names, types and places (in words of 8 bytes) of its fields."""

    def __init__(self, name: str, fields: tuple[tuple[str, types.Type, int], ...]) -> None:
        self.fields = fields
        described = ", ".join(f"{field}:{kind}" for field, kind, _ in fields)
        super().__init__(name=f"Bundle {name}({described})")

    def field(self, name: str) -> tuple[types.Type, int] | None:
        """(type, place) of a field, or None."""
        for field, kind, place in self.fields:
            if field == name:
                return kind, place
        return None


@lru_cache(maxsize=256)
def _bundle_type(name: str, fields: tuple[tuple[str, types.Type, int], ...]) -> BundleType:
    """The type of this layout. Kept, because a type writes out its whole layout when it is made."""
    return BundleType(name, fields)


@lru_cache(maxsize=256)
def _array_type(dtype: np.dtype, dimensions: int, writable: bool) -> types.Array:
    """Numba's type of a contiguous array."""
    return types.Array(from_dtype(dtype), dimensions, "C", readonly=not writable)


class Bundle:
    """A namedtuple laid out for compiled code. Arrays are shared, not copied; `value` is the namedtuple."""

    def __init__(self, value: tuple) -> None:
        self.value = value
        self._children: list[Bundle] = []
        words: list[int] = []
        fields = []
        for name, item in zip(value._fields, value, strict=True):
            place = len(words)
            kind, item_words = self._words(item)
            fields.append((name, kind, place))
            words += item_words
        self._block = np.array(words, dtype=np.uint64)
        self.address = int(self._block.ctypes.data)
        self.numba_type = _bundle_type(type(value).__name__, tuple(fields))

    def _words(self, item: Any) -> tuple[types.Type, list[int]]:
        """Numba type and memory words of one field."""
        if isinstance(item, np.ndarray):
            assert item.flags.c_contiguous, "compiled code takes contiguous arrays only"
            kind = _array_type(item.dtype, item.ndim, item.flags.writeable)
            address = item.__array_interface__["data"][0]
            return kind, [0, 0, item.size, item.itemsize, address, *item.shape, *item.strides]
        if hasattr(item, "_fields"):
            child = Bundle(item)
            self._children.append(child)
            return child.numba_type, [child.address]
        if isinstance(item, tuple):
            return typeof(item), [word for part in item for word in self._words(part)[1]]
        if isinstance(item, float):
            return types.float64, list(struct.unpack("<Q", struct.pack("<d", item)))
        return types.int64, [int(item) & (2**64 - 1)]


@typeof_impl.register(Bundle)
def _typeof_bundle(value: Bundle, _context: Any) -> BundleType:
    return value.numba_type


@register_model(BundleType)
class _BundleModel(models.OpaqueModel):
    """A pointer to the block."""


@unbox(BundleType)
def _unbox_bundle(_type: BundleType, value: Any, c: Any) -> NativeValue:
    address = c.pyapi.object_getattr_string(value, "address")
    pointer = c.pyapi.long_as_voidptr(address)
    c.pyapi.decref(address)
    return NativeValue(pointer)


@infer_getattr
class _BundleAttribute(AttributeTemplate):
    key = BundleType

    def generic_resolve(self, bundle: BundleType, name: str) -> types.Type | None:
        """Type of `bundle.name`."""
        found = bundle.field(name)
        return found[0] if found else None


@lower_getattr_generic(BundleType)
def _load_field(context: Any, builder: Any, bundle: BundleType, pointer: Any, name: str) -> Any:
    kind, place = bundle.field(name)
    address = builder.gep(pointer, [ir.Constant(ir.IntType(64), 8 * place)])
    stored = context.get_data_type(kind)
    load = builder.load(builder.bitcast(address, stored.as_pointer()))
    load.set_metadata("invariant.load", builder.module.add_metadata([]))
    return impl_ret_borrowed(
        context, builder, kind, context.data_model_manager[kind].from_data(builder, load)
    )


@intrinsic(prefer_literal=False)
def call_through_address(typing_context: Any, address: types.Type, *args: types.Type) -> Any:
    """Call the C function at an address with bundles and floats; it returns nothing."""
    if not isinstance(address, types.Integer):
        return None

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kinds = [context.get_value_type(kind) for kind in signature.args[1]]
        packed = [builder.extract_value(values[1], i) for i in range(len(kinds))]
        function = ir.FunctionType(ir.VoidType(), kinds)
        builder.call(builder.inttoptr(values[0], function.as_pointer()), packed)
        return context.get_dummy_value()

    return types.void(types.int64, types.Tuple(args)), generate
