"""Compiles the rules' plain functions with Numba and keeps the machine code on disk.

The same functions run uncompiled under `NUMBA_DISABLE_JIT=1`, on `np.record`, with the same bytes.
"""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numba import config, njit, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.core.types.function_type import CompileResultWAP

from dino_envs.engine.disk import announced, cache_folder

JIT = not config.DISABLE_JIT


def _closed_over(function: Callable[..., Any]) -> list[Any]:
    """Returns what a function closes over, and what that closes over in turn."""
    found = []
    for cell in getattr(function, "__closure__", None) or ():
        content = cell.cell_contents
        content = getattr(content, "py_func", content)
        found += [content, *(_closed_over(content) if callable(content) else ())]
    return found


class _BySources(_CacheLocator):
    """Names the cache folder after the sources of a kernel and of the kernels it closes over.

    Numba looks at the time stamp of the calling function's file alone, so an edited callee would
    leave its callers stale. Here any change of the sources is another folder.
    """

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        kernels = [content for content in _closed_over(py_func) if callable(content)]
        files = [py_file, *(content.__code__.co_filename for content in kernels)]
        self._path = cache_folder(*(Path(file).parent for file in files))
        self._line = py_func.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return str(self._path)

    def get_source_stamp(self) -> str:
        return self._path.name

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _BySources | None:
        locator = cls(py_func, py_file)
        try:
            locator.ensure_cache_path()
        except OSError:  # a read-only home: compile in memory
            return None
        return locator


class _Impl(CompileResultCacheImpl):
    _locator_classes: ClassVar = [_BySources]


class _Cache(FunctionCache):
    _impl_class = _Impl

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        """Names closed-over kernels instead of pickling them.

        Numba pickles them, and a pickled kernel is different in every process, so that a loop
        closed over the rules would never be found on disk. Their sources are in the folder's name.
        """
        names = [
            (content.__module__, content.__qualname__) if callable(content) else repr(content)
            for content in _closed_over(self._py_func)
        ]
        code = self._py_func.__code__.co_code + repr(names).encode()
        return sig, codegen.magic_tuple(), hashlib.sha256(code).hexdigest()

    def holds(self, signature: Any, codegen: Any) -> bool:
        """Returns whether the code for a signature is on disk."""
        with suppress(Exception):  # a damaged file
            return self._index_key(signature, codegen) in self._cache_file._load_index()
        return False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Returns the code for a signature; None, to compile it, if there is none that is whole."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # whatever a damaged file brings up: it is only a cache
            self._forget()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Saves the code for a signature, if the disk takes it."""
        try:
            super().save_overload(sig, data)
        except Exception:  # a full disk, or a damaged index: the code serves from memory
            self._forget()

    def _forget(self) -> None:
        with suppress(OSError):
            Path(self._cache_file._index_path).unlink(missing_ok=True)


def kernel(function: Callable[..., Any]) -> Any:
    """Marks a function of the rules to be compiled; callable from other kernels.

    Uncompiled, it runs as it stands, with the wrap-around of unsigned integers allowed as in
    machine code.
    """
    if not JIT:
        return np.errstate(over="ignore")(function)
    dispatcher = njit(nogil=True, error_model="numpy", _nrt=False)(function)
    with suppress(RuntimeError):  # no folder can be written: every process compiles for itself
        dispatcher._cache = _Cache(function)
    return dispatcher


class Compiled:
    """A kernel compiled for one signature.

    Calling `call` skips Numba's look-up of the argument types (20 times the cost of a small
    kernel), so the arguments must have exactly the compiled types; `pointer` is what a compiled
    loop takes that is told at run time which kernel to call.
    """

    def __init__(self, function: Any, signature: Any, what: str) -> None:
        self.pointer: Any = function
        self.call: Callable[..., Any] = function
        if JIT:
            # Functions as arguments are the one experimental feature used, here alone.
            found = isinstance(function._cache, _Cache) and function._cache.holds(
                signature, function.targetctx.codegen()
            )
            notice = nullcontext() if found else announced(f"compiling {what}")
            with notice, warnings.catch_warnings():
                warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)
                function.compile(signature)
                result = function.get_compile_result(signature)
            self.pointer = CompileResultWAP(result)
            self.call = result.entry_point


def function_type(signature: Any) -> Any:
    """Returns the type of a kernel argument that is itself a kernel of that signature."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)
        return types.FunctionType(signature)


def usable_cores() -> int:
    """Returns how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
