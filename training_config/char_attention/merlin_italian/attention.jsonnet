// MERLIN, errors of learners of Italian: attention to words and characters.
import 'base.libsonnet'
