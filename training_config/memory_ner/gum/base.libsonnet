// Document NER on GUM: the outermost entities with a proper name as their head. A document has 58 sentences on average.
local data = import '../../lib/data.libsonnet';

(import '../free_data.libsonnet') + data.gum_proper_names { documents_per_batch:: 1 }
