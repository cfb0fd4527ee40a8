"""The graph of a torch model, recorded in one forward pass: calls of modules, and the operations inside.

Hooks on every module see the calls. A function mode of torch sees each operation that Python code asks for,
in modules and between them. Both happen in the same pass on real tensors, so nothing has to be traced or
compiled, and control flow that depends on data, dicts and data classes are no obstacle.

How modules and operations are one graph: an operation is a node in the scope of the module that runs it. The
call of a module is a node with the name of that scope, and the way out of it: its inputs are the operations
(or inner modules) that made the results, and whoever uses a result of the module refers to this node.

    input/x ──► Net/Linear[fc]/linear ──► Net/Linear[fc] ──► Net/relu ──► Net ──► output/output.1
                Net/Linear[fc]/weight ──►┘

So no edge is there twice, and without its operations (a scripted module shows none) a module is still
connected. Data flow is found by the identity of tensor objects, which are watched but not kept alive. A
tensor nobody was seen making comes from code below Python, such as a custom kernel: it gets a node
``unseen``, which by assumption (hence control edges) used what nobody had used so far.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sightline.writer.model_graphs.module_tree import (
    ModuleTree,
    Place,
    is_scripted,
    module_node,
    tensor_facts,
    tensor_name,
    tensor_node,
)
from sightline.writer.model_graphs.nodes import (
    GraphNode,
    Names,
    TensorFacts,
    name_of_reference,
    name_part,
    reference,
)
from sightline.writer.model_graphs.tensor_trees import tensors_in

# More is no picture any more, and pages that draw graphs give up far earlier. What runs later is left out, as
# if its first input were its result.
MAX_NODES = 20_000
# Of the text of one operation.
MAX_ARGUMENTS = 20
MAX_ITEMS = 8
MAX_STRING_CHARS = 80


@dataclass(eq=False)
class Call:
    """One call of a module."""

    place: Place
    scope: str
    inputs: list[str]
    """References to the tensors that went in."""
    is_shown: bool = True
    unused: dict[str, None] = field(default_factory=dict)
    """References to what was made inside and used by nobody yet."""
    sources: list[str] = field(default_factory=list)
    outputs: list[TensorFacts] = field(default_factory=list)


class Recorder:
    """Watches one forward pass of the model of `tree`, in the thread that made it."""

    def __init__(self, tree: ModuleTree, torch: Any) -> None:
        self.is_full = False
        self.is_paused = False
        self._tree = tree
        self._torch = torch
        self._nodes: list[GraphNode | Call] = []
        self._names = Names()
        # The reference to each tensor's maker, by identity. The weak reference tells a dead one's successor.
        self._makers: dict[int, tuple[weakref.ref[Any], str]] = {}
        self._stack: list[Call] = []
        self._thread = threading.get_ident()

    # -- what goes in and comes out

    def add_inputs(self, tensors: Sequence[tuple[str, Any]]) -> None:
        """Names the inputs. A tensor that is given twice cannot be told apart: it is the first."""
        for path, tensor in tensors:
            facts = tensor_facts(tensor)
            name = self._names.unique(f"input/{name_part(path) or 'input'}")
            first = self._makers.get(id(tensor))
            text = f"the same tensor as {first[1]}" if first else ""
            self._nodes.append(GraphNode(name, "IO Node", outputs=[facts], text=text, device=facts.device))
            if not first:
                self._set_maker(tensor, name)

    def add_outputs(self, tensors: Sequence[tuple[str, Any]]) -> None:
        for number, (path, tensor) in enumerate(tensors, start=1):
            maker = self._maker(tensor)
            facts = tensor_facts(tensor)
            inputs = [maker] if maker else []
            node = GraphNode(f"output/output.{number}", "IO Node", inputs, [facts], path, device=facts.device)
            self._nodes.append(node)

    def nodes(self) -> list[GraphNode]:
        """Everything seen, each node behind its inputs. Not during the pass: it asks modules for facts."""
        return [
            module_node(one.place.module, one.scope, one.sources, one.outputs)
            if isinstance(one, Call)
            else one
            for one in self._nodes
        ]

    # -- the pass

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Inside, every call and operation is recorded. No hook is left behind."""
        handles: list[Any] = []
        try:
            places = self._tree.places.values()
            for place in places:
                if not is_scripted(place.module):
                    handles += self._hooks_on(place)
            if any(is_scripted(place.module) for place in places):
                handles += self._hooks_for_scripted()
            with _function_mode(self._torch, self):
                yield
        finally:
            for handle in handles:
                handle.remove()

    def _hooks_on(self, place: Place) -> list[Any]:
        def before(module: Any, args: Any, kwargs: Any) -> None:
            self.enter(place, (args, kwargs))

        def after(module: Any, args: Any, kwargs: Any, output: Any) -> None:
            self.leave(place, output)

        # First before and last after: what other hooks do belongs to the module.
        return [
            place.module.register_forward_pre_hook(before, prepend=True, with_kwargs=True),
            place.module.register_forward_hook(after, with_kwargs=True, always_call=True),
        ]

    def _hooks_for_scripted(self) -> list[Any]:
        """Scripted modules take no hooks of their own, but obey those that are for all modules."""
        places = {key: place for key, place in self._tree.places.items() if is_scripted(place.module)}

        def before(module: Any, args: Any) -> None:
            if id(module) in places:
                self.enter(places[id(module)], args)

        def after(module: Any, args: Any, output: Any) -> None:
            if id(module) in places:
                self.leave(places[id(module)], output)

        torch_module = self._torch.nn.modules.module
        return [
            torch_module.register_module_forward_pre_hook(before),
            torch_module.register_module_forward_hook(after),
        ]

    @contextmanager
    def _paused(self) -> Iterator[None]:
        """What the hooks ask of tensors is no part of the model."""
        self.is_paused = True
        try:
            yield
        finally:
            self.is_paused = False

    def enter(self, place: Place, given: object) -> None:
        if threading.get_ident() != self._thread:
            return
        with self._paused():
            inputs = self._makers_of(self._tensors_in(given))
        self._use(inputs)
        if self._has_room():
            call = Call(place, self._names.unique(self._scope_of(place)), inputs)
        else:
            call = Call(place, self._stack[-1].scope if self._stack else "", inputs, is_shown=False)
        self._stack.append(call)

    def leave(self, place: Place, output: object) -> None:
        """Also called when the module raised; then there is no output."""
        if threading.get_ident() != self._thread:
            return
        while self._stack:
            call = self._stack.pop()
            if call.place is place:
                break
        else:
            return
        if call.is_shown:
            with self._paused():
                self._add_call(call, output)

    def _add_call(self, call: Call, output: object) -> None:
        results = self._tensors_in(output)
        makers = [self._maker(tensor) for tensor in results]
        # Of a result nobody was seen making, as by scripted code, it is known what was there to make it of.
        assumed = [] if makers and all(makers) else list(call.unused) or call.inputs
        call.sources = list(dict.fromkeys([*filter(None, makers), *assumed]))
        call.outputs = [tensor_facts(tensor) for tensor in results]
        self._nodes.append(call)
        self._make(call.scope, results)

    def operation(self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> None:
        if threading.get_ident() != self._thread:
            return
        results = self._tensors_in(result)
        if not results and is_in_place(function) and args and isinstance(args[0], self._torch.Tensor):
            results = [args[0]]
        if not results:
            return
        inputs = self._makers_of(self._tensors_in((args, kwargs)))
        self._use(inputs)
        if not self._has_room():
            for tensor in results[: 1 if inputs else 0]:
                self._set_maker(tensor, inputs[0])
            return
        op = operation_name(function)
        scope = f"{self._stack[-1].scope}/" if self._stack else ""
        name = self._names.unique(f"{scope}{name_part(op.rstrip('_'))}")
        outputs = [tensor_facts(tensor) for tensor in results]
        text = operation_text(args, kwargs, self._torch)
        self._nodes.append(GraphNode(name, op, inputs, outputs, text, device=outputs[0].device))
        self._make(name, results)

    # -- names and identities

    def _has_room(self) -> bool:
        if len(self._nodes) + len(self._stack) < MAX_NODES:
            return True
        self.is_full = True
        return False

    def _scope_of(self, place: Place) -> str:
        """Inside the call of the nearest module around it that is running; else where it lives."""
        parts = [place.part]
        around = place.parent
        while around is not None:
            for call in reversed(self._stack):
                if call.place is around and call.is_shown:
                    return "/".join((call.scope, *reversed(parts)))
            parts.append(around.part)
            around = around.parent
        return place.scope

    def _set_maker(self, tensor: Any, maker: str) -> None:
        self._makers[id(tensor)] = weakref.ref(tensor), maker

    def _make(self, name: str, results: Sequence[Any]) -> None:
        for slot, tensor in enumerate(results):
            ref = reference(name, slot)
            self._set_maker(tensor, ref)
            if self._stack:
                self._stack[-1].unused[ref] = None

    def _use(self, refs: Iterable[str]) -> None:
        if self._stack:
            for ref in refs:
                self._stack[-1].unused.pop(ref, None)

    def _maker(self, tensor: Any) -> str | None:
        found = self._makers.get(id(tensor))
        if found is not None and found[0]() is tensor:
            return found[1]
        return self._tensor_of_model(tensor)

    def _makers_of(self, tensors: Iterable[Any]) -> list[str]:
        return [maker for tensor in tensors if (maker := self._maker(tensor) or self._add_unseen(tensor))]

    def _tensors_in(self, value: object) -> list[Any]:
        return [tensor for _, tensor in tensors_in(value, self._torch)]

    def _tensor_of_model(self, tensor: Any) -> str | None:
        """Parameters and other tensors of the model become nodes when they are first used, where they are."""
        found = self._tree.tensors.get(id(tensor))
        if found is None or found[2] is not tensor:
            return None
        if not self._has_room():
            return None
        place, key, _ = found
        name = self._names.unique(tensor_name(place, key))
        self._nodes.append(tensor_node(place, key, tensor, self._torch, name))
        self._set_maker(tensor, name)
        return name

    def _add_unseen(self, tensor: Any) -> str | None:
        """A node for the code that made a tensor unseen."""
        if not self._stack or not self._has_room():
            return None
        call = self._stack[-1]
        available = list(call.unused) or call.inputs
        inputs = dict.fromkeys(f"^{name_of_reference(ref)}" for ref in available)
        facts = tensor_facts(tensor)
        name = self._names.unique(f"{call.scope}/unseen")
        text = "made by code that add_graph cannot see, probably from these inputs"
        self._nodes.append(GraphNode(name, "unseen", list(inputs), [facts], text, device=facts.device))
        self._use(available)
        self._set_maker(tensor, name)
        return name


def _function_mode(torch: Any, recorder: Recorder) -> Any:
    """A class of torch's cannot be named before torch is there, hence in here."""

    class Recording(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            result = func(*args, **(kwargs or {}))
            if not recorder.is_paused:
                recorder.operation(func, args, kwargs or {}, result)
            return result

    return Recording()


# -- how operations are named and described


def operation_name(function: Any) -> str:
    """The name people know: ``linear``, ``add_``, ``getitem``."""
    name = getattr(function, "__name__", "") or type(function).__name__
    if name == "__get__":  # an attribute that is a tensor, as x.T
        name = getattr(getattr(function, "__self__", None), "__name__", name)
    return name.strip("_") if name.startswith("_") else name


def is_in_place(function: Any) -> bool:
    """Whether the first argument is changed although nothing is returned."""
    return getattr(function, "__name__", "") in ("__setitem__", "__set__")


def operation_text(args: Sequence[Any], kwargs: Mapping[str, Any], torch: Any) -> str:
    """The arguments that are no tensors, in order."""
    shown = [_argument(value, torch) for value in args[:MAX_ARGUMENTS]]
    shown += [
        text and f"{key}={text}"
        for key, value in list(kwargs.items())[:MAX_ARGUMENTS]
        for text in [_argument(value, torch)]
    ]
    return ", ".join(text for text in shown if text)


def _argument(value: Any, torch: Any, depth_left: int = 2) -> str:
    """Short and safe for any value; empty for tensors and lists of them, which are edges."""
    if isinstance(value, torch.Tensor):
        return ""
    if value is None or value is ... or isinstance(value, (bool, int, float, complex)):
        return repr(value)
    if isinstance(value, (torch.dtype, torch.device, torch.memory_format, torch.layout)):
        return str(value)
    if isinstance(value, str):
        return value if len(value) <= MAX_STRING_CHARS else f"{value[:MAX_STRING_CHARS]}…"
    if isinstance(value, slice):
        bounds = (value.start, value.stop, value.step)
        return ":".join("" if bound is None else _argument(bound, torch) for bound in bounds[:3])
    if isinstance(value, (list, tuple)):
        return _items(value, torch, depth_left)
    return type(value).__name__


def _items(values: Sequence[Any], torch: Any, depth_left: int) -> str:
    if not depth_left:
        return "…"
    shown = [_argument(value, torch, depth_left - 1) for value in values[:MAX_ITEMS]]
    if not any(shown):
        return ""
    more = ", …" if len(values) > MAX_ITEMS else ""
    return f"({', '.join(text or 'tensor' for text in shown)}{more})"
