// Falko and MERLIN, errors of learners of German: attention to words and characters.
import 'base.libsonnet'
