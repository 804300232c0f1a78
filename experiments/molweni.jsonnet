// The threads of Molweni, which `experiments.thread_baselines` reads as networks do.
local molweni = (import '../training_config/thread_structure/free_data.libsonnet').molweni;

{
  dataset_reader: molweni.dataset_reader,
  train_data_path: molweni.train_data_path,
}
