"""Lanes as Numba sees them (`lanes` for what each operation means). Imported only where something is compiled.

A vector of three doubles, which LLVM puts into registers of four, or as many as the processor has, and leaves open what
the fourth is.
"""

import math
import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, models, register_model

DOUBLE = ir.DoubleType()
INDEX = ir.IntType(32)
VECTOR = ir.VectorType(DOUBLE, 3)
IN_MEMORY = ir.VectorType(DOUBLE, 4)
UNDEFINED = ir.Constant(VECTOR, ir.Undefined)


class LanesType(types.Type):
    """Numba type of lanes."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


LANES = LanesType()


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    """A vector of the processor."""

    def __init__(self, manager: Any, kind: LanesType) -> None:
        super().__init__(manager, kind, VECTOR)


def _shuffled(builder: Any, a: Any, b: Any, *which: int) -> Any:
    """Lanes by number: first those of a, then those of b."""
    mask = [ir.Constant(INDEX, k) for k in which]
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(INDEX, len(which)), mask))


def _broadcast(builder: Any, number: Any) -> Any:
    """A number in all lanes."""
    first = builder.insert_element(UNDEFINED, number, ir.Constant(INDEX, 0))
    return _shuffled(builder, first, UNDEFINED, 0, 0, 0)


def _binary(symbol: Any, emit: str) -> None:
    """Let an operator work on lanes, and on a number and lanes."""

    @infer_global(symbol)
    class _Typed(ConcreteTemplate):
        cases = [signature(LANES, LANES, LANES), signature(LANES, types.float64, LANES)]

    @lower_builtin(symbol, LanesType, LanesType)
    def _of_lanes(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return getattr(builder, emit)(*args)

    @lower_builtin(symbol, types.Float, LanesType)
    def _of_number(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return getattr(builder, emit)(_broadcast(builder, args[0]), args[1])


_binary(operator.add, "fadd")
_binary(operator.sub, "fsub")
_binary(operator.mul, "fmul")


@lower_builtin(math.sqrt, types.float64)
def _root(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    """A root as the processor's own instruction. Numba calls the C library, with the very same numbers: both round to
    the nearest."""
    return builder.call(builder.module.declare_intrinsic("llvm.sqrt", [DOUBLE]), args)


@intrinsic
def lanes(_context: Any, _x: Any, _y: Any, _z: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        vector = UNDEFINED
        for k, number in enumerate(args):
            vector = builder.insert_element(vector, number, ir.Constant(INDEX, k))
        return vector

    return LANES(types.float64, types.float64, types.float64), generate


@intrinsic(prefer_literal=True)
def lane(_context: Any, a: Any, k: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.extract_element(args[0], ir.Constant(INDEX, k.literal_value))

    return types.float64(a, k), generate


@intrinsic(prefer_literal=True)
def spread(_context: Any, a: Any, k: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return _shuffled(builder, args[0], UNDEFINED, *[k.literal_value] * 3)

    return LANES(a, k), generate


@intrinsic(prefer_literal=True)
def picked(_context: Any, a: Any, b: Any, i: Any, j: Any, k: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return _shuffled(builder, *args[:2], *[each.literal_value for each in (i, j, k)])

    return LANES(a, b, i, j, k), generate


@intrinsic
def transposed(_context: Any, a: Any, b: Any, c: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        first, second, third = args
        columns = []
        for k in range(3):
            pair = _shuffled(builder, first, second, k, 3 + k, k)
            columns.append(_shuffled(builder, pair, third, 0, 1, 3 + k))
        return context.make_tuple(builder, signature.return_type, columns)

    return types.UniTuple(LANES, 3)(a, b, c), generate


def _pointer(context: Any, builder: Any, kind: Any, args: Any, vector: ir.Type) -> Any:
    """Of element k of row i of an array, as one to a vector."""
    array = context.make_array(kind)(context, builder, args[0])
    item = cgutils.get_item_pointer(context, builder, kind, array, list(args[1:3]), wraparound=False)
    return builder.bitcast(item, vector.as_pointer())


def _loading(a: Any, vector: ir.Type) -> Any:
    """Signature and generator of reading lanes from an array as so many numbers."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        loaded = builder.load(_pointer(context, builder, signature.args[0], args, vector), align=8)
        return _shuffled(builder, loaded, ir.Constant(vector, ir.Undefined), 0, 1, 2)

    return LANES(a, types.intp, types.intp), generate


def _storing(a: Any, vector: ir.Type) -> Any:
    """The same of writing."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        stored = _shuffled(builder, args[3], UNDEFINED, *range(vector.count))
        builder.store(stored, _pointer(context, builder, signature.args[0], args, vector), align=8)
        return context.get_dummy_value()

    return types.void(a, types.intp, types.intp, LANES), generate


@intrinsic
def lanes_at(_context: Any, a: Any, _i: Any, _k: Any) -> Any:
    return _loading(a, IN_MEMORY)


@intrinsic
def three_at(_context: Any, a: Any, _i: Any, _k: Any) -> Any:
    return _loading(a, VECTOR)


@intrinsic
def put_lanes(_context: Any, a: Any, _i: Any, _k: Any, _v: Any) -> Any:
    return _storing(a, IN_MEMORY)


@intrinsic
def put_three(_context: Any, a: Any, _i: Any, _k: Any, _v: Any) -> Any:
    return _storing(a, VECTOR)


OPERATIONS = {
    each.__name__: each
    for each in (lanes, lane, spread, picked, transposed, lanes_at, put_lanes, three_at, put_three)
}
"""By the names that they have in `lanes`."""
