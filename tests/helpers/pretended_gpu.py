"""
A model and its batches on a simulated GPU, by PyTorch's `FakeTensorMode`: tensors have a shape, a type and the device
`cuda`, but no data, so that neither a GPU nor its driver is needed. As on a real GPU, tensors of two devices do not
mix.
"""

import contextlib
from unittest import mock

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map_only

aten = torch.ops.aten

CUDA, META = torch.device("cuda", 0), torch.device("meta")

INDEX = {aten.index, aten.index_put, aten.index_put_}


class PretendedGpu:
    """
    Simulates a GPU with invented numbers: every value that is read is 1 or true, and searches find everything.

    `reads` lists the operations so far that would have made the host wait for the GPU: to read a value or a size, or to
    finish a copy.
    """

    def __init__(self):
        self.reads = []
        self._fake = FakeTensorMode(allow_non_fake_inputs=True)

    @contextlib.contextmanager
    def running(self):
        with contextlib.ExitStack() as stack:
            stack.enter_context(torch.backends.cudnn.flags(enabled=False))
            stack.enter_context(self._fake)
            stack.enter_context(_Operations(self.reads))
            stack.enter_context(mock.patch.object(FakeTensor, "is_cuda", property(_is_cuda)))
            stack.enter_context(mock.patch.object(FakeTensor, "tolist", self._tolist()))
            yield

    def put(self, batch):
        """Returns a copy of a tensor, or of a structure of tensors, on the GPU."""
        return tree_map_only(torch.Tensor, self._put, batch)

    def put_model(self, model):
        """Moves the parameters and buffers of a model."""
        moved = {}
        for module in model.modules():
            for name, parameter in list(module.named_parameters(recurse=False)):
                if parameter not in moved:
                    moved[parameter] = torch.nn.Parameter(self._put(parameter), parameter.requires_grad)
                setattr(module, name, moved[parameter])
            for name, buffer in list(module.named_buffers(recurse=False)):
                setattr(module, name, self._put(buffer))

    def _put(self, tensor):
        with self._fake:
            return self._fake.from_tensor(tensor.detach()).to(CUDA)

    def _tolist(self):
        def tolist(tensor):
            if _is_cuda(tensor):
                self.reads.append("tolist")
            with torch.utils._python_dispatch._disable_current_modes():
                return torch.ones(tensor.shape, dtype=tensor.dtype).tolist()

        return tolist


class _Operations(TorchDispatchMode):
    def __init__(self, reads):
        super().__init__()
        self._reads = reads

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        operation, kwargs = function.overloadpacket, dict(kwargs or {})
        if function is torch.ops.prim.device.default:
            # Only PyTorch's engine calls this. For the device CUDA it would create a stream, which needs the driver.
            return META if _is_cuda(args[0]) else args[0].device
        if kwargs.get("device") == META:
            kwargs["device"] = CUDA
        inputs = [x for x in tree_leaves((args, kwargs)) if isinstance(x, torch.Tensor)]
        on_gpu = any(map(_is_cuda, inputs))
        if operation is aten._local_scalar_dense:
            self._reads += ["item"] * on_gpu
            return {torch.bool: True, torch.long: 1}.get(args[0].dtype, 1.0)
        if on_gpu:
            if operation is aten.nonzero:
                self._reads.append("nonzero")
                return args[0].new_empty(args[0].numel(), args[0].dim(), dtype=torch.long)
            if operation in INDEX and any(index is not None and index.dtype == torch.bool for index in args[1]):
                # Assigning a single value to all places does not read their number.
                if operation is aten.index or args[2].numel() > 1:
                    self._reads.append("mask")
                args = (args[0], [_as_numbers(index) for index in args[1]], *args[2:])
        result = function(*args, **kwargs)
        is_copy = operation in (aten._to_copy, aten.copy_) and len({x.device for x in [*inputs, result]}) > 1
        if is_copy and not (kwargs.get("non_blocking") or args[2:] == (True,)):
            self._reads.append("copy")
        return result


def _is_cuda(tensor):
    return tensor.device.type == "cuda"


def _as_numbers(index):
    """Returns all places of a mask as places where it is true."""
    if index is None or index.dtype != torch.bool:
        return index
    return index.new_empty(index.numel(), dtype=torch.long)
