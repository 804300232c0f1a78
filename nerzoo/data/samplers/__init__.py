from nerzoo.data.samplers.max_tokens_sampler import MaxTokensSampler

__all__ = ["MaxTokensSampler"]
