from nerzoo.modules.tag_distributions import ConditionalRandomField, SoftmaxDistribution, TagDistribution

__all__ = ["ConditionalRandomField", "SoftmaxDistribution", "TagDistribution"]
