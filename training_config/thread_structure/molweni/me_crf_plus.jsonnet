// Molweni, dialogues with discourse relations: ME-CRF+. The transitions of its CRF are zero in the first 20 epochs.
(import 'base.libsonnet') { frozen_epochs:: 20 }
