from nerzoo.training.checkpointers.atomic import AtomicCheckpointer

__all__ = ["AtomicCheckpointer"]
