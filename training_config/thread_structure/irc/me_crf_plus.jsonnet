// IRC, messages of a chat with the earlier ones that they reply to: ME-CRF+, the transitions of whose CRF are zero for
// the first 6 of 15 epochs, where the paper has 20 of 50.
(import 'base.libsonnet') { frozen_epochs:: 6 }
