// IRC, messages of a chat with the earlier ones that they reply to: ME-CRF.
import 'base.libsonnet'
