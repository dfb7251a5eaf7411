"""Bundles as Numba sees them. Imported only where something is compiled.

Reading `bundle.name` in compiled code loads the description of an array from the bundle's block; since the block never
changes during a call the load is marked invariant, so that the optimizer may keep it in a register.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, intrinsic, models, register_model, typeof_impl, unbox
from numba.np.numpy_support import from_dtype

from .bundle import Bundle, Kind, Layout


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
def bundle_type(layout: Layout) -> BundleType:
    """The type of a layout. Kept, because a type writes out its whole layout when it is made."""
    name, fields = layout
    return BundleType(name, tuple((field, _type_of(kind), place) for field, kind, place in fields))


def _type_of(kind: Kind) -> types.Type:
    """Numba's type of a field."""
    match kind:
        case ("array", dtype, dimensions, is_writable):
            return types.Array(from_dtype(np.dtype(dtype)), dimensions, "C", readonly=not is_writable)
        case ("bundle", layout):
            return bundle_type(layout)
        case ("tuple", *parts):
            return types.BaseTuple.from_types([_type_of(part) for part in parts])
        case ("float",):
            return types.float64
    return types.int64


@typeof_impl.register(Bundle)
def _typeof_bundle(value: Bundle, _context: Any) -> BundleType:
    return bundle_type(value.layout)


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
    """Call the kernel at an address with bundles and floats, in Numba's own convention (`machine_code`)."""
    if not isinstance(address, types.Integer):
        return None

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kinds = [context.get_value_type(kind) for kind in signature.args[1]]
        packed = [builder.extract_value(values[1], i) for i in range(len(kinds))]
        pointer = ir.IntType(8).as_pointer()
        slots = [_slot(builder, pointer) for _ in range(2)]
        function = ir.FunctionType(ir.IntType(32), [pointer.as_pointer()] * 2 + kinds)
        builder.call(builder.inttoptr(values[0], function.as_pointer()), slots + packed)
        return context.get_dummy_value()

    return types.void(types.int64, types.Tuple(args)), generate


def _slot(builder: Any, kind: ir.Type) -> Any:
    """Room for one value on the stack, taken once when the function is entered."""
    with builder.goto_entry_block():
        return builder.alloca(kind)
