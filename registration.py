"""Register everything with Blender in one fixed order, and take it away in the opposite order.

The packages `scene`, `operators` and `panels` each list their modules in MODULES. A listed module offers

    classes         those it defines, alone or in a tuple, are registered in their order
    register()      optional: attach properties, handlers, menu entries, key maps
    unregister()    optional: detach them

A failure is never swallowed. What was registered before it is taken away again, so that the next try starts clean, and
the error goes to Blender, which shows it.
"""

import atexit
from collections.abc import Iterator
from importlib import import_module
from inspect import get_annotations
from types import ModuleType

# Properties first (operators and panels use them), panels last (they show operators).
PACKAGES = ("scene", "operators", "panels")


def listed_modules() -> Iterator[ModuleType]:
    """Yield every module that takes part, in registration order."""
    for package_name in PACKAGES:
        package = import_module(f".{package_name}", __package__)
        for name in package.MODULES:
            yield import_module(f".{package_name}.{name}", __package__)


def classes_of(module: ModuleType) -> tuple[type, ...]:
    """The classes of a module that Blender registers: those it defines, in their order."""
    import bpy

    values = [
        part for value in vars(module).values() for part in (value if type(value) is tuple else [value])
    ]
    own = [cls for cls in values if isinstance(cls, type) and cls.__module__ == module.__name__]
    return tuple(cls for cls in own if issubclass(cls, bpy.types.bpy_struct))


def name_properties(cls: type) -> None:
    """Name the properties of a class that have no name after their attributes: `contact_time` is "Contact Time"."""
    for base in cls.__mro__:
        for attribute, declared in get_annotations(base).items():  # Python 3.14 works them out when asked
            if hasattr(declared, "keywords"):
                declared.keywords.setdefault("name", attribute.replace("_", " ").title())


def register_module(module: ModuleType) -> None:
    """Register the classes of one module, then whatever else it attaches; all of it or nothing."""
    import bpy

    done = []
    try:
        for cls in classes_of(module):
            name_properties(cls)
            bpy.utils.register_class(cls)
            done.append(cls)
        if hasattr(module, "register"):
            module.register()
    except Exception:
        for cls in reversed(done):
            bpy.utils.unregister_class(cls)
        raise


def unregister_module(module: ModuleType) -> None:
    """Undo what `register_module` did."""
    import bpy

    if hasattr(module, "unregister"):
        module.unregister()
    for cls in reversed(classes_of(module)):
        bpy.utils.unregister_class(cls)


def keep_cache_in_extension_folder() -> None:
    """Installed as an extension, keep compiled code in the folder that Blender gives extensions for their data.

    Must run before the engine is imported. A folder chosen in the environment is kept.
    """
    import os

    import bpy

    if __package__.startswith("bl_ext.") and not os.environ.get("MANNEQUIN_CACHE_DIR"):
        os.environ["MANNEQUIN_CACHE_DIR"] = bpy.utils.extension_path_user(
            __package__, path="engine-cache", create=True
        )


def keep_clear_of_another_llvm() -> None:
    """Compile nothing in Blender's process where that shows another LLVM to all its libraries.

    Seen in Debian's Blender 4.3 with Mesa's graphics driver: Numba's compiler then calls into the driver's LLVM, and
    Blender crashes at the first compile. Simulations have a process of their own (jobs/worker.py), which takes the
    value as meant for Blender's alone. Must run before the engine is imported; a choice in the environment stands.
    """
    import ctypes
    import os
    import sys

    if not sys.platform.startswith("linux") or "MANNEQUIN_INTERPRETED" in os.environ:
        return
    if hasattr(ctypes.CDLL(None), "LLVMContextCreate"):
        os.environ["MANNEQUIN_INTERPRETED"] = "another LLVM"


def register_all() -> None:
    """Register every listed module; on failure take back what was done and pass the error on."""
    keep_cache_in_extension_folder()
    keep_clear_of_another_llvm()
    done = []
    try:
        for module in listed_modules():
            register_module(module)
            done.append(module)
    except Exception:
        for module in reversed(done):
            unregister_module(module)
        raise
    atexit.register(
        unregister_all
    )  # a Python that has Blender as a module hangs at its end with our icons still open


def unregister_all() -> None:
    """Unregister every listed module, last one first."""
    atexit.unregister(unregister_all)
    for module in reversed(list(listed_modules())):
        unregister_module(module)
