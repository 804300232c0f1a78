from nerzoo.modules.tag_distributions.conditional_random_field import ConditionalRandomField
from nerzoo.modules.tag_distributions.softmax import SoftmaxDistribution
from nerzoo.modules.tag_distributions.tag_distribution import TagDistribution

__all__ = ["ConditionalRandomField", "SoftmaxDistribution", "TagDistribution"]
