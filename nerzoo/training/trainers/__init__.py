from nerzoo.training.trainers.resumable import ResumableTrainer

__all__ = ["ResumableTrainer"]
