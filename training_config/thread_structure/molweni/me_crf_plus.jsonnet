// Molweni, dialogues with discourse relations: ME-CRF+, the transitions of whose CRF are zero for the first 20 epochs.
(import 'base.libsonnet') { frozen_epochs:: 20 }
