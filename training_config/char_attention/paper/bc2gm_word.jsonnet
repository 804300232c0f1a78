// BC2GM: words alone. Published test F1, alternative boundaries allowed: 84.21.
(import 'bc2gm.jsonnet') { combination:: 'word' }
