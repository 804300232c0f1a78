// Molweni, dialogues with discourse relations: ME-CRF.
import 'base.libsonnet'
