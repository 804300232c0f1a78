// IRC, messages of a chat with the earlier ones that they reply to: ME-CRF+. The transitions of its CRF are zero in the
// first 6 of 15 epochs (in the paper 20 of 50).
// Measured: not trained.
(import '../free_data.libsonnet').irc { frozen_epochs:: 6 }
